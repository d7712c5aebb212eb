import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createComponentRuntime } from '@murmur/components';
import { openJail } from '@murmur/containment';
import type { WarningCondition } from '@murmur/errors';
import {
  type DriverInstance,
  type LoadedDriver,
  loadProcessDriver,
  runTurn,
  type StreamFrame,
  type TurnOptions,
  type TurnOutcome,
  type TurnRecord,
} from '@murmur/process-driver';
import { createFakeClock, type FakeClock } from './fake-clock.js';

const home = fileURLToPath(new URL('../..', import.meta.url));
export const fakeAgent = join(home, 'bin', 'fake-agent.mjs');

/** A directory of its own for one test file, removed by `close`. */
export const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'murmur-conformance-')));
export const components = createComponentRuntime({
  cacheDirectory: join(scratch, 'compiled'),
  openJail: (label) => openJail({ class: 'advisory', label }),
});

export function variantBytes(variant: string): Uint8Array {
  return readFileSync(join(home, 'dist', 'variants', `${variant}.wasm`));
}

const loaded = new Map<string, Promise<LoadedDriver>>();
/** Loads a variant of the fake driver, once per test file. */
export function driver(variant = 'plain'): Promise<LoadedDriver> {
  let promise = loaded.get(variant);
  if (promise === undefined) {
    promise = loadProcessDriver({ name: 'fake', version: '1.0.0', bytes: variantBytes(variant), components });
    loaded.set(variant, promise);
  }
  return promise;
}

export function close(): void {
  rmSync(scratch, { recursive: true, force: true });
}

export type Step = Readonly<Record<string, unknown>>;
export const event = (tag: string, val?: unknown): Step => ({
  event: { tag, ...(val === undefined ? {} : { val }) },
});
export const text = (value: string): Step => event('text', value);
export const started = (id: string, auth = 'subscription'): Step => event('session-started', { id, auth });
export const turnEnd = (value = 'done'): Step => event('turn-end', value);
export const turnFailed = (kind: string, message = 'broken'): Step => event('turn-failed', { kind, message });
export const hang: Step = { hang: true };

export interface Snapshot {
  readonly pid: number;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}
const snapshotOf = (file: string): Snapshot => JSON.parse(readFileSync(file, 'utf8')) as Snapshot;

export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

export interface Run {
  readonly outcome: Promise<TurnOutcome>;
  readonly clock: FakeClock;
  readonly records: TurnRecord[];
  readonly frames: StreamFrame[];
  readonly warnings: WarningCondition[];
  readonly filesRoot: string;
  /** What the harness saw of itself; it is written before its script begins. */
  snapshot(): Snapshot;
  cancel(): void;
  /** Resolves once the run has written a record that matches. */
  recorded(eventType: string, payload?: Readonly<Record<string, unknown>>): Promise<void>;
  of(eventType: string): readonly TurnRecord['payload'][];
  /** The types of all records, in order. */
  readonly order: readonly string[];
}

export interface RunOptions extends Partial<Omit<TurnOptions, 'request'>> {
  /** Parts of the launch request beside its configuration. */
  readonly request?: Partial<Omit<TurnOptions['request'], 'config'>>;
  readonly variant?: string;
  /** Configuration of the fake driver beside its script. */
  readonly config?: Readonly<Record<string, unknown>> | null;
  /** Wraps the driver's instance, to see or to replace its calls. */
  readonly instance?: (instance: DriverInstance) => DriverInstance;
  /** Lets the harness leave a process behind that has its own session, ignores signals and holds the output. */
  readonly straggler?: boolean;
}

let runs = 0;

