import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readNames } from './binary/component-names.js';
import { type CompiledFiles, openCompiledCache } from './cache/compiled-cache.js';
import { ComponentFailure } from './failures.js';
import { type GuestProcess, type GuestProcessStart, openGuestProcess, startGuest } from './guest.js';
import { guestAhead } from './guest-ahead.js';
import { defaults, effectiveLimits, narrowedLimits } from './limits.js';
import { type PrepareContext, prepareComponent } from './prepare.js';
import { plainText } from './text-tail.js';
import type { ComponentRuntime, ComponentRuntimeOptions, GuestsAhead } from './types.js';
import { verifiedForm } from './verified-form.js';

function besideThisModule(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

/**
 * Opens the component runtime over one cache directory. Nothing is touched or started before the first call.
 * Implements docs/spec/components.md.
 */
export function createComponentRuntime(options: ComponentRuntimeOptions): ComponentRuntime & GuestsAhead {
  const cache = openCompiledCache(options.cacheDirectory);
  const nodePath = options.nodePath ?? process.execPath;
  const context: PrepareContext = {
    cache,
    nodePath,
    openJail: options.openJail,
    transpileEntry: options.transpileEntry ?? besideThisModule('./child/transpile-main.js'),
    inProgress: new Map(),
    verified: verifiedForm(),
  };
  const guestEntry = options.guestEntry ?? besideThisModule('./child/guest-main.js');

  const ahead = guestAhead();

  async function loadCompiledForm(key: string): Promise<CompiledFiles> {
    const files = context.verified.take(key) ?? (await cache.load(key));
    if (files === null) {
      throw new ComponentFailure('invalid', 'the compiled form is gone or was changed since it was prepared');
    }
    return files;
  }

  async function openProcess(
    label: string,
    start: Pick<GuestProcessStart, 'env' | 'limits'>,
  ): Promise<GuestProcess> {
    const jail = await options.openJail(`guest:${plainText(label, 100)}`);
    return openGuestProcess({ nodePath, entry: guestEntry, ...start }, jail);
  }

  return {
    readNames,
    prepare: (bytes, prepareOptions) => prepareComponent(context, bytes, prepareOptions),
    recall: (component, name) => cache.readNote(basename(component.directory), name),
    remember: (component, name, text) => cache.writeNote(basename(component.directory), name, text),
    startAhead(label) {
      ahead.start(label, () => openProcess(label, { env: {}, limits: effectiveLimits(undefined) }));
      return { [Symbol.asyncDispose]: ahead.drop };
    },
    async start(component, { label, env = {}, ...startOptions }) {
      const files = loadCompiledForm(basename(component.directory));
      // Awaited once the process runs; until then a failure must not count as unhandled.
      files.catch(() => {});
      const limits = narrowedLimits(startOptions.limits, component.limits);
      const process = await (ahead.take({ label, env, limits }) ?? openProcess(label, { env, limits }));
      return startGuest(process, {
        limits,
        imports: component.names.imports,
        startTimeoutMs: startOptions.startTimeoutMs ?? defaults.startTimeoutMs,
        files,
      });
    },
  };
}
