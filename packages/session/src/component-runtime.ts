import { type ComponentRuntime, createComponentRuntime, type GuestsAhead } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { layout } from '@murmur/manifest';
import { mayImport } from '@murmur/process-driver';
import type { RuntimeFiles } from './types.js';

/** The runtime of WASM components, its compiled forms kept below `~/.murmur/compiled`. */
export function componentRuntime(
  home: string,
  files: RuntimeFiles | undefined,
): ComponentRuntime & GuestsAhead {
  const { guestEntry, transpileEntry } = files ?? {};
  return createComponentRuntime({
    cacheDirectory: layout(home).compiled,
    openJail: (label) => openJail({ class: 'advisory', label }, wardenOption(files)),
    ...(guestEntry === undefined ? {} : { guestEntry }),
    ...(transpileEntry === undefined ? {} : { transpileEntry }),
  });
}

/** Option of the containment package that names the helper, when the caller brings its own. */
export function wardenOption(files: RuntimeFiles | undefined): { readonly wardenPath?: string } {
  return files?.wardenPath === undefined ? {} : { wardenPath: files.wardenPath };
}

/**
 * Compiles a process driver ahead of its first run. Whatever is wrong with it is told by the run that needs it:
 * this only saves that run the time, and answers whether it did.
 */
export async function precompileDriver(
  component: Uint8Array,
  home: string,
  files?: RuntimeFiles,
): Promise<boolean> {
  try {
    await componentRuntime(home, files).prepare(component, { allowImports: mayImport });
    return true;
  } catch {
    return false;
  }
}
