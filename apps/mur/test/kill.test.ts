// kill -9 of `mur`, of the warden and of the guest, at seeded points of a run whose harness forks, calls setsid and
// ignores signals: no descendant lives, no temporary file stays, the next run ends 0.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { descendantsOf, isAlive, type Process, processesWith, remaining } from './support/processes.js';
import { fakeAgent, fakeDriver, makeHome, makeProject, type Project, removeAll } from './support/project.js';

const POINTS = 50;
const SEED = 20261129;
/** Kill points lie within this time of the start; an undisturbed run takes about as long. */
const SPAN_MS = 1600;
const TARGETS = ['mur', 'warden', 'guest'] as const;

let home: string;
let project: Project;

beforeAll(async () => {
  home = makeHome();
  project = makeProject({
    home,
    env: { FAKE_SCRIPT: '' },
    manifest: {
      name: 'kill-case',
      version: '0.1.0',
      artifacts: [{ name: 'murmur-driver-fake', version: '0.1.0', runtime: 'driver' }],
      inference: { transport: 'process', command: fakeAgent, driver: { artifact: 'murmur-driver-fake' } },
      capabilities: { env: { allow: ['HOME', 'PATH', 'FAKE_SCRIPT'] } },
    },
  });
  const children = { ignore_signals: true, hold_output: true };
  project.write(
    'hostile.json',
    JSON.stringify([
      { ignore: ['SIGINT', 'SIGTERM', 'SIGHUP'] },
      { event: { tag: 'session-started', val: { id: 'kill-session', auth: 'subscription' } } },
      { fork: { pid_file: path.join(project.directory, 'single.pid'), double: false, ...children } },
      { fork: { pid_file: path.join(project.directory, 'double.pid'), double: true, ...children } },
      { event: { tag: 'text', val: 'working' } },
      { delay_ms: 400 },
      { event: { tag: 'turn-end', val: 'done' } },
      { hang: true },
    ]),
  );
  project.write('calm.json', JSON.stringify([{ event: { tag: 'turn-end', val: 'calm' } }]));
  expect((await project.run(['install', fakeDriver('plain')])).code).toBe(0);
  expect((await calmRun()).stdout).toBe('calm\n');
}, 60_000);

afterAll(() => removeAll(home, project.directory));

const withScript = (name: string): Record<string, string> => ({
  ...project.env,
  FAKE_SCRIPT: path.join(project.directory, name),
});
const calmRun = () => project.run(['run', '--task', 'be calm'], { env: withScript('calm.json') });

/** A small generator with a known sequence, so that a failing point can be run again. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function victim(target: (typeof TARGETS)[number], mur: number, random: () => number): number | null {
  if (target === 'mur') return mur;
  const tree = descendantsOf(mur);
  const matching = tree.filter(({ command }) =>
    target === 'warden' ? /warden/.test(command.split(' ')[0] ?? '') : /guest/.test(command),
  );
  return matching[Math.floor(random() * matching.length)]?.pid ?? null;
}

/** Names that only an unfinished write or an unfinished session has. */
function leftovers(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /(^|\/)\.(new|removing|tmp|partial)|\.tmp$|\.writing-/.test(name) ||
      /^\.murmur\/sessions\/[^/]+$/.test(name),
  );
}

test(`${POINTS} points, seed ${SEED}`, { timeout: 600_000 }, async () => {
  const random = generator(SEED);
  let hit = 0;
  for (let point = 0; point < POINTS; point += 1) {
    const target = TARGETS[point % TARGETS.length] ?? 'mur';
    const delay = random() * SPAN_MS;
    const label = `point ${point}: ${target} after ${delay.toFixed(0)} ms`;
    const running = project.start(['run', '--task', 'be hostile'], { env: withScript('hostile.json') });
    const mur = running.child.pid ?? 0;
    await new Promise((resolve) => setTimeout(resolve, delay));
    const seen: readonly Process[] = descendantsOf(mur);
    const pid = victim(target, mur, random);
    if (pid !== null) {
      try {
        process.kill(pid, 'SIGKILL');
        hit += 1;
      } catch {
        // It ended by itself just before.
      }
    }
    await running.ended;
    const alive = await remaining(
      () => [...seen.filter(isAlive), ...processesWith(home), ...processesWith(project.directory)],
      10_000,
    );
    expect(alive, label).toEqual([]);

    const next = await calmRun();
    expect(next.stdout + next.stderr, label).toContain('calm');
    expect(next.code, label).toBe(0);
    expect([...leftovers(home), ...leftovers(project.directory)], label).toEqual([]);
  }
  // The points must have met something: a run in which nothing was killed proves nothing.
  expect(hit).toBeGreaterThan(POINTS / 2);
});
