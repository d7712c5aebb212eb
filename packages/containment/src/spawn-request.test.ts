import { describe, expect, it } from 'vitest';
import { request } from '../test/support/spawn.js';
import { spawnRequestProblem, toLaunchSpec } from './spawn-request.js';
import { encodeSpec } from './spec-wire.js';
import type { SpawnRequest } from './types.js';

const base = request('/bin/true');

describe('a spawn request', () => {
  it.each<[string, Partial<SpawnRequest>]>([
    ['a relative program', { program: 'true' }],
    ['an empty program', { program: '' }],
    ['a program with a NUL', { program: '/bin/true\0x' }],
    ['a program path without end', { program: `/${'x'.repeat(4095)}` }],
    ['a relative directory', { cwd: '.' }],
    ['an environment name with a sign', { env: { 'LD_PRELOAD=/tmp/x.so;A': '1' } }],
    ['an environment name without a letter', { env: { '': '1' } }],
    ['an environment name with a NUL', { env: { 'A\0B': '1' } }],
    ['an environment value with a NUL', { env: { A: '1\0LD_PRELOAD=/tmp/x.so' } }],
    ['an environment value that is no text', { env: { A: undefined as unknown as string } }],
    [
      'too many variables',
      { env: Object.fromEntries(Array.from({ length: 1025 }, (_, index) => [`V${index}`, ''])) },
    ],
    ['an argument with a NUL', { args: ['a\0b'] }],
    ['too many arguments', { args: Array(4096).fill('a') }],
    ['arguments that are too long together', { args: Array(40).fill('é'.repeat(60_000)) }],
    ['variables that are too long together', { env: { A: 'x'.repeat(3_000_000), B: 'x'.repeat(2_000_000) } }],
    ['too many channels', { channels: Array(17).fill('in') }],
    ['a negative limit', { limits: { openFiles: -1 } }],
    ['a limit that is no whole number', { limits: { cpuSeconds: 1.5 } }],
    ['a limit without end', { limits: { dataBytes: Number.POSITIVE_INFINITY } }],
  ])('is refused with %s', (_name, change) => {
    expect(() => toLaunchSpec({ ...base, ...change })).toThrow(/^spawn request: /);
    expect(spawnRequestProblem({ ...base, ...change })).not.toBeNull();
  });

  it('that is taken fits the wire, however many texts it has', () => {
    const texts = { args: Array(4095).fill('x'.repeat(1000)), env: { A: 'x'.repeat(60_000) } };
    expect(spawnRequestProblem({ ...base, ...texts })).toBeNull();
    expect(() => encodeSpec(toLaunchSpec({ ...base, ...texts }))).not.toThrow();
  });

  it('never shows a value of the environment in its refusal', () => {
    expect(() => toLaunchSpec({ ...base, env: { TOKEN: 'secret\0' } })).toThrow(/^(?!.*secret)/);
  });

  it('grants nothing that it does not name', () => {
    expect(toLaunchSpec(base)).toEqual({
      program: '/bin/true',
      argumentList: ['/bin/true'],
      env: {},
      cwd: '/',
      descriptors: ['null', 'null', 'null'],
      limits: {},
    });
  });
});
