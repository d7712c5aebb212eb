import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Pace } from './types.js';
import type { WireEvent } from './wire.js';

const RESET_PAUSE_MS = 50;

export type Delivery = 'answered' | 'cut' | 'client-left';

/** Waits, unless the client leaves first; a wait of nothing costs nothing. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms > 0) await delay(ms, undefined, { signal: gone }).catch(() => undefined);
}

/** Writes a stream at the script's pace. */
export async function deliverStream(
  response: ServerResponse,
  events: Iterable<WireEvent>,
  streamError: () => WireEvent,
  pace: Pace,
  gone: AbortSignal,
): Promise<Delivery> {
  let pieces = 0;
  for (const event of events) {
    if (event.piece) {
      if (pieces === pace.errorAfterPieces) {
        response.end(streamError().text);
        return 'cut';
      }
      if (pieces === pace.cutAfterPieces) return breakOff(response, pace.cut ?? 'close', gone);
      if (pieces === pace.stallAfterPieces) return untilGone(gone);
      await pause(pace.pieceDelayMs ?? 0, gone);
      pieces += 1;
    }
    if (gone.aborted) return 'client-left';
    if (!response.write(event.text)) await drained(response, gone);
  }
  response.end();
  return gone.aborted ? 'client-left' : 'answered';
}

/** Sends a JSON body; a pace that cuts sends half of it. */
export async function deliverBody(
  response: ServerResponse,
  body: unknown,
  pace: Pace,
  gone: AbortSignal,
): Promise<Delivery> {
  const text = JSON.stringify(body);
  if (pace.cutAfterPieces === undefined && pace.stallAfterPieces === undefined) {
    response.end(text);
    return 'answered';
  }
  response.write(text.slice(0, text.length / 2));
  return pace.cutAfterPieces === undefined ? untilGone(gone) : breakOff(response, pace.cut ?? 'close', gone);
}

function untilGone(gone: AbortSignal): Promise<Delivery> {
  if (gone.aborted) return Promise.resolve('client-left');
  return new Promise((resolve) =>
    gone.addEventListener('abort', () => resolve('client-left'), { once: true }),
  );
}

async function breakOff(
  response: ServerResponse,
  how: 'close' | 'reset' | 'end',
  gone: AbortSignal,
): Promise<Delivery> {
  // What was written so far must reach the client, or nobody could tell a cut from a refusal.
  const { socket } = response;
  if (gone.aborted || socket === null) return 'client-left';
  await new Promise<void>((resolve) => socket.write('', () => resolve()));
  if (how === 'end') response.end();
  else if (how === 'reset') {
    // A reset takes back what the client has not read yet: give it a moment to read.
    await pause(RESET_PAUSE_MS, gone);
    socket.resetAndDestroy();
  } else socket.destroySoon();
  return 'cut';
}

function drained(response: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    response.once('drain', resolve);
    gone.addEventListener('abort', () => resolve(), { once: true });
  });
}
