import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConsumeResult, consumeCheck } from '../src/consume-check.js';

const CLONE = fileURLToPath(new URL('../../..', import.meta.url));

let root: string;
let results: readonly ConsumeResult[];

const write = async (path: string, content: string | object): Promise<void> => {
  const file = join(root, path);
  await mkdir(dirname(file), { recursive: true });
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  await writeFile(file, text, { mode: path.includes('/bin/') ? 0o755 : 0o644 });
};

/** A library in `packages/<name>` with everything in place, changed where the case says so. */
async function library(
  name: string,
  changes: { manifest?: object; index?: string; types?: string; readme?: string } = {},
) {
  await write(`packages/${name}/package.json`, {
    name: `@case/${name}`,
    version: '1.2.3',
    type: 'module',
    files: ['dist', 'bin'],
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    ...changes.manifest,
  });
  await write(`packages/${name}/dist/index.js`, changes.index ?? 'export const answer = 42;\n');
  await write(`packages/${name}/dist/index.d.ts`, changes.types ?? 'export declare const answer: number;\n');
  const example = `import { answer } from '@case/${name}';\nif (answer !== 42) throw new Error('wrong');`;
  await write(`packages/${name}/README.md`, changes.readme ?? `# x\n\n\`\`\`ts\n${example}\n\`\`\`\n`);
}

const problemsOf = (name: string): string =>
  results.find((result) => result.name === `@case/${name}`)?.problems.join('\n') ?? 'not looked at';

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'consume-case-'));
  await write('package.json', { name: 'case', private: true, packageManager: 'pnpm@10.34.9' });
  await write('pnpm-workspace.yaml', 'packages: [packages/*, apps/*]\n');
  await library('good', {
    manifest: { dependencies: { '@case/base': 'workspace:^' } },
    index: "export { answer } from '@case/base';\n",
  });
  // As a workspace install would link it.
  await mkdir(join(root, 'packages/good/node_modules/@case'), { recursive: true });
  await symlink(join(root, 'packages/base'), join(root, 'packages/good/node_modules/@case/base'));
  await library('base');
  await library('undeclared', { index: "export { answer } from '@case/base';\n" });
  await library('unbuilt', { manifest: { files: [] } });
  await library('badtypes', {
    types: "import type { Gone } from './gone.js';\nexport declare const answer: number & Gone;\n",
  });
  await library('badexample', {
    readme: '```ts\nconst text: string = 4;\nthrow new Error("example " + text + " broke");\n```\n',
  });
  await library('noexample', { readme: '# x\n\n```sh\nls\n```\n' });
  await library('hidden', { manifest: { private: true } });
  await write('packages/elsewhere/package.json', {
    name: '@case/elsewhere',
    version: '1.2.3',
    os: ['aix'],
    cpu: ['ppc64'],
  });
  await write('packages/native/package.json', {
    name: '@case/native',
    version: '1.2.3',
    os: [process.platform],
    exports: { './bin/tool': './bin/tool' },
  });
  const script = (line: string): string => `#!/usr/bin/env node\n${line}\n`;
  await write('apps/cli/package.json', {
    name: '@case/cli',
    version: '1.2.3',
    bin: { cli: 'bin/cli.js', old: 'bin/old.js' },
  });
  await write('apps/cli/bin/cli.js', script("console.log('cli 1.2.3')"));
  await write('apps/cli/bin/old.js', script("console.log('cli 0.9.0')"));
  results = await consumeCheck({ root, toolRoot: CLONE, npmCache: join(CLONE, '.cache/npm'), offline: true });
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('consume-check', () => {
  it('looks at every package that is meant for the registry, and no other', () => {
    expect(results.map(({ name }) => name)).not.toContain('@case/hidden');
    expect(results).toHaveLength(10);
  });

  it('finds nothing wrong with what is right', () => {
    expect(problemsOf('good')).toBe('');
    expect(problemsOf('base')).toBe('');
    expect(problemsOf('elsewhere')).toBe('');
  });

  it.each([
    ['undeclared', 'imports @case/base (in dist/index.js) undeclared'],
    ['unbuilt', "Cannot find module '@case/unbuilt'"],
    ['badtypes', "Cannot find module './gone.js'"],
    ['badexample', "Type 'number' is not assignable to type 'string'"],
    ['badexample', 'example 4 broke'],
    ['noexample', 'its README has no ```ts example'],
    ['native', './bin/tool is not in the package'],
    ['cli', 'old --version does not say 1.2.3'],
  ])('%s: %s', (name, problem) => {
    expect(problemsOf(name)).toContain(problem);
  });

  it('blames only the package at fault', () => {
    expect(problemsOf('cli')).not.toContain('cli --version');
    expect(problemsOf('undeclared').split('\n')).toHaveLength(1);
  });
});
