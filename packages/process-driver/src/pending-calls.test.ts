import { expect, test } from 'vitest';
import { createPendingCalls } from './pending-calls.js';

const mebibyte = JSON.stringify('x'.repeat(1024 * 1024 - 2));
const call = (id: string, input = mebibyte) => ({ id, name: 'n', input, turn: 0, now: 5 });

test('inputs beyond 64 MiB are counted but not kept, and room comes back with each result', () => {
  const calls = createPendingCalls();
  for (let i = 0; i < 65; i++) expect(calls.add(call(`c${i}`))).toBeNull();
  expect(calls.take('c64')).toMatchObject({ input: null, inputBytes: 1024 * 1024 });
  expect(calls.take('c0')?.input).toBeTypeOf('string');
  calls.add(call('again'));
  expect(calls.take('again')?.input).toBeTypeOf('string');
  expect(calls.take('again')).toBeUndefined();
});

test('a call reported twice keeps its first report', () => {
  const calls = createPendingCalls();
  calls.add(call('a', '1'));
  expect(calls.add(call('a', '2'))).toContain("'a'");
  expect(calls.take('a')).toMatchObject({ input: 1, inputBytes: 1, startedAt: 5 });
});

test('no more than 4096 are followed at once', () => {
  const calls = createPendingCalls();
  for (let i = 0; i < 4096; i++) expect(calls.add(call(`c${i}`, '{}'))).toBeNull();
  expect(calls.add(call('more', '{}'))).toContain('4096');
  calls.take('c0');
  expect(calls.add(call('more', '{}'))).toBeNull();
});

test('input that is no JSON counts as null', () => {
  const calls = createPendingCalls();
  calls.add(call('a', '{"half":'));
  expect(calls.take('a')).toMatchObject({ input: null, inputBytes: 8 });
});
