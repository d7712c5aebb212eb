import { wasiRefusals } from './refusals.js';
import { wasiIo } from './streams.js';
import { wasiSystem } from './system.js';

/**
 * WASI 0.2 with nothing behind it (docs/spec/components.md, "The empty host"): components of any toolchain link
 * against it and find no directory, no variable, no argument, no input and no network.
 */
export function emptyHost(): Readonly<Record<string, object>> {
  return { ...wasiIo, ...wasiSystem, ...wasiRefusals };
}
