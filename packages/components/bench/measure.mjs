// Prints what components cost on this machine: node bench/measure.mjs [rounds]. Needs the built package.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openJail } from '@murmur/containment';
import { componentize } from 'componentize-qjs';
import { createComponentRuntime } from '../dist/index.js';

const rounds = Number(process.argv[2] ?? 15);
const PROCESS = 'murmur:driver/process@0.6.0';
const options = { deadlineMs: 30_000 };
const source = `
export const process = {
  describe() { return { harness: 'b', binary: 'b', versionArgs: [], testedVersions: [], interrupt: 'unsupported', requiredEnv: [],
    streamsText: true, reportsUsage: true, loginCheck: { tag: 'unavailable', val: '' }, harnessNeeds: { paths: [], hosts: [] } }; },
  launch() { throw 'no'; },
  parse(lines) { return lines.map((line) => ({ tag: 'text-delta', val: JSON.parse(line).text })); },
  classifyExit() { return { tag: 'turn-end', val: '' }; },
  readLogin() { return { tag: 'logged-in' }; },
};`;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const show = (what, value, unit) =>
  console.log(`${what.padEnd(58)} ${value.toFixed(value < 10 ? 2 : 0).padStart(8)} ${unit}`);

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return [performance.now() - start, result];
}

const witPath = fileURLToPath(new URL('../../../wit/driver', import.meta.url));
const { component } = await componentize({
  witPath,
  jsSource: source,
  world: 'process-driver',
  sync: true,
  stubWasi: true,
});
const directory = mkdtempSync(join(tmpdir(), 'murmur-components-bench-'));
const runtimeIn = (cacheDirectory) =>
  createComponentRuntime({ cacheDirectory, openJail: (label) => openJail({ class: 'advisory', label }) });
const prepare = (runtime) => runtime.prepare(component, { allowImports: () => false });

try {
  const cold = [];
  for (let round = 0; round < Math.min(rounds, 5); round += 1) {
    cold.push((await timed(() => prepare(runtimeIn(join(directory, `cold-${round}`)))))[0]);
  }
  show(`prepare, ${(component.length / 1e6).toFixed(2)} MB, nothing cached`, median(cold), 'ms');

  const runtime = runtimeIn(join(directory, 'cold-0'));
  const warm = [];
  const described = [];
  for (let round = 0; round < rounds; round += 1) {
    const [ms, prepared] = await timed(() => prepare(runtime));
    warm.push(ms);
    const [startMs, guest] = await timed(async () => {
      const started = await runtime.start(prepared, { label: 'bench' });
      await started.call(PROCESS, 'describe', [], options);
      return started;
    });
    described.push(startMs);
    await guest.kill();
  }
  show('prepare, cached and verified', median(warm), 'ms');
  show('start until describe was answered', median(described), 'ms');

  const guest = await runtime.start(await prepare(runtime), { label: 'bench' });
  const small = [];
  for (let call = 0; call < 3_000; call += 1) {
    small.push(
      (
        await timed(() =>
          guest.call(
            PROCESS,
            'classify-exit',
            [{ stderrTail: '', interrupted: false, sawTerminal: false }],
            options,
          ),
        )
      )[0],
    );
  }
  show('call, small', median(small.slice(500)) * 1000, 'µs');

  const lines = Array.from({ length: 256 }, (_, index) =>
    JSON.stringify({ type: 'delta', text: `line ${index} `.repeat(8) }),
  );
  const batches = 200;
  const [ms] = await timed(async () => {
    for (let batch = 0; batch < batches; batch += 1) await guest.call(PROCESS, 'parse', [lines], options);
  });
  show('parse, batches of 256 lines of about 100 bytes', (batches * lines.length) / (ms / 1000), 'lines/s');
  await guest.kill();
} finally {
  rmSync(directory, { recursive: true, force: true });
}
