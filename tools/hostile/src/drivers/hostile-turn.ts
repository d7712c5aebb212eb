import { readdir } from 'node:fs/promises';
import type { Jail } from '@murmur/containment';
import { diagnose, type ErrorCondition, renderError } from '@murmur/errors';
import { type LoadedDriver, runTurn, type TurnOptions, type TurnRecord } from '@murmur/process-driver';
import type { Outcome } from '../generator.js';
import { Fault, shownTextProblem } from '../outcome.js';
import { createVirtualClock } from './virtual-clock.js';

/** A token that must show up nowhere: harnesses and drivers repeat it in every way they can. */
export const CANARY = 'canary-7c1e5d20b94f';

export interface HostileTurn {
  readonly driver: LoadedDriver;
  readonly jail: Jail;
  /** Directory of the case's own for the turn's files. */
  readonly filesRoot: string;
  readonly mode: 'new' | 'resume';
  /** Aborted as soon as the harness was started. */
  readonly cancels: boolean;
  readonly changes?: Partial<TurnOptions>;
}

/** What the trace and a listener were told. */
export interface TurnWitness {
  readonly outcome: Outcome;
  readonly records: readonly TurnRecord[];
}

/** Runs one turn and checks what no turn may do, whatever is in it. @throws Fault */
export async function runHostileTurn(turn: HostileTurn): Promise<TurnWitness> {
  const controller = new AbortController();
  const records: TurnRecord[] = [];
  const tell = (what: unknown): void => {
    const text = JSON.stringify(what);
    if (text.includes(CANARY)) throw new Fault(`the bridge's token was written down: ${text.slice(0, 400)}`);
  };
  const outcome = await runTurn({
    driver: turn.driver,
    binary: { path: '/bin/true', source: 'inference.command' },
    version: Promise.resolve({ line: null, tested: true, warning: null }),
    jail: turn.jail,
    env: { PATH: '/bin' },
    cwd: '/',
    filesRoot: turn.filesRoot,
    request: {
      model: null,
      systemPrompt: '',
      config: null,
      bridge: { serverName: 'mur', url: 'http://127.0.0.1:1/mcp', bearerToken: CANARY, toolNames: ['echo'] },
      task: 'task',
    },
    session: { mode: turn.mode, id: '01a22735-1cbc-7052-88e9-46bc9518794b', remember: false },
    contextId: null,
    sessionMapPath: null,
    taskId: 'tsk_1',
    maxTurns: 10,
    firstTurn: 0,
    captureToolOutput: true,
    cancel: controller.signal,
    clock: createVirtualClock(),
    record(record) {
      tell(record);
      records.push(record);
      if (record.eventType === 'harness_start' && turn.cancels) controller.abort();
    },
    stream: tell,
    warn: tell,
    ...turn.changes,
  });
  tell(outcome);
  const left = await readdir(turn.filesRoot).catch(() => []);
  if (left.length > 0) throw new Fault(`files are left behind: ${left.join(', ')}`);
  checkNotes(records);
  if (outcome.error !== null) return { outcome: `${outcome.status} ${codeOf(outcome.error)}`, records };
  return { outcome: outcome.status, records };
}

function codeOf(error: ErrorCondition): string {
  const diagnostic = diagnose(error);
  const problem = shownTextProblem(renderError(diagnostic));
  if (problem !== null) throw new Fault(`${diagnostic.code}: ${problem}`);
  return diagnostic.code;
}

function checkNotes(records: readonly TurnRecord[]): void {
  for (const { eventType, payload } of records) {
    const { text } = payload;
    if (eventType !== 'harness_note' || typeof text !== 'string') continue;
    if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text))
      throw new Fault(`a note steers the terminal: ${JSON.stringify(text.slice(0, 400))}`);
  }
}
