import { isMurmurError } from '@murmur/errors';
import { expect, test } from 'vitest';
import { readTrace } from './read-trace.js';

function line(eventType: string, extra: object = {}): string {
  return JSON.stringify({
    event_type: eventType,
    event_id: 'evt_1',
    parent_id: null,
    session_id: 'ses_1',
    timestamp: 1,
    ...extra,
  });
}
const START = line('session_start');

function refusal(text: string, complete = false): unknown {
  try {
    readTrace(text, { path: 'trace.jsonl', complete });
  } catch (error) {
    return isMurmurError(error) ? error.message : error;
  }
  return 'read';
}

test.each([
  ['empty', '', 'trace.jsonl: the trace is empty'],
  ['a first line under way', START, 'trace.jsonl: the trace is empty'],
  [
    'another first line',
    `${line('task_start')}\n`,
    'trace.jsonl:1: the trace does not begin with session_start',
  ],
  ['not JSON', `${START}\n{oops\n`, 'trace.jsonl:2: not JSON'],
  ['an empty line', `${START}\n\n`, 'trace.jsonl:2: not JSON'],
  ['not an object', `${START}\n[1]\n`, /^trace\.jsonl:2: lacks one of/],
  ['null', `${START}\nnull\n`, /^trace\.jsonl:2: lacks one of/],
  ['a key missing', `${START}\n{"event_type":"x"}\n`, /^trace\.jsonl:2: lacks one of/],
  ['a parent that is no text', `${START}\n${line('x', { parent_id: 7 })}\n`, /^trace\.jsonl:2: lacks one of/],
])('%s is malformed', (_name, text, problem) => {
  expect(refusal(text)).toMatch(problem);
});

test('a line under way is left out, except where the session must have ended', () => {
  const text = `${START}\n{"event_ty`;
  expect(readTrace(text, { path: 't' })).toHaveLength(1);
  expect(refusal(text, true)).toBe('trace.jsonl:2: the last line is not whole');
  expect(refusal(`${START}\n`, true)).toBe('trace.jsonl: the trace has no session_end');
  expect(refusal(`${START}\n${line('session_end')}\n`, true)).toBe('read');
});

test('events that this build does not know are kept', () => {
  expect(readTrace(`${START}\n${line('from_the_future', { a: 1 })}\n`, { path: 't' })[1]).toMatchObject({
    event_type: 'from_the_future',
    a: 1,
  });
});
