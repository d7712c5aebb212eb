import { expect, it } from 'vitest';
import { loadGlue } from './load-glue.js';

const load = (body: string) =>
  loadGlue(`"use components";\nexport function instantiate() { ${body} }\nexport const _util = {};\n`);
const call = (body: string): unknown => (load(body) as unknown as () => unknown)();

it('gives the function that the transpiler exports', () => {
  expect(call('return 7;')).toBe(7);
});

it('runs as strict code of its own scope', () => {
  expect(call('return [this, typeof require, typeof module, typeof exports];')).toEqual([
    undefined,
    'undefined',
    'undefined',
    'undefined',
  ]);
});

it('can load no module', async () => {
  await expect(call('return import("node:fs");')).rejects.toMatchObject({
    code: 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING',
  });
  expect(() => loadGlue('import fs from "node:fs"; export function instantiate() {}')).toThrow(SyntaxError);
});

it('says what is wrong with text that is no such module', () => {
  expect(() => loadGlue(')')).toThrow(SyntaxError);
  expect(() => loadGlue('export const other = 1;')).toThrow('instantiate is not defined');
});
