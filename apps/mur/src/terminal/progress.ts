import { stripToOneLine } from '@murmur/errors';
import type { Lines } from './lines.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 80;

/** One line that says what is going on, on a terminal only; in a pipe nothing is printed. */
export interface Progress {
  show(text: string): void;
  /** Clears the line; other output may follow. A later `show` brings it back. */
  clear(): void;
}

export function startProgress(lines: Lines): Progress {
  if (!lines.isTerminal) return { show() {}, clear() {} };
  let text = '';
  let frame = 0;
  let timer: NodeJS.Timeout | undefined;
  const draw = (): void => {
    lines.write(`\r\u001b[K${FRAMES[frame % FRAMES.length]} ${text}`);
    frame += 1;
  };
  return {
    show(next) {
      // Names of harnesses and artifacts come from outside.
      text = stripToOneLine(next);
      if (timer === undefined) {
        timer = setInterval(draw, FRAME_MS);
        timer.unref();
      }
      draw();
    },
    clear() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      lines.write('\r\u001b[K');
    },
  };
}
