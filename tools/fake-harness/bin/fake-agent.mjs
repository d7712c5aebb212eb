#!/usr/bin/env node
// A harness that does exactly what a script says. README.md lists the steps.
import { readScript, readVersionSteps } from '../lib/script.mjs';
import { openStdin } from '../lib/stdin.mjs';
import { runSteps } from '../lib/steps.mjs';

const argv = process.argv.slice(2);
const stdin = openStdin();

if (argv.includes('--version')) {
  await runSteps(readVersionSteps(process.argv[1]), { stdin, argv });
} else {
  await runSteps(await readScript(process.argv[1], argv, stdin), { stdin, argv });
}
// Handlers, children and an open stdin must not keep alive what the script has ended.
process.exit();
