// Lint, types, unused code, package shape, API reports, installability. Runs every check, names each result,
// and closes with `N passed, N failed`. `--update` rewrites the API reports instead of comparing them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReport } from './lib/api-report.mjs';
import { capture } from './lib/capture.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const bin = (name) => path.join(root, 'node_modules/.bin', name);
const update = process.argv.includes('--update');
const only = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));

const packages = readdirSync(path.join(root, 'packages'))
  .map((name) => ({ name, directory: path.join(root, 'packages', name) }))
  .map((entry) => ({
    ...entry,
    manifest: JSON.parse(readFileSync(path.join(entry.directory, 'package.json'), 'utf8')),
  }));
const libraries = packages.filter(
  ({ manifest }) => manifest.private !== true && manifest.exports?.['.'] !== undefined,
);

const checks = [
  ['lint', () => capture([bin('biome'), 'ci', '--max-diagnostics=50'], root)],
  ['types', () => typecheck()],
  ['unused', () => capture([bin('knip'), '--no-progress'], root)],
  ...libraries.map(({ name, directory }) => [
    `publint ${name}`,
    () => capture([bin('publint'), 'run', '--pack', 'npm', '--strict', directory], root),
  ]),
  ...libraries.map(({ name, directory }) => [
    `attw ${name}`,
    () =>
      capture([bin('attw'), '--pack', directory, '--profile', 'esm-only', '--no-emoji', '--no-color'], root),
  ]),
  ...libraries.map(({ name, directory }) => [`api ${name}`, () => apiReport(directory, { update })]),
  ['consume', () => capture([process.execPath, path.join(root, 'tools/consume-check/dist/main.js')], root)],
].filter(([name]) => only.length === 0 || only.some((wanted) => name.startsWith(wanted)));

/** `tsc` over every workspace project, tests included. */
async function typecheck() {
  const projects = ['packages', 'tools', 'apps'].flatMap((group) =>
    readdirSync(path.join(root, group)).map((name) => path.join(root, group, name, 'tsconfig.json')),
  );
  const outputs = [];
  let ok = true;
  for (const project of projects) {
    try {
      readFileSync(project);
    } catch {
      continue;
    }
    const result = await capture([bin('tsc'), '-p', project], root);
    if (!result.ok) outputs.push(`${path.relative(root, project)}\n${result.output}`);
    ok &&= result.ok;
  }
  return { ok, output: outputs.join('\n') };
}

let passed = 0;
let failed = 0;
for (const [name, check] of checks) {
  const { ok, output } = await check();
  process.stdout.write(`${ok ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (!ok) process.stdout.write(`${output.trimEnd()}\n`);
  if (ok) passed += 1;
  else failed += 1;
}
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
