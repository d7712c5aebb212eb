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

const PIECES_PER_MESSAGE = 98;
const PIECE = 'word ';
const SAMPLES = 20;

interface Sample {
  readonly ownMib: number;
  readonly guestMib: number;
}
const NO_SAMPLE: Sample = { ownMib: Number.NaN, guestMib: Number.NaN };

async function takeSample(): Promise<Sample> {
  return { ownMib: ownResidentMib(), guestMib: await guestResidentMib() };
}

/** One message after another: 98 pieces of text, its usage, its whole text. */
const MESSAGE_LINES: readonly string[] = [
  ...Array.from(
    { length: PIECES_PER_MESSAGE },
    () => `{"type":"delta","message":"msg_{round}","text":"${PIECE}{n} "}`,
  ),
  '{"type":"usage","input":120,"output":27,"cache_read":900,"cache_write":30}',
  '{"type":"message","message":"msg_{round}","text":"What the pieces said, in a few words."}',
];

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
        { flood: lines, line: MESSAGE_LINES },
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

    const pieces = (lines / MESSAGE_LINES.length) * PIECES_PER_MESSAGE;
    const sampleEvery = Math.floor(pieces / SAMPLES);
    const samples: Promise<Sample>[] = [];
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
        const { text } = frame.data;
        if (frame.kind !== 'text' || typeof text !== 'string' || !text.startsWith(PIECE)) return;
        seen += 1;
        lastAt = performance.now();
        if (firstAt === 0) firstAt = lastAt;
        if (seen % sampleEvery !== 1) return;
        samples.push(takeSample());
        progress(`${Math.round((seen / pieces) * 100)} %`);
      },
      warn: () => undefined,
    });
    if (outcome.status !== 'completed' || seen !== pieces) {
      const error = JSON.stringify(outcome.error);
      throw new Error(`the flood ended ${outcome.status} after ${seen} of ${pieces} pieces: ${error}`);
    }
    const perSecond = (lines / (lastAt - firstAt)) * 1000;
    const taken = await Promise.all(samples);
    // A heap grows to its working size first, in steps of its own; what leaks goes on growing.
    const memory = (what: string, of: (sample: Sample) => number): BenchRow => {
      const [start, settled, end] = [0, SAMPLES / 4, SAMPLES - 1].map((index) =>
        of(taken[index] ?? NO_SAMPLE),
      );
      return {
        what,
        measured: `${end?.toFixed(0)} MiB at the end`,
        against: `${settled?.toFixed(0)} MiB after a quarter (${start?.toFixed(0)} at the start)`,
        ratio: (end ?? Number.NaN) / (settled ?? Number.NaN),
        budget: { kind: 'at-most', ratio: 1.25 },
      };
    };
    return [
      {
        what: `${lines} lines`,
        measured: `${Math.round(perSecond)} lines/s`,
        against: `${BUDGET_LINES_PER_SECOND} lines/s`,
        ratio: perSecond / BUDGET_LINES_PER_SECOND,
        budget: { kind: 'at-least', ratio: 1 },
      },
      memory('resident, mur', ({ ownMib }) => ownMib),
      memory('resident, guest', ({ guestMib }) => guestMib),
    ];
  },
};
