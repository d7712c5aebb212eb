import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNames } from './binary/component-names.js';
import { type CompiledFiles, openCompiledCache } from './cache/compiled-cache.js';
import { ComponentFailure } from './failures.js';
import { startGuest } from './guest.js';
import { defaults, narrowedLimits } from './limits.js';
import { type PrepareContext, prepareComponent } from './prepare.js';
import { plainText } from './text-tail.js';
import type { ComponentRuntime, ComponentRuntimeOptions } from './types.js';

function besideThisModule(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/**
 * Opens the component runtime over one cache directory. Nothing is touched or started before the first call.
 * Implements docs/spec/components.md.
 */
export function createComponentRuntime(options: ComponentRuntimeOptions): ComponentRuntime {
  const cache = openCompiledCache(options.cacheDirectory);
  const nodePath = options.nodePath ?? process.execPath;
  const context: PrepareContext = {
    cache,
    nodePath,
    openJail: options.openJail,
    transpileEntry: options.transpileEntry ?? besideThisModule('./child/transpile-main.js'),
    inProgress: new Map(),
  };
  const guestEntry = options.guestEntry ?? besideThisModule('./child/guest-main.js');

  async function loadCompiledForm(key: string): Promise<CompiledFiles> {
    const files = await cache.load(key);
    if (files === null) {
      throw new ComponentFailure('invalid', 'the compiled form is gone or was changed since it was prepared');
    }
    return files;
  }

  return {
    readNames,
    prepare: (bytes, prepareOptions) => prepareComponent(context, bytes, prepareOptions),
    recall: (component, name) => cache.readNote(basename(component.directory), name),
    remember: (component, name, text) => cache.writeNote(basename(component.directory), name, text),
    async start(component, startOptions) {
      const files = loadCompiledForm(basename(component.directory));
      // Awaited once the process runs; until then a failure must not count as unhandled.
      files.catch(() => {});
      const jail = await options.openJail(`guest:${plainText(startOptions.label, 100)}`);
      const start = {
        nodePath,
        entry: guestEntry,
        env: startOptions.env ?? {},
        limits: narrowedLimits(startOptions.limits, component.limits),
        imports: component.names.imports,
        startTimeoutMs: startOptions.startTimeoutMs ?? defaults.startTimeoutMs,
        files,
      };
      return startGuest(start, jail);
    },
  };
}
