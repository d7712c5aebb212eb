// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { artifactNameProblem, parseArtifactName } from './artifact-name.js';
import { isPathSegment, isWorkdirSubpath, workdirSubpath } from './paths.js';
import { isPlatformTag, platformTag } from './platform.js';
import { expandReference, isReferenceName, referenceName } from './reference.js';
import { parseDurationSeconds, parseSizeBytes } from './units.js';
import { versionGap } from './version-gap.js';

describe('sizes', () => {
  it.each([
    [1, 1],
    ['1', 1],
    ['2Ki', 2048],
    ['3Mi', 3 * 1024 ** 2],
    ['4Gi', 4 * 1024 ** 3],
    [0, null],
    ['0', null],
    ['0Gi', null],
    [-1, null],
    [1.5, null],
    ['1.5Mi', null],
    ['1KB', null],
    ['1ki', null],
    ['1 Ki', null],
    [' 1', null],
    ['', null],
    ['9007199254740993', null],
    ['9999999999Gi', null],
    [Number.POSITIVE_INFINITY, null],
    [true, null],
    [null, null],
  ])('%j is %j bytes', (value, bytes) => {
    expect(parseSizeBytes(value)).toBe(bytes);
  });
});

describe('durations', () => {
  it.each([
    [90, 90],
    ['90', 90],
    ['90s', 90],
    ['2m', 120],
    ['2h', 7200],
    ['2d', 172800],
    ['0s', null],
    ['1w', null],
    ['1.5h', null],
    ['-1s', null],
    ['1H', null],
  ])('%j is %j seconds', (value, seconds) => {
    expect(parseDurationSeconds(value)).toBe(seconds);
  });

  it('have no days where days have no place', () => {
    expect(parseDurationSeconds('1d', { days: false })).toBeNull();
    expect(parseDurationSeconds('1h', { days: false })).toBe(3600);
  });
});

describe('a path segment', () => {
  it.each(['a', 'a.b', 'a b', 'ä', '1.0.0-rc.1', 'C:'])('may be %j', (text) => {
    expect(isPathSegment(text)).toBe(true);
  });
  it.each(['', '.', '..', '.a', 'a/b', '/a', 'a/', 'a\0', 'a\nb', '\u007f'])('may not be %j', (text) => {
    expect(isPathSegment(text)).toBe(false);
  });
});

describe('a path below the workdir', () => {
  it.each([
    ['.', '.'],
    ['./', '.'],
    ['a', 'a'],
    ['a//b/', 'a/b'],
    ['./a/../b', 'b'],
    ['a/..', '.'],
    ['..a', '..a'],
    ['a/.../b', 'a/.../b'],
    ['', null],
    ['  ', null],
    ['/', null],
    ['/a', null],
    ['..', null],
    ['a/../..', null],
    ['a/../../a', null],
    ['a\0b', null],
  ])('%j is %j', (text, plain) => {
    expect(workdirSubpath(text)).toBe(plain);
    expect(isWorkdirSubpath(text)).toBe(plain !== null);
  });

  it('stays inside, whatever it is made of, and its plain form is a fixed point', () => {
    const path = fc.array(fc.constantFrom('.', '..', 'a', 'b', '', '...')).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, (text) => {
        const plain = workdirSubpath(text);
        if (plain === null) return;
        expect(workdirSubpath(plain)).toBe(plain);
        const { pathname } = new URL(plain, 'file:///srv/workdir/');
        expect(`${pathname}/`.startsWith('/srv/workdir/')).toBe(true);
      }),
    );
  });
});

describe('artifact names', () => {
  it.each([
    ['a', { scope: null, name: 'a' }],
    ['my-tool-2', { scope: null, name: 'my-tool-2' }],
    ['owner/tool', { scope: 'owner', name: 'tool' }],
    ['a'.repeat(100), { scope: null, name: 'a'.repeat(100) }],
  ])('%s is a name', (text, parts) => {
    expect(parseArtifactName(text)).toEqual(parts);
  });
  it.each([
    '',
    '-a',
    'a-',
    'A',
    'a_b',
    'a.b',
    'a b',
    'ä',
    '/',
    'a/',
    '/a',
    'a/b/c',
    '../a',
    'a/..',
    'a'.repeat(101),
    'a\n',
  ])('%j is none', (text) => {
    expect(parseArtifactName(text)).toBeNull();
    expect(artifactNameProblem(text)).not.toBeNull();
  });
});

describe('references', () => {
  it.each([
    ['${A}', 'A'],
    ['${_A1}', '_A1'],
    ['${a}', null],
    ['${1A}', null],
    ['$A', null],
    [' ${A}', null],
    ['${A}\n', null],
    ['x${A}', null],
    ['${A}${B}', null],
    ['', null],
  ])('%j names %j', (text, name) => {
    expect(referenceName(text)).toBe(name);
    if (name !== null) expect(isReferenceName(name)).toBe(true);
  });

  it('are looked up, literals are not', () => {
    const values: Record<string, string> = { A: 'a', EMPTY: '' };
    const lookup = (name: string): string | undefined => values[name];
    expect(expandReference('${A}', lookup)).toBe('a');
    expect(expandReference('${EMPTY}', lookup)).toBeUndefined();
    expect(expandReference('${NONE}', lookup)).toBeUndefined();
    expect(expandReference('x${A}', lookup)).toBe('x${A}');
  });
});

describe('platforms', () => {
  it.each([
    ['darwin', 'arm64', 'darwin-aarch64'],
    ['darwin', 'x64', 'darwin-x86_64'],
    ['linux', 'arm64', 'linux-aarch64'],
    ['linux', 'x64', 'linux-x86_64'],
    ['win32', 'x64', 'unknown'],
    ['linux', 'riscv64', 'unknown'],
  ])('%s on %s is %s', (platform, arch, tag) => {
    expect(platformTag({ platform, arch })).toBe(tag);
    expect(isPlatformTag(tag)).toBe(tag !== 'unknown');
  });
  it('include this one', () => {
    expect(platformTag()).toBe(platformTag({ platform: process.platform, arch: process.arch }));
  });
});

describe('a version gap', () => {
  it.each([
    ['0.11.1', '0.11.0', true],
    ['0.11.0', '0.11.0', false],
    ['0.9.99', '0.11.0', false],
    ['99999999999999999999.0.0', '1.0.0', true],
    ['1.0.0-rc.1', '0.1.0', false],
    ['1.0', '0.1.0', false],
    [undefined, '0.1.0', false],
    ['1.0.0', undefined, false],
  ])('between %s and %s is there: %s', (wanted, served, there) => {
    expect(versionGap(wanted, served) !== null).toBe(there);
  });
});
