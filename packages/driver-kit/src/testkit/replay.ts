import { isDeepStrictEqual } from 'node:util';
import type { DriverEvent, ExitStatus, LaunchRequest } from '@murmur/driver-sdk';
import { answerOf, type TestDriver } from './test-driver.js';
import type { TerminalLine, TranscriptCase, TurnCase } from './transcript/case.js';

/** Most lines of one call, as in the runtime. */
export const BATCH_LINES = 256;

export function isTerminal(event: DriverEvent): boolean {
  return event.tag === 'turn-end' || event.tag === 'turn-failed';
}

/** Lines in the batches that the runtime makes of lines which are all there. */
export function batchesOf(
  lines: readonly string[],
  size: number = BATCH_LINES,
): readonly (readonly string[])[] {
  const batches: (readonly string[])[] = [];
  for (let at = 0; at < lines.length; at += size) batches.push(lines.slice(at, at + size));
  return batches;
}

/**
 * Events of a fresh launch that is given these batches; undefined when a call gave no answer. That is the concern of
 * the properties about the calls themselves (P1, P12), and says nothing about the others.
 */
export async function replayBatches(
  driver: TestDriver,
  request: LaunchRequest,
  batches: readonly (readonly string[])[],
): Promise<readonly DriverEvent[] | undefined> {
  if ((await answerOf(driver.launch(request))) === undefined) return undefined;
  const events: DriverEvent[] = [];
  for (const batch of batches) {
    const read = await answerOf(driver.parse(batch));
    if (read === undefined) return undefined;
    events.push(...read);
  }
  return events;
}

export function replay(
  driver: TestDriver,
  { request }: Pick<TurnCase, 'request'>,
  lines: readonly string[],
): Promise<readonly DriverEvent[] | undefined> {
  return replayBatches(driver, request, batchesOf(lines));
}

/** The events of each line by itself; undefined when a call gave no answer. */
export async function replayByLine(
  driver: TestDriver,
  { request }: Pick<TurnCase, 'request'>,
  lines: readonly string[],
): Promise<readonly (readonly DriverEvent[])[] | undefined> {
  if ((await answerOf(driver.launch(request))) === undefined) return undefined;
  const perLine: (readonly DriverEvent[])[] = [];
  for (const line of lines) {
    const read = await answerOf(driver.parse([line]));
    if (read === undefined) return undefined;
    perLine.push(read);
  }
  return perLine;
}

/** The first line that ends a turn; null when none does or nobody has looked. */
export function firstTerminal({ meta }: TranscriptCase): TerminalLine | null {
  return meta.terminalLines?.[0] ?? null;
}

/** How the recorded process ended, as a driver is told. */
export function exitOf({ exit, stderr }: TranscriptCase, sawTerminal: boolean): ExitStatus {
  return {
    code: exit.code ?? undefined,
    signal: exit.signal ?? undefined,
    stderrTail: stderr,
    interrupted: exit.interrupted,
    sawTerminal,
  };
}

export const same = isDeepStrictEqual;

/** A value cut short for a message. */
export function shown(value: unknown, maxLength = 300): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length} characters)`;
}
