import { toolCall, toolCallProgress, toolCallStarted, toolResult } from './events.js';
import type { DriverEvent } from './generated/contract.js';
import { utf8LengthBytes } from './utf8.js';

/**
 * Follows tool calls from the first word the model writes to the answer, so that ids stay unique, progress only
 * grows, and every result has a call before it.
 */
export interface ToolCallTracker {
  /** The model began to write a call at a block index of its message. */
  started(index: number, id: string, name: string): readonly DriverEvent[];
  /** More input text for the call at that index; unknown indices are ignored. */
  inputPiece(index: number, piece: string): readonly DriverEvent[];
  /** A new message: indices count from the start again. */
  newMessage(): void;
  /** The complete call, its input as JSON text. A second one under the same open id gives nothing. */
  called(id: string, name: string, input: string): readonly DriverEvent[];
  /** Whether a complete call of that id waits for its answer. */
  isOpen(id: string): boolean;
  /** The answer. When the harness never announced the call, `unannounced` supplies it and it comes out first. */
  answered(
    id: string,
    output: string,
    isError: boolean,
    unannounced?: { name: string; input: string },
  ): readonly DriverEvent[];
}

export function createToolCallTracker(): ToolCallTracker {
  const writing = new Map<number, { id: string; bytes: number }>();
  const open = new Set<string>();
  const called = (id: string, name: string, input: string): readonly DriverEvent[] => {
    if (open.has(id)) return [];
    open.add(id);
    for (const [index, call] of writing) if (call.id === id) writing.delete(index);
    return [toolCall(id, name, input)];
  };
  return {
    started(index, id, name) {
      if (id === '' || open.has(id)) return [];
      writing.set(index, { id, bytes: 0 });
      return [toolCallStarted(id, name)];
    },
    inputPiece(index, piece) {
      const call = writing.get(index);
      if (call === undefined || piece === '') return [];
      call.bytes += utf8LengthBytes(piece);
      return [toolCallProgress(call.id, call.bytes)];
    },
    newMessage: () => writing.clear(),
    called,
    isOpen: (id) => open.has(id),
    answered(id, output, isError, unannounced) {
      const before =
        unannounced !== undefined && !open.has(id) ? called(id, unannounced.name, unannounced.input) : [];
      open.delete(id);
      return [...before, toolResult(id, output, isError)];
    },
  };
}
