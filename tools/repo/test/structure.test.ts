// The rules of the map that a machine can hold: which package may use which, and who may start a process.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

/** What each package may import; everything else is refused. The column of the design's package table. */
const mayUse: Record<string, readonly string[]> = {
  errors: [],
  manifest: ['errors', 'yaml', 'zod'],
  beneath: ['errors'],
  policy: ['errors', 'manifest'],
  containment: ['errors'],
  artifacts: ['errors', 'manifest', 'beneath', 'yaml', 'yauzl', 'yazl'],
  components: ['errors', 'beneath', 'containment', '@bytecodealliance/jco-transpile'],
  'process-driver': ['errors', 'beneath', 'components', 'containment'],
  egress: ['errors'],
  trace: ['errors'],
  session: [
    'errors',
    'manifest',
    'beneath',
    'policy',
    'containment',
    'artifacts',
    'components',
    'process-driver',
    'trace',
  ],
  'driver-sdk': [],
  'driver-kit': [
    'errors',
    'artifacts',
    'components',
    'containment',
    'process-driver',
    'driver-sdk',
    'componentize-qjs',
    'fast-check',
    'rolldown',
  ],
  'driver-codex': ['driver-sdk'],
  'driver-claude-code': ['driver-sdk'],
};

/** Node modules that a package that runs inside a guest may not touch: none at all. */
const guestPackages = new Set(['driver-sdk', 'driver-codex', 'driver-claude-code']);

interface SourceFile {
  readonly owner: string;
  readonly file: string;
  readonly imports: readonly string[];
  readonly text: string;
}

function sourcesOf(directory: string, owner: string): SourceFile[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'fixtures'].includes(entry.name) ? [] : sourcesOf(full, owner);
    if (!/\.(m|c)?[tj]s$/.test(entry.name) || /\.test\.ts$/.test(entry.name)) return [];
    const text = readFileSync(full, 'utf8');
    const imports = [
      ...text.matchAll(
        /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bgetBuiltinModule\s*\(\s*)(['"])([^'"\n${}]+)\1/g,
      ),
    ].map((match) => match[2] ?? '');
    return [{ owner, file: path.relative(root, full), imports, text }];
  });
}

const packages = readdirSync(path.join(root, 'packages')).filter(
  (name) => !name.startsWith('containment-linux-'),
);
const sources = packages.flatMap((name) => sourcesOf(path.join(root, 'packages', name, 'src'), name));
const appSources = sourcesOf(path.join(root, 'apps/mur/src'), 'mur');

/** `@murmur/errors` → `errors`, `node:fs/promises` → `node:fs/promises`, `zod/mini` → `zod`. */
function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return specifier;
  const parts = specifier.split('/');
  if (specifier.startsWith('@murmur/')) return parts[1] ?? '';
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
}

describe('the dependency direction', () => {
  test('every package is in the table', () => {
    expect(packages.filter((name) => mayUse[name] === undefined)).toEqual([]);
  });

  test('sources import only what the table allows', () => {
    const wrong = sources.flatMap(({ owner, file, imports }) =>
      imports
        .filter((specifier) => !specifier.startsWith('.') && !specifier.startsWith('#'))
        .filter((specifier) =>
          specifier.startsWith('node:')
            ? guestPackages.has(owner)
            : !(mayUse[owner] ?? []).includes(packageOf(specifier)),
        )
        .map((specifier) => `${file}: ${specifier}`),
    );
    expect(wrong).toEqual([]);
  });

  test('manifests of packages declare only what the table allows', () => {
    const wrong = packages.flatMap((name) => {
      const manifest = JSON.parse(
        readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'),
      ) as { dependencies?: Record<string, string> };
      return Object.keys(manifest.dependencies ?? {})
        .filter((dependency) => !(mayUse[name] ?? []).includes(packageOf(dependency)))
        .map((dependency) => `${name}: ${dependency}`);
    });
    expect(wrong).toEqual([]);
  });

  test('the table itself has no cycle', () => {
    const visiting = new Set<string>();
    const visit = (name: string): void => {
      if (visiting.has(name)) throw new Error(`cycle through ${name}`);
      visiting.add(name);
      for (const next of mayUse[name] ?? []) if (mayUse[next] !== undefined) visit(next);
      visiting.delete(name);
    };
    for (const name of Object.keys(mayUse)) visit(name);
    expect(visiting.size).toBe(0);
  });
});

describe('the spawn chokepoint', () => {
  test('only containment, in one file, starts processes', () => {
    const spawning = [...sources, ...appSources]
      .filter(
        ({ imports, text }) =>
          imports.some((specifier) => /^(node:)?(child_process|cluster)$/.test(specifier)) ||
          /process\.binding\(|\bspawn_sync\b/.test(text),
      )
      .map(({ file }) => file);
    expect(spawning).toHaveLength(1);
    expect(spawning[0]).toMatch(/^packages\/containment\/src\//);
  });

  test('the scan sees every spelling of an import', () => {
    const spellings = [
      "import { spawn } from 'node:child_process'",
      'import cp from "child_process"',
      "await import('node:child_process')",
      "require('child_process')",
      "process.getBuiltinModule('node:child_process')",
    ];
    for (const text of spellings) {
      const found = [
        ...text.matchAll(
          /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+|\brequire\s*\(\s*|\bgetBuiltinModule\s*\(\s*)(['"])([^'"\n${}]+)\1/g,
        ),
      ].map((match) => match[2]);
      expect(
        found.some((specifier) => /^(node:)?child_process$/.test(specifier ?? '')),
        text,
      ).toBe(true);
    }
  });
});

describe('the environment', () => {
  test('no package reads or spreads the process environment: the app hands it in', () => {
    const reading = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ file }) => file);
    expect(reading).toEqual([]);
  });
});
