import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installTarballs } from './consumer.js';
import { firstExample } from './example.js';
import { undeclaredImports } from './imports.js';
import { packAll } from './pack.js';
import { type PublishablePackage, publishablePackages, readManifest } from './packages.js';
import { run } from './run.js';
import { compile, type TypeProblem } from './typecheck.js';

const EXAMPLE_TIMEOUT_MS = 120_000;

export interface ConsumeResult {
  readonly name: string;
  /** Empty when everything is well. */
  readonly problems: readonly string[];
}

export interface ConsumeOptions {
  /** The workspace whose packages are packed. */
  readonly root: string;
  /** Where the compiler and Node's types lie; default: the workspace itself. */
  readonly toolRoot?: string;
  readonly npmCache?: string;
  /** Only these packages are looked at; all are packed and installed all the same. */
  readonly only?: readonly string[];
  readonly offline?: boolean;
}

/**
 * Packs every publishable package, installs the tarballs with npm into an empty project outside the workspace, and
 * looks at each one as a stranger would: its types, its declared dependencies, its README's example, its commands.
 */
export async function consumeCheck(options: ConsumeOptions): Promise<readonly ConsumeResult[]> {
  const { root, toolRoot = root, only = [] } = options;
  const packages = await publishablePackages(root);
  const chosen = packages.filter(({ manifest }) => only.length === 0 || only.includes(manifest.name));
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'consume-check-')));
  try {
    const npmCache = options.npmCache ?? join(root, '.cache/npm');
    const tarballs = await packAll(root, directory, npmCache);
    const project = join(directory, 'project');
    await installTarballs({
      directory: project,
      packages,
      tarballs,
      npmCache,
      offline: options.offline ?? false,
    });
    for (const each of chosen) await writeSources(project, each);
    const typeProblems = await compile(project, toolRoot);
    const results: ConsumeResult[] = [];
    for (const each of chosen) results.push(await look(project, each, typeProblems));
    return results;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const slugOf = (name: string): string => name.replace(/^@/, '').replaceAll('/', '-');
const isLibrary = ({ manifest }: PublishablePackage): boolean => manifest.exports?.['.'] !== undefined;
const installedAt = (project: string, name: string): string => join(project, 'node_modules', name);

async function exampleOf(project: string, name: string): Promise<string | null> {
  const readme = await readFile(join(installedAt(project, name), 'README.md'), 'utf8').catch(() => '');
  return firstExample(readme);
}

/** For a library: a file that imports it whole, and its example as a file of its own. */
async function writeSources(project: string, each: PublishablePackage): Promise<void> {
  const { name } = each.manifest;
  const directory = join(project, 'src', slugOf(name));
  await mkdir(directory, { recursive: true });
  if (!isLibrary(each)) return;
  await writeFile(
    join(directory, 'import.ts'),
    `import * as all from '${name}';\nexport const names: string[] = Object.keys(all);\n`,
  );
  const example = await exampleOf(project, name);
  if (example !== null) await writeFile(join(directory, 'example.ts'), example);
}

async function look(
  project: string,
  each: PublishablePackage,
  typeProblems: readonly TypeProblem[],
): Promise<ConsumeResult> {
  const { name } = each.manifest;
  if (!each.runsHere) return { name, problems: [] };
  const manifest = await readManifest(installedAt(project, name));
  if (manifest === null) return { name, problems: ['was not installed'] };
  const mine = [`src/${slugOf(name)}/`, `node_modules/${name}/`];
  const problems = typeProblems.filter(
    ({ file }) => file === '' || mine.some((start) => file.startsWith(start)),
  );
  return {
    name,
    problems: [
      ...problems.map(({ text }) => text),
      ...(await undeclaredImports(installedAt(project, name), manifest)).map(
        (found) => `imports ${found} undeclared`,
      ),
      ...(isLibrary(each) ? await runLibrary(project, name) : await findPlatformFiles(project, each)),
      ...(await runCommands(project, each)),
    ],
  };
}

/** A stranger's environment: nothing of ours. */
function strangersEnvironment(home: string): Record<string, string | undefined> {
  return { PATH: process.env.PATH, HOME: home };
}

async function runLibrary(project: string, name: string): Promise<string[]> {
  const problems: string[] = [];
  const cwd = join(project, 'run', slugOf(name));
  await mkdir(cwd, { recursive: true });
  const example = await exampleOf(project, name);
  if (example === null) problems.push('its README has no ```ts example');
  for (const file of example === null ? ['import'] : ['import', 'example']) {
    const script = join(project, 'out', slugOf(name), `${file}.js`);
    const result = await run(process.execPath, [script], {
      cwd,
      env: strangersEnvironment(cwd),
      timeoutMs: EXAMPLE_TIMEOUT_MS,
    });
    if (result.code !== 0)
      problems.push(`its ${file} ended with ${result.code ?? 'a signal'}:\n${result.output.trimEnd()}`);
  }
  return problems;
}

/** A platform package carries files that its exports name; nothing imports it. */
async function findPlatformFiles(project: string, each: PublishablePackage): Promise<string[]> {
  const problems: string[] = [];
  for (const target of Object.values(each.manifest.exports ?? {})) {
    if (typeof target !== 'string') continue;
    const found = await readFile(join(installedAt(project, each.manifest.name), target)).catch(() => null);
    if (found === null) problems.push(`${target} is not in the package`);
  }
  return problems;
}

async function runCommands(project: string, each: PublishablePackage): Promise<string[]> {
  const { bin, name, version } = each.manifest;
  const commands = typeof bin === 'string' ? [name.split('/').at(-1) ?? name] : Object.keys(bin ?? {});
  const problems: string[] = [];
  for (const command of commands) {
    const program = join(project, 'node_modules/.bin', command);
    const env = strangersEnvironment(project);
    const result = await run(program, ['--version'], { cwd: project, env }).catch((error: Error) => ({
      code: null,
      stdout: '',
      output: error.message,
    }));
    if (result.code !== 0) problems.push(`${command} --version failed:\n${result.output.trimEnd()}`);
    else if (!result.stdout.includes(version)) problems.push(`${command} --version does not say ${version}`);
  }
  return problems;
}
