import { expect, test } from 'vitest';
import { readConfigKeys } from './config-keys.js';
import { joinContentBlocks } from './content-blocks.js';

const keysOf = (config: unknown) =>
  readConfigKeys(
    {
      model: undefined,
      systemPrompt: '',
      config: config === undefined ? undefined : JSON.stringify(config),
      bridge: undefined,
      session: { id: 'a', mode: 'new' },
      harnessVersion: undefined,
      task: '',
    },
    ['name', 'names', 'on', 'level', 'retries'],
  );

test('values of the right kind are given, absent keys are undefined', () => {
  const full = keysOf({ name: 'a', names: ['b', 'c'], on: false, level: 'low', retries: 0 });
  expect(full.text('name', /^[a-z]$/, 'a letter')).toBe('a');
  expect(full.texts('names', /^[a-z]$/, 'letters')).toEqual(['b', 'c']);
  expect(full.flag('on')).toBe(false);
  expect(full.choice('level', ['low', 'high'])).toBe('low');
  expect(full.count('retries', 0, 5)).toBe(0);
  const empty = keysOf(undefined);
  expect([
    empty.text('name', /./, ''),
    empty.texts('names', /./, ''),
    empty.flag('on'),
    empty.choice('level', []),
    empty.count('retries', 0, 5),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
});

test.each([
  [{ name: 'A' }, 'name must be a letter'],
  [{ name: 'a\0' }, 'name must be a letter'],
  [{ name: null }, 'name must be a letter'],
  [{ names: ['a', 'B'] }, 'names must be letters'],
  [{ names: 'a' }, 'names must be letters'],
  [{ on: 'yes' }, 'on must be true or false'],
  [{ level: 'mid' }, 'level must be one of low, high'],
  [{ retries: 6 }, 'retries must be a whole number from 0 to 5'],
  [{ retries: 1.5 }, 'retries must be a whole number from 0 to 5'],
])('%j is refused by name', (config, reason) => {
  const keys = keysOf(config);
  expect(() => {
    keys.text('name', /^[a-z]/, 'a letter');
    keys.texts('names', /^[a-z]$/, 'letters');
    keys.flag('on');
    keys.choice('level', ['low', 'high']);
    keys.count('retries', 0, 5);
  }).toThrow(`inference.driver.config.${reason}`);
});

test('content blocks: text as it is, all else as JSON, a line each', () => {
  expect(joinContentBlocks([{ type: 'text', text: 'a\nb' }, { type: 'image', data: 'x' }, 'c', null])).toBe(
    'a\nb\n{"type":"image","data":"x"}\n"c"\nnull',
  );
  expect(joinContentBlocks([])).toBe('');
});
