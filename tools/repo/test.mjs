// Runs the whole test suite and closes with `N passed, N failed`. Tests that could not run here are named: they prove
// nothing, and with `--all` (as CI runs it) they count as failed.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/host.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
const report = path.join(root, '.cache/test-report.json');
mkdirSync(path.dirname(report), { recursive: true });
rmSync(report, { force: true });

const all = process.argv.includes('--all');
let failure = null;
try {
  await run(
    [
      process.execPath,
      path.join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...process.argv.slice(2).filter((argument) => argument !== '--all'),
    ],
    { cwd: root, env: process.env },
  );
} catch (error) {
  failure = error;
}

let passed = 0;
let failed = 0;
const unproven = [];
try {
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    if (file.assertionResults.length === 0 && file.status !== 'passed') failed += 1;
    for (const test of file.assertionResults) {
      if (test.status === 'passed') passed += 1;
      else if (test.status === 'failed' || all) failed += 1;
      if (!['passed', 'failed'].includes(test.status)) unproven.push(`${test.fullName} (${test.status})`);
    }
  }
} catch {
  failed += 1;
  process.stdout.write('the test run left no report\n');
}
if (failure !== null && failed === 0) failed = 1;
for (const name of unproven) process.stdout.write(`not run: ${name}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
