import { linesOf, readCases, type TranscriptCase, type TurnCase, turnsOf } from '@murmur/driver-kit/testkit';
import type { DriverEvent, ExitStatus, LaunchRequest, ProcessExports } from '@murmur/driver-sdk';

/** A directory of recordings: what a harness printed, in `<case>/`. */
export interface Recordings {
  /** Every recording, those of other commands than a turn among them. */
  readonly cases: readonly TranscriptCase[];
  /** Names of the recorded turns. */
  readonly turnCases: readonly string[];
  caseOf(name: string): TranscriptCase;
  requestOf(name: string): LaunchRequest;
  /** Stdout as text. */
  stdoutOf(name: string): string;
  linesOf(name: string): readonly string[];
  exitOf(name: string, sawTerminal: boolean): ExitStatus;
  /** A recording driven through the driver, in batches of the given sizes (the rest in one). */
  replay(driver: ProcessExports, name: string, batchSizes?: readonly number[]): readonly DriverEvent[];
}

export async function openRecordings(directory: string): Promise<Recordings> {
  const cases = await readCases(directory);
  const turns = turnsOf(cases);
  const caseOf = (name: string): TranscriptCase => named(cases, name);
  const requestOf = (name: string): LaunchRequest => named<TurnCase>(turns, name).request;
  const exitOf = (name: string, sawTerminal: boolean): ExitStatus => {
    const { exit, stderr } = caseOf(name);
    return {
      code: exit.code ?? undefined,
      signal: exit.signal ?? undefined,
      stderrTail: stderr,
      interrupted: exit.interrupted,
      sawTerminal,
    };
  };
  return {
    cases,
    turnCases: turns.map(({ name }) => name),
    caseOf,
    requestOf,
    stdoutOf: (name) => Buffer.from(caseOf(name).stdout).toString('utf8'),
    linesOf: (name) => linesOf(caseOf(name)),
    exitOf,
    replay(driver, name, batchSizes = []) {
      driver.launch(requestOf(name));
      const lines = linesOf(caseOf(name));
      const events: DriverEvent[] = [];
      let at = 0;
      for (const size of [...batchSizes, lines.length]) {
        events.push(...driver.parse(lines.slice(at, at + size)));
        at += size;
      }
      if (!events.some(isTerminal)) events.push(driver.classifyExit(exitOf(name, false)));
      return events;
    },
  };
}

function named<Case extends TranscriptCase>(cases: readonly Case[], name: string): Case {
  const found = cases.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no recording ${name}`);
  return found;
}

export const isTerminal = (event: { readonly tag: string }): boolean =>
  event.tag === 'turn-end' || event.tag === 'turn-failed';

/** Events as JSON keeps them: absent members gone. */
export function plain(events: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(events));
}

/** The runtime keeps events flat where the contract has a payload. */
export function asHostKeepsIt(event: DriverEvent): unknown {
  switch (event.tag) {
    case 'session-started':
      return { tag: event.tag, ...event.val, model: event.val.model ?? null };
    case 'usage':
      return { tag: event.tag, usage: event.val };
    case 'turn-end':
      return { tag: event.tag, result: event.val };
    case 'quota':
      return { tag: event.tag, windows: event.val };
    default:
      return typeof event.val === 'string'
        ? { tag: event.tag, text: event.val }
        : { tag: event.tag, ...event.val };
  }
}
