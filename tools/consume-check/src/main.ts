#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { consumeCheck } from './consume-check.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const results = await consumeCheck({ root, only: process.argv.slice(2) });
for (const { name, problems } of results) {
  process.stdout.write(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name}\n`);
  for (const problem of problems) process.stdout.write(`     ${problem.replaceAll('\n', '\n     ')}\n`);
}
const failed = results.filter(({ problems }) => problems.length > 0).length;
process.stdout.write(`${results.length - failed} passed, ${failed} failed\n`);
process.exitCode = failed > 0 || results.length === 0 ? 1 : 0;
