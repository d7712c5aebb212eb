import { stripControl } from '@murmur/errors';
import type { Lines } from './lines.js';

/** Prints the answer: streamed on a terminal, whole at the end in a pipe. */
export interface AnswerPrinter {
  frame(frame: { readonly kind: string; readonly data: Readonly<Record<string, unknown>> }): void;
  finish(answer: string | null): void;
}

export function answerPrinter(out: Lines, beforeFirst: () => void): AnswerPrinter {
  let streamed = '';
  return {
    frame({ kind, data }) {
      if (!out.isTerminal || kind !== 'text') return;
      const text = typeof data.text === 'string' ? stripControl(data.text) : '';
      if (text !== '') {
        if (streamed === '') beforeFirst();
        out.write(text);
        streamed += text;
      } else if (data.final === true && !streamed.endsWith('\n') && streamed !== '') {
        out.write('\n');
        streamed += '\n';
      }
    },
    finish(answer) {
      if (!out.isTerminal) {
        if (answer !== null) out.write(answer.endsWith('\n') ? answer : `${answer}\n`);
        return;
      }
      const whole = answer === null ? '' : stripControl(answer);
      if (whole !== '' && !streamed.trimEnd().endsWith(whole.trimEnd())) out.write(whole);
      if (
        (streamed !== '' && !streamed.endsWith('\n')) ||
        (whole !== '' && !whole.endsWith('\n') && !streamed.endsWith('\n'))
      )
        out.write('\n');
    },
  };
}
