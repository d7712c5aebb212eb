import { readdirSync, readFileSync } from 'node:fs';
import type { DriverEvent, ExitStatus, LaunchRequest, ProcessExports } from '@murmur/driver-sdk';

/** Cases that record another command than a turn. */
const OTHER_COMMANDS = ['login-status', 'version'];

/** A directory of recordings: what a harness printed, in `<case>/`. */
export interface Recordings {
  /** Names of the recorded turns. */
  readonly turnCases: readonly string[];
  recorded(name: string, file: string): string;
  pathOf(name: string, file: string): string;
  linesOf(name: string): readonly string[];
  exitOf(name: string, sawTerminal: boolean): ExitStatus;
  /** A recording driven through the driver, in batches of the given sizes (the rest in one). */
  replay(driver: ProcessExports, name: string, batchSizes?: readonly number[]): readonly DriverEvent[];
}

/** @param directory Its path, with a slash at the end. */
export function openRecordings(directory: string, requestOf: (name: string) => LaunchRequest): Recordings {
  const recorded = (name: string, file: string): string =>
    readFileSync(`${directory}${name}/${file}`, 'utf8');
  const linesOf = (name: string): readonly string[] =>
    recorded(name, 'stdout.ndjson').split('\n').slice(0, -1);
  const exitOf = (name: string, sawTerminal: boolean): ExitStatus => {
    const { code, signal } = JSON.parse(recorded(name, 'exit.json')) as {
      code: number | null;
      signal: number | null;
    };
    return {
      code: code ?? undefined,
      signal: signal ?? undefined,
      stderrTail: recorded(name, 'stderr.txt'),
      interrupted: name.startsWith('interrupt'),
      sawTerminal,
    };
  };
  return {
    turnCases: readdirSync(directory).filter(
      (name) => !OTHER_COMMANDS.some((command) => name.startsWith(command)),
    ),
    recorded,
    pathOf: (name, file) => `${directory}${name}/${file}`,
    linesOf,
    exitOf,
    replay(driver, name, batchSizes = []) {
      driver.launch(requestOf(name));
      const lines = linesOf(name);
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
