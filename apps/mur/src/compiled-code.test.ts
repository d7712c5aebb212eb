import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadProgram } from './compiled-code.js';

let root: string;
let directory: string;
let file: string;

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'murmur-code-'));
  chmodSync(root, 0o700);
  directory = path.join(root, 'node');
  file = path.join(root, 'program.js');
  writeFileSync(file, 'exports.answer = () => [40 + 2, require("node:path").basename(__filename)];');
  const made = root;
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
});

const load = (task = 'run') => loadProgram({ file, directory, task });
const kept = (): readonly string[] => readdirSync(directory).sort();

function callAnswer(program: ReturnType<typeof load>): unknown {
  return (program.exports as { answer(): unknown }).answer();
}

describe('a program', () => {
  it('is compiled, kept, and taken from there the next time', () => {
    const first = load();
    expect(callAnswer(first)).toEqual([42, 'program.js']);
    expect(first.fromKept).toBe(false);
    first.keep();
    const second = load();
    expect(second.fromKept).toBe(true);
    expect(callAnswer(second)).toEqual([42, 'program.js']);
    const [name = ''] = kept();
    const before = readFileSync(path.join(directory, name));
    second.keep();
    expect(kept()).toEqual([name]);
    expect(readFileSync(path.join(directory, name))).toEqual(before);
  });

  it('is compiled anew when its source changed, and the old form goes', () => {
    load().keep();
    load('list').keep();
    const old = kept();
    writeFileSync(file, 'exports.answer = () => 2;');
    const changed = load();
    expect(changed.fromKept).toBe(false);
    expect(callAnswer(changed)).toBe(2);
    changed.keep();
    expect(kept()).toHaveLength(2);
    expect(kept().filter((name) => old.includes(name))).toEqual(
      old.filter((name) => name.startsWith('list-')),
    );
  });

  it.each([
    ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length - 1)],
    ['empty', () => Buffer.alloc(0)],
    [
      'changed',
      (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 1 : byte))),
    ],
  ])('is compiled anew when its form is %s', (_what, damage) => {
    load().keep();
    const [name = ''] = kept();
    const form = path.join(directory, name);
    writeFileSync(form, damage(readFileSync(form)));
    const program = load();
    expect(program.fromKept).toBe(false);
    expect(callAnswer(program)).toEqual([42, 'program.js']);
    program.keep();
    expect(load().fromKept).toBe(true);
  });

  it.runIf(process.platform !== 'win32')('takes nothing from a directory that others can write to', () => {
    load().keep();
    chmodSync(directory, 0o770);
    const program = load();
    expect(program.fromKept).toBe(false);
    rmSync(path.join(directory, kept()[0] ?? ''));
    program.keep();
    expect(kept()).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')('keeps nothing below a directory that others can write to', () => {
    chmodSync(root, 0o777);
    load().keep();
    expect(readdirSync(root)).toEqual(['program.js']);
  });

  it('keeps nothing without a directory to keep it below', () => {
    directory = path.join(root, 'missing', 'node');
    load().keep();
    expect(readdirSync(root)).toEqual(['program.js']);
    loadProgram({ file, directory: null, task: 'run' }).keep();
  });

  it('imports modules as any other file does, kept or not', async () => {
    writeFileSync(path.join(root, 'beside.mjs'), 'export const answer = 42;');
    writeFileSync(file, "exports.answer = async () => (await import('./beside.mjs')).answer;");
    const first = load();
    expect(await callAnswer(first)).toBe(42);
    first.keep();
    const second = load();
    expect(second.fromKept).toBe(true);
    expect(await callAnswer(second)).toBe(42);
  });

  it('is read as UTF-8 when it is not plain ASCII', () => {
    writeFileSync(file, "exports.answer = () => 'żółw 🐢';");
    expect(callAnswer(load())).toBe('żółw 🐢');
  });

  it('leaves a directory alone that is no directory', () => {
    mkdirSync(path.dirname(directory), { recursive: true });
    writeFileSync(directory, 'text');
    const program = load();
    expect(program.fromKept).toBe(false);
    program.keep();
    expect(readFileSync(directory, 'utf8')).toBe('text');
  });
});
