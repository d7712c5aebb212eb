import { note } from './events.js';
import type { DriverEvent } from './generated/contract.js';
import { cutText } from './text.js';

/** How much of a line a note may quote, in UTF-16 units. */
export const NOTE_LINE_LENGTH = 512;

/** A note that quotes a line the driver has no use for, cut to `maxLength`. */
export function noteFor(line: string, maxLength: number = NOTE_LINE_LENGTH): DriverEvent {
  return note(`unread line: ${cutText(line, maxLength)}`);
}
