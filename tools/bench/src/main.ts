#!/usr/bin/env node
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benches } from './registry.js';
import { formatTable, keepsBudget } from './table.js';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  process.stderr.write(
    `no bench is called ${unknown.join(', ')}; there are ${benches.map(({ name }) => name).join(', ')}\n`,
  );
  process.exit(2);
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
let broken = 0;
for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const scratch = await realpath(await mkdtemp(join(tmpdir(), `bench-${bench.name}-`)));
  process.stdout.write(`\n${bench.name}: ${bench.title}\n`);
  try {
    const rows = await bench.run({ root, scratch, quick: values.quick, progress });
    progress('');
    process.stdout.write(`${formatTable(rows)}\n`);
    broken += rows.filter((row) => keepsBudget(row) === false).length;
  } catch (error) {
    progress('');
    process.stdout.write(`failed: ${error instanceof Error ? error.message : String(error)}\n`);
    broken += 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
process.stdout.write(
  broken === 0 ? '\nevery budget is kept\n' : `\n${broken} budgets are broken or could not be measured\n`,
);
process.exitCode = broken === 0 ? 0 : 1;

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}
