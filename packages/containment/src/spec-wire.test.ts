import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { mutate, seededRandom, toCaseStream } from '../test/support/mutations.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { expectedVerdict, headerCode, OK } from '../test/support/spec-model.js';
import vectors from '../test/vectors/spec.golden.json' with { type: 'json' };
import { encodeSpec, type LaunchSpec } from './spec-wire.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const marker = path.join(directory, 'ran');

const accepted = vectors.accepted.map(({ spec }) => spec as LaunchSpec);

const seeds = [
  ...accepted,
  {
    program: '/usr/bin/touch',
    argumentList: ['touch', marker],
    env: { A: '1', LONG: 'x'.repeat(300) },
    cwd: '/tmp',
    descriptors: ['null', 'programWrites', 'null', 'programReads'],
    limits: { openFiles: 64, cpuSeconds: 10 },
  } satisfies LaunchSpec,
].map(encodeSpec);

const random = seededRandom(20_26);
const mutated = Array.from({ length: 10_000 }, (_, index) =>
  mutate(seeds[index % seeds.length] ?? Buffer.alloc(0), random),
);

const runCases = (program: string, args: readonly string[], cases: readonly Buffer[]): string[] =>
  execFileSync(program, args, { input: toCaseStream(cases), encoding: 'utf8', maxBuffer: 1 << 28 })
    .trimEnd()
    .split('\n');

describe('launch specification', () => {
  it.each(vectors.accepted)('is encoded to the agreed bytes: $name', ({ spec, bytes }) => {
    expect(encodeSpec(spec as LaunchSpec).toString('hex')).toBe(bytes);
  });

  it('is read by the sanitized C reader exactly as the document says, 10,000 mutations and the agreed vectors', () => {
    const reader = compileFixture(directory, 'spec-verdict', {
      wardenSources: ['spec.c', 'spec_jail.c'],
      flags: ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-static-libasan'],
    });
    const refused = vectors.refused.map(({ bytes }) => Buffer.from(bytes, 'hex'));
    const cases = [...seeds, ...refused, ...mutated];
    const verdicts = runCases(reader, [], cases);
    expect(verdicts).toEqual(cases.map(expectedVerdict));
    expect(verdicts.slice(seeds.length, seeds.length + refused.length)).toEqual(
      vectors.refused.map(({ code }) => String(code)),
    );
    // The mutations reach every reason but the two that only sizes reach, and some stay well-formed.
    const reasons = new Set(verdicts.map((verdict) => Number.parseInt(verdict, 10)));
    expect([...reasons].sort((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17, 18, 19, 20, 21, 22,
    ]);
  });

  it('is refused by size where a list or a path is too long', () => {
    const reader = compileFixture(directory, 'spec-verdict', { wardenSources: ['spec.c', 'spec_jail.c'] });
    const base = accepted[0];
    if (base === undefined) throw new Error('no vector');
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, '']));
    const cases = [
      { ...base, argumentList: Array(4096).fill('a') },
      { ...base, argumentList: Array(4097).fill('a') },
      { ...base, env: many(1024) },
      { ...base, env: many(1025) },
      { ...base, cwd: `/${'d'.repeat(4094)}` },
      { ...base, cwd: `/${'d'.repeat(4095)}` },
    ].map((spec) => encodeSpec(spec));
    expect(runCases(reader, [], cases).map((line) => line.split(' ')[0])).toEqual([
      '0',
      '13',
      '0',
      '13',
      '0',
      '11',
    ]);
    expect(cases.map((bytes) => expectedVerdict(bytes).split(' ')[0])).toEqual([
      '0',
      '13',
      '0',
      '13',
      '0',
      '11',
    ]);
  });

  it('has no effect when it is refused, and none before the command to go on: 10,000 wardens', () => {
    const storm = compileFixture(directory, 'spec-storm');
    const exits = runCases(storm, [locateWarden()], mutated);
    expect(exits.map(Number)).toEqual(mutated.map(expectedExit));
    expect(existsSync(marker)).toBe(false);
  });
});

/** The warden's exit code for a case after which its control socket ends. */
function expectedExit(bytes: Buffer): number {
  const SPEC_REFUSED = 10;
  const SPEC_CUT = 11;
  if (bytes.length < 16) return SPEC_CUT;
  const code = headerCode(bytes.subarray(0, 16));
  if (code !== OK) return SPEC_REFUSED;
  const total = bytes.readUInt32LE(8);
  if (bytes.length < total) return SPEC_CUT;
  const verdict = expectedVerdict(bytes.subarray(0, total));
  if (!verdict.startsWith(`${OK} `)) return SPEC_REFUSED;
  return afterSpec(verdict, bytes.length - total);
}

/** Mounts of a jail that the host lacks and that may not be left out. As an ordinary user they are taken later. */
function lacksMounts(verdict: string): boolean {
  if (process.getuid?.() !== 0) return false;
  const mounts = / mounts=(\S*)/.exec(verdict)?.[1] ?? '';
  return mounts.split(',').some((mount) => {
    const file = Buffer.from(mount.slice(2).replace('.', ''), 'hex');
    return /^[rwx]!/.test(mount) && !existsSync(file);
  });
}

/** A well-formed mutation: its program or directory is missing, or the command to go on never comes. */
function afterSpec(verdict: string, left: number): number {
  const NOT_STARTED = 14;
  const NOT_PREPARED = 15;
  const COMMAND_REFUSED = 13;
  const [, program = '', , , cwd = ''] = verdict.split(' ');
  const there = (hex: string): boolean => existsSync(Buffer.from(hex, 'hex'));
  // Inside a root of its own both are looked up there, after the command to go on.
  const jailed = verdict.includes(' class=');
  if (jailed ? lacksMounts(verdict) : !there(program) || !there(cwd)) return NOT_PREPARED;
  return left >= 8 ? COMMAND_REFUSED : NOT_STARTED;
}
