import { Script } from 'node:vm';

export type Instantiate = (
  getCoreModule: (file: string) => WebAssembly.Module,
  imports: Record<string, unknown>,
  instantiateCore: (module: WebAssembly.Module, imports: WebAssembly.Imports) => WebAssembly.Instance,
) => Record<string, unknown>;

/** The transpiler writes declarations only: `export function instantiate`, `export const _util`. */
const EXPORT = /^export (?=function |const )/gm;

/**
 * Evaluates the transpiler's module as a strict script, which takes a third of the time that importing it does; and a
 * script that names no way to load modules cannot `import()` any.
 */
export function loadGlue(glue: string): Instantiate {
  const text = `(() => { 'use strict'; ${glue.replace(EXPORT, '')}\nreturn instantiate; })()`;
  return new Script(text, { filename: 'component.js' }).runInThisContext() as Instantiate;
}
