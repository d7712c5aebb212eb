import { type DriverEvent, text, textDelta } from '@murmur/driver-sdk';

/**
 * The text of the message in progress, by the harness's message id. Claude Code prints a message block by block, each
 * on a line of its own between the pieces it streams; out come the pieces, then one text with all blocks joined.
 */
export interface MessageText {
  /** A streamed piece; nothing once the message's text was given. */
  piece(messageId: string, piece: string): readonly DriverEvent[];
  /** A complete block of a message. A message with another id ends the one before. */
  block(messageId: string, block: string): readonly DriverEvent[];
  /** Gives the text of the message in progress, unless there is none or it was given. */
  complete(): readonly DriverEvent[];
  /** The last text that was given. */
  readonly latest: string | undefined;
}

export function createMessageText(): MessageText {
  // Streamed pieces are not kept: a stream that breaks off never gets its blocks, and its text must not count.
  let current: { readonly id: string; blocks: string; given: string | undefined } | undefined;
  let latest: string | undefined;
  const complete = (): readonly DriverEvent[] => {
    if (current === undefined || current.blocks === '' || current.given === current.blocks) return [];
    current.given = current.blocks;
    latest = current.blocks;
    return [text(current.blocks)];
  };
  const open = (id: string): readonly DriverEvent[] => {
    if (current?.id === id) return [];
    const before = complete();
    current = { id, blocks: '', given: undefined };
    return before;
  };
  return {
    piece(messageId, piece) {
      const before = open(messageId);
      return piece === '' || current?.given !== undefined ? before : [...before, textDelta(piece)];
    },
    block(messageId, block) {
      const before = open(messageId);
      if (current !== undefined) current.blocks += block;
      return before;
    },
    complete,
    get latest() {
      return latest;
    },
  };
}
