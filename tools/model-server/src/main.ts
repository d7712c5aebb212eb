#!/usr/bin/env node
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { startModelServer } from './server.js';
import type { Script } from './types.js';

const { values } = parseArgs({
  options: {
    script: { type: 'string', default: 'echo' },
    'scripts-file': { type: 'string' },
    port: { type: 'string', default: '0' },
  },
});
const file = values['scripts-file'];
const scripts =
  file === undefined ? {} : (JSON.parse(await readFile(file, 'utf8')) as Record<string, Script>);
const server = await startModelServer({ script: values.script, scripts, port: Number(values.port) });
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void server.close());
