import { text, textDelta } from './events.js';
import type { DriverEvent } from './generated/contract.js';

/**
 * Keeps the text of the message in progress by the harness's own message id, so that a message sent in pieces, in
 * several whole blocks, or both, comes out as deltas and one text that replaces them.
 */
export interface TextAssembler {
  /** A streamed piece. Nothing comes out for an empty piece, nor for a message whose whole text was given. */
  delta(messageId: string, piece: string): readonly DriverEvent[];
  /** The whole text of a message. */
  whole(messageId: string, whole: string): readonly DriverEvent[];
  /** One complete block of a message that has several; comes out joined with the blocks before it. */
  block(messageId: string, block: string): readonly DriverEvent[];
  /** Text of the latest message, from its whole text or else its deltas; `undefined` before the first. */
  latest(): string | undefined;
}

export function createTextAssembler(): TextAssembler {
  // Only the current message is held: a run may have millions of lines.
  let current: { id: string; streamed: string; complete: string | undefined } | undefined;
  const message = (id: string) => {
    if (current?.id !== id) current = { id, streamed: '', complete: undefined };
    return current;
  };
  return {
    delta(messageId, piece) {
      const open = message(messageId);
      if (piece === '' || open.complete !== undefined) return [];
      open.streamed += piece;
      return [textDelta(piece)];
    },
    whole(messageId, whole) {
      message(messageId).complete = whole;
      return [text(whole)];
    },
    block(messageId, block) {
      const open = message(messageId);
      open.complete = (open.complete ?? '') + block;
      return [text(open.complete)];
    },
    latest: () => (current === undefined ? undefined : (current.complete ?? current.streamed)),
  };
}
