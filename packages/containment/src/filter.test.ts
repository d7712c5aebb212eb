import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFixture } from '../test/support/compile.js';
import { type Answer, expectedAnswer } from '../test/support/filter-model.js';
import { scratchDirectory } from '../test/support/scratch.js';

const directory = scratchDirectory();
const definitions = fileURLToPath(new URL('../native/src/syscalls.def', import.meta.url));

interface Entry {
  readonly name: string;
  readonly x86_64: number;
  readonly arm64: number;
  readonly rule: string;
}

const table: readonly Entry[] = [
  ...readFileSync(definitions, 'utf8').matchAll(/^SYSCALL\((\w+), (-?\d+), (-?\d+), (\w+)\)$/gm),
].map(([, name = '', x86, arm, rule = '']) => ({ name, x86_64: Number(x86), arm64: Number(arm), rule }));

const verdicts = compileFixture(directory, 'filter-verdicts', { wardenSources: ['filter.c'] });

function judge(calls: readonly (readonly [number, ...bigint[]])[]): string[] {
  const lines = calls.map(([number, ...given]) => {
    const six = [...given, 0n, 0n, 0n, 0n, 0n, 0n].slice(0, 6);
    return [number, ...six.map((argument) => argument.toString(16))].join(' ');
  });
  // From a file, because the program reads it once for each architecture.
  const cases = path.join(directory, 'calls');
  execFileSync('tee', [cases], { input: `${lines.join('\n')}\n`, stdio: ['pipe', 'ignore', 'inherit'] });
  return execFileSync('/bin/sh', ['-c', `exec ${verdicts} < ${cases}`], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
    .trimEnd()
    .split('\n');
}

const ANSWERS: Readonly<Record<Answer, string>> = {
  allow: '7fff0000',
  EPERM: (0x50000 | constants.errno.EPERM).toString(16).padStart(8, '0'),
  EACCES: (0x50000 | constants.errno.EACCES).toString(16).padStart(8, '0'),
  ENOSYS: (0x50000 | constants.errno.ENOSYS).toString(16).padStart(8, '0'),
  nothing: '00050000',
};

const ruleOf = (architecture: 'x86_64' | 'arm64', number: number): string =>
  table.find((entry) => entry[architecture] === number)?.rule ?? 'UNKNOWN';

/** Values that some rule looks for, in either half, and others. */
const argument = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, 3n, 4n, 5n, 8n, 10n, 16n, 17n, 38n, 40n, 0x10n, 0x1000n, 0x5412n, 0x541cn),
  fc.constantFrom(0o100n, 0o755n, 0o2755n, 0o4755n, 0o20000000n, 0x10000000n, 0x20000n, 0x80001n, 1n << 32n),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
);

describe('the system call filter', () => {
  it('answers every number as the table says, on both architectures', () => {
    const calls = Array.from({ length: 1024 }, (_, number) => [number] as const);
    const expected = (['x86_64', 'arm64'] as const).flatMap((architecture) => [
      ...calls.map(([number]) => {
        const answer = expectedAnswer(ruleOf(architecture, number), []);
        return `${architecture} ${number} ${ANSWERS[answer]}`;
      }),
      `${architecture} foreign 80000000`,
      architecture === 'x86_64' ? 'x86_64 x32 80000000' : `arm64 x32 ${ANSWERS.ENOSYS}`,
    ]);
    expect(judge(calls)).toEqual(expected);
  });

  it('judges arguments as the document says', () => {
    const judged = table.filter(({ rule }) => !['ALLOWED', 'FORBIDDEN', 'UNKNOWN'].includes(rule));
    const numbers = [...new Set(judged.flatMap(({ x86_64, arm64 }) => [x86_64, arm64]))].filter(
      (n) => n >= 0,
    );
    const calls = fc
      .sample(fc.tuple(fc.constantFrom(...numbers), argument, argument, argument, argument, argument), {
        numRuns: 20_000,
        seed: 4,
      })
      .map((call) => call as readonly [number, ...bigint[]]);
    const found = judge(calls).filter((line) => !/ (foreign|x32) /.test(line));
    const expected = (['x86_64', 'arm64'] as const).flatMap((architecture) =>
      calls.map(([number, ...given]) => {
        const answer = expectedAnswer(ruleOf(architecture, number), given);
        return `${architecture} ${number} ${ANSWERS[answer]}`;
      }),
    );
    expect(found).toEqual(expected);
    expect(new Set(found.map((line) => line.split(' ')[2])).size).toBe(5);
  });

  it('stays far below what the kernel accepts', () => {
    const lengths = execFileSync(verdicts, ['numbers'], { encoding: 'utf8' });
    for (const [, length] of lengths.matchAll(/length (\d+)/g)) expect(Number(length)).toBeLessThan(512);
  });

  it('forbids what would undo a jail', () => {
    const never =
      'bpf mount umount2 pivot_root unshare setns ptrace io_uring_setup open_by_handle_at keyctl userfaultfd perf_event_open pidfd_getfd open_tree fsopen init_module kexec_load process_vm_writev seccomp chroot';
    const rules = never.split(' ').map((name) => table.find((entry) => entry.name === name)?.rule);
    expect(new Set(rules)).toEqual(new Set(['FORBIDDEN']));
  });
});

describe('the table of system calls', () => {
  it('is in alphabetical order and names each call once', () => {
    const names = table.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)].sort());
    expect(table.length).toBe(readFileSync(definitions, 'utf8').match(/^SYSCALL\(/gm)?.length);
  });

  it('has the numbers that the system gives them', () => {
    for (const { name, theirs } of systemNumbers()) {
      const ours = table.find((entry) => entry.name === name);
      expect([name, ours?.x86_64, ours?.arm64]).toEqual([
        name,
        theirs[0] ?? ours?.x86_64,
        theirs[1] ?? ours?.arm64,
      ]);
    }
  });
});

/** libseccomp knows both architectures; where it is not installed, the C library's headers know the running one. */
function systemNumbers(): { readonly name: string; readonly theirs: readonly (number | undefined)[] }[] {
  const fixture = fileURLToPath(new URL('../test/fixtures/syscall-numbers.c', import.meta.url));
  const include = ['-I', path.dirname(definitions)];
  const program = path.join(directory, 'syscall-numbers');
  const built = spawnSync('cc', [...include, '-o', program, fixture, '-lseccomp'], { stdio: 'ignore' });
  if (built.status === 0) {
    const lines = execFileSync(program, { encoding: 'utf8' }).trimEnd().split('\n');
    const known = lines.map((line) => {
      const [name = '', ...numbers] = line.split(' ');
      return { name, theirs: numbers.map((number) => (number === '?' ? undefined : Number(number))) };
    });
    expect(
      known.flatMap(({ theirs }) => theirs).filter((number) => number !== undefined).length,
    ).toBeGreaterThan(600);
    return known;
  }
  const source = table.map(({ name }) => `${name} SYS_${name}`).join('\n');
  const text = execFileSync('cc', ['-E', '-P', '-include', 'sys/syscall.h', '-x', 'c', '-'], {
    input: source,
    encoding: 'utf8',
  });
  const here = process.arch === 'x64' ? 0 : 1;
  const found = [...text.matchAll(/^(\w+) (\d+)$/gm)].map(([, name = '', number]) => {
    const theirs: (number | undefined)[] = [undefined, undefined];
    theirs[here] = Number(number);
    return { name, theirs };
  });
  expect(found.length).toBeGreaterThan(250);
  return found;
}
