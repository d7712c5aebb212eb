import type { StreamFrame } from './types.js';

/** The stretch of one model action as a live listener sees it: opened with a status, ended by a tool result or the end. */
export interface LiveSegment {
  /** Opens it unless it is open; `turn` is the 1-based number a turn that opens now would have. */
  open(turn: number): void;
  textDelta(text: string): void;
  thinkingDelta(text: string): void;
  /** A complete thinking: sent only to who has not seen it grow. */
  thinking(text: string): void;
  /** Tells who saw text grow that this text is complete; nothing when none is growing. */
  endText(): void;
  close(): void;
  /** Whether any text was streamed in the last segment that was opened. */
  readonly streamedText: boolean;
}

export function createLiveSegment(frame: (kind: string, data: StreamFrame['data']) => void): LiveSegment {
  let isOpen = false;
  let owesTextEnd = false;
  let streamedText = false;
  let streamedThinking = false;
  return {
    open(turn) {
      if (isOpen) return;
      isOpen = true;
      owesTextEnd = false;
      streamedText = false;
      streamedThinking = false;
      frame('status', { status: { state: 'working', message: `inference turn ${turn}` }, final: false });
    },
    textDelta(text) {
      owesTextEnd = true;
      streamedText = true;
      frame('text', { text, final: false });
    },
    thinkingDelta(text) {
      streamedThinking = true;
      frame('thinking', { text, final: false });
    },
    thinking(text) {
      if (!streamedThinking) frame('thinking', { text, final: false });
    },
    endText() {
      if (!owesTextEnd) return;
      owesTextEnd = false;
      frame('text', { text: '', final: true });
    },
    close() {
      isOpen = false;
    },
    get streamedText() {
      return streamedText;
    },
  };
}