/** Starts a turn of the fake harness in a real jail, driven by the real component. */
export async function startRun(script: readonly Step[], options: RunOptions = {}): Promise<Run> {
  const { variant, config, instance, straggler = false, request, ...turn } = options;
  const base = await driver(variant);
  const wrapped: LoadedDriver =
    instance === undefined
      ? base
      : { ...base, openInstance: async () => instance(await base.openInstance()) };
  const clock = createFakeClock();
  const abort = new AbortController();
  const records: TurnRecord[] = [];
  const frames: StreamFrame[] = [];
  const warnings: WarningCondition[] = [];
  const waiting = new Set<() => void>();
  runs += 1;
  const filesRoot = join(scratch, `files-${runs}`);
  const snapshotFile = join(scratch, `snapshot-${runs}.json`);
  const stragglerFile = join(scratch, `straggler-${runs}`);
  const fork = { fork: { pid_file: stragglerFile, double: true, ignore_signals: true, hold_output: true } };
  const steps: Step[] = [{ snapshot: snapshotFile }, ...(straggler ? [fork] : []), ...script];
  const jail = await openJail({ class: 'advisory', label: 'harness' });
  const outcome = runTurn({
    driver: wrapped,
    binary: { path: fakeAgent, source: 'inference.command' },
    version: Promise.resolve({ line: 'fake-agent 1.0.0', tested: true, warning: null }),
    jail,
    env: { PATH: process.env.PATH ?? '' },
    cwd: scratch,
    filesRoot,
    request: {
      model: null,
      systemPrompt: 'be brief',
      bridge: null,
      task: 'the task',
      ...request,
      config: config === null ? null : JSON.stringify({ script: steps, ...config }),
    },
    session: { mode: 'new', id: 'offered-id', remember: true },
    contextId: 'ctx',
    sessionMapPath: null,
    taskId: 'tsk_1',
    maxTurns: 10,
    firstTurn: 0,
    captureToolOutput: false,
    cancel: abort.signal,
    clock,
    record: (record) => {
      records.push(record);
      for (const wake of waiting) wake();
    },
    stream: (frame) => frames.push(frame),
    warn: (warning) => warnings.push(warning),
    ...turn,
  }).finally(async () => {
    // Holds on every path: nothing of the harness lives, nothing of its files is left, no secret was written down.
    const token = request?.bridge?.bearerToken;
    const problems = [
      ...(existsSync(snapshotFile) && isAlive(snapshotOf(snapshotFile).pid) ? ['the harness lives'] : []),
      ...(existsSync(stragglerFile) && isAlive(Number(readFileSync(stragglerFile, 'utf8')))
        ? ['its child lives']
        : []),
      ...(filesLeft(filesRoot).length > 0 ? ['its files are left'] : []),
      ...(token !== undefined && JSON.stringify([records, frames, warnings]).includes(token)
        ? ['the token is written']
        : []),
    ];
    await jail[Symbol.asyncDispose]();
    if (problems.length > 0) throw new Error(problems.join(', '));
  });
  // A test that never looks at it must not make it an unhandled rejection.
  outcome.catch(() => undefined);
  const matches = (eventType: string, payload: Readonly<Record<string, unknown>>): boolean =>
    records.some(
      (record) =>
        record.eventType === eventType &&
        Object.entries(payload).every(([key, value]) => record.payload[key] === value),
    );
  return {
    outcome,
    clock,
    records,
    frames,
    warnings,
    filesRoot,
    snapshot: () => snapshotOf(snapshotFile),
    cancel: () => abort.abort(),
    async recorded(eventType, payload = {}) {
      const ended = outcome.then(
        () => true,
        () => true,
      );
      while (!matches(eventType, payload)) {
        let wake = (): void => undefined;
        const next = new Promise<void>((resolve) => {
          wake = resolve;
          waiting.add(wake);
        });
        const over = await Promise.race([next, ended]);
        waiting.delete(wake);
        if (over === true && !matches(eventType, payload))
          throw new Error(`the run ended without ${eventType}: ${JSON.stringify(records)}`);
      }
    },
    of: (eventType) =>
      records.filter((record) => record.eventType === eventType).map((record) => record.payload),
    get order() {
      return records.map((record) => record.eventType);
    },
  };
}

/** What is left of runs' files directories below a root. */
export function filesLeft(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}
