import { stripControl } from '@murmur/errors';
import type { DriverEvent } from './contract.js';
import { type QuotaWindows, quotaWindowFields } from './quota.js';

/** The events that may come at any time, the end of a turn included, and never change its outcome. */
export type LateEvent = Extract<DriverEvent, { readonly tag: 'note' | 'quota' | 'suggested-prompt' }>;

export function isLateEvent(event: DriverEvent): event is LateEvent {
  return event.tag === 'note' || event.tag === 'quota' || event.tag === 'suggested-prompt';
}

export interface LateEvents {
  consume(event: LateEvent): void;
  note(text: string): void;
}

export function createLateEvents(options: {
  readonly quota: QuotaWindows;
  readonly record: (eventType: string, payload: Readonly<Record<string, unknown>>) => void;
  readonly frame: (kind: string, data: Readonly<Record<string, unknown>>) => void;
}): LateEvents {
  const { quota, record, frame } = options;
  const note = (text: string): void => record('harness_note', { text: stripControl(text) });

  function suggest(text: string): void {
    record('harness_suggested_prompt', { text });
    frame('suggested-prompt', { text });
  }
  function takeQuota(report: Extract<LateEvent, { tag: 'quota' }>['windows']): void {
    const { changed, refusals } = quota.apply(report);
    for (const refusal of refusals) note(refusal);
    if (!changed) return;
    const windows = quota.snapshot().map(quotaWindowFields);
    record('harness_quota', { windows });
    frame('quota', { windows });
  }
  return {
    note,
    consume(event) {
      switch (event.tag) {
        case 'note':
          note(event.text);
          break;
        case 'suggested-prompt':
          suggest(stripControl(event.text));
          break;
        case 'quota':
          takeQuota(event.windows);
      }
    },
  };
}
