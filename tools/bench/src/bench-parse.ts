import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openJail } from '@murmur/containment';
import { loadProcessDriver, runTurn, systemClock } from '@murmur/process-driver';
import { fakeAgentPath } from '@murmur-tools/fake-harness';
import { benchComponents, miniComponent } from './driver.js';
import { guestResidentMib, ownResidentMib } from './resident.js';
import { plainEnvironment } from './spawn.js';
import type { Bench, BenchRow } from './types.js';

const BUDGET_LINES_PER_SECOND = 25_000;

/** A harness floods lines of text; frames, driver and events keep up or do not. */
export const parseBench: Bench = {
  name: 'parse',
  title: 'the parse path: frames, driver, events',
  async run({ root, scratch, quick, progress }) {
    const lines = quick ? 50_000 : 1_000_000;
    const filesRoot = join(scratch, 'files');
    const script = join(scratch, 'flood.json');
    await mkdir(filesRoot, { mode: 0o700 });
    await writeFile(
      script,
      JSON.stringify([
        { print: { type: 'session', id: 'flood', model: 'mini-1', auth: 'none' } },
        { flood: lines, line: '{"type":"delta","message":"msg_1","text":"word {n} "}' },
        { print: { type: 'done', answer: 'done' } },
      ]),
    );
    const driver = await loadProcessDriver({
      name: 'murmur-driver-mini',
      version: '0.0.0',
      bytes: await miniComponent(root),
      components: benchComponents(scratch),
    });
    await using jail = await openJail({ class: 'advisory', label: 'harness' });

    const memoryEvery = Math.max(1, Math.floor(lines / 20));
    const samples: { own: number; guest: Promise<number> }[] = [];
    let seen = 0;
    let firstAt = 0;
    let lastAt = 0;
    const outcome = await runTurn({
      driver,
      binary: { path: fakeAgentPath, source: 'inference.command' },
      version: Promise.resolve({ line: null, tested: true, warning: null }),
      jail,
      env: { ...plainEnvironment(scratch), FAKE_SCRIPT: script },
      cwd: scratch,
      filesRoot,
      request: { model: null, systemPrompt: '', config: null, bridge: null, task: 'flood' },
      session: { mode: 'new', id: 'flood', remember: false },
      contextId: null,
      sessionMapPath: null,
      taskId: 'bench',
      maxTurns: 10,
      firstTurn: 0,
      captureToolOutput: false,
      cancel: new AbortController().signal,
      clock: systemClock,
      record: () => undefined,
      stream: (frame) => {
        if (frame.kind !== 'text') return;
        seen += 1;
        lastAt = performance.now();
        if (firstAt === 0) firstAt = lastAt;
        if (seen % memoryEvery === 0) {
          samples.push({ own: ownResidentMib(), guest: guestResidentMib() });
          progress(`${seen} lines`);
        }
      },
      warn: () => undefined,
    });
    if (outcome.status !== 'completed' || seen < lines) {
      throw new Error(
        `the flood ended ${outcome.status} after ${seen} of ${lines} lines: ${JSON.stringify(outcome.error)}`,
      );
    }
    const perSecond = ((seen - 1) / (lastAt - firstAt)) * 1000;
    // The first sample comes after a twentieth: what warms up has warmed up by then.
    const [start, end] = [samples[0], samples.at(-1)];
    const memory = (what: string, from: number, to: number): BenchRow => ({
      what,
      measured: `${to.toFixed(0)} MiB at the end`,
      against: `${from.toFixed(0)} MiB after ${memoryEvery} lines`,
      ratio: to / from,
      budget: { kind: 'at-most', ratio: 1.25 },
    });
    return [
      {
        what: `${lines} lines`,
        measured: `${Math.round(perSecond)} lines/s`,
        against: `${BUDGET_LINES_PER_SECOND} lines/s`,
        ratio: perSecond / BUDGET_LINES_PER_SECOND,
        budget: { kind: 'at-least', ratio: 1 },
      },
      memory('resident, mur', start?.own ?? 0, end?.own ?? 0),
      memory('resident, guest', (await start?.guest) ?? 0, (await end?.guest) ?? 0),
    ];
  },
};
