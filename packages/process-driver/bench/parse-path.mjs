// Lines per second through the whole parse path: pipe, framing, batches, a real driver component, events.
// node bench/parse-path.mjs [lines] [driver.wasm]      Needs the workspace built.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import { loadProcessDriver, runTurn, systemClock } from '@murmur/process-driver';

const tools = fileURLToPath(new URL('../../../tools/fake-harness/', import.meta.url));
const count = Number(process.argv[2] ?? 1_000_000);
const wasm = process.argv[3] ?? join(tools, 'dist/variants/plain.wasm');
const scratch = mkdtempSync(join(tmpdir(), 'murmur-parse-path-'));
const open = (label) => openJail({ class: 'advisory', label });
const components = createComponentRuntime({ cacheDirectory: join(scratch, 'compiled'), openJail: open });
const driver = await loadProcessDriver({
  name: 'fake',
  version: '1.0.0',
  bytes: readFileSync(wasm),
  components,
});

const line = '{"event":{"tag":"text-delta","val":"some words of an answer, number {n}"}}';
const jail = await open('harness');
let frames = 0;
let startedAt = 0;
let startBytes = 0;
let peakBytes = 0;
const outcome = await runTurn({
  driver,
  binary: { path: join(tools, 'bin/fake-agent.mjs'), source: 'inference.command' },
  version: Promise.resolve({ line: null, tested: true, warning: null }),
  jail,
  env: { PATH: process.env.PATH ?? '' },
  cwd: scratch,
  filesRoot: join(scratch, 'files'),
  request: {
    model: null,
    systemPrompt: '',
    bridge: null,
    task: '',
    config: JSON.stringify({ script: [{ flood: count, line }, { event: { tag: 'turn-end', val: 'x' } }] }),
  },
  session: { mode: 'new', id: 's', remember: false },
  contextId: null,
  sessionMapPath: null,
  taskId: 'tsk',
  maxTurns: 1,
  firstTurn: 0,
  captureToolOutput: false,
  cancel: new AbortController().signal,
  clock: systemClock,
  record: () => {},
  warn: () => {},
  stream: () => {
    frames += 1;
    if (frames === 1000) {
      startedAt = performance.now();
      startBytes = process.memoryUsage.rss();
    }
    if (frames % 10_000 === 0) peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
  },
});
const seconds = (performance.now() - startedAt) / 1000;
await jail[Symbol.asyncDispose]();
rmSync(scratch, { recursive: true, force: true });
const mib = (bytes) => Math.round(bytes / 1024 / 1024);
console.log(
  JSON.stringify({
    status: outcome.status,
    lines: count,
    linesPerSecond: Math.round((count - 1000) / seconds),
    rssStartMiB: mib(startBytes),
    rssPeakMiB: mib(peakBytes),
    rssEndMiB: mib(process.memoryUsage.rss()),
  }),
);
