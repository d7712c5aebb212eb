import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { conditionsPage } from '../conditions.mjs';

test('the table of conditions is what the tests raise', () => {
  const written = readFileSync(path.resolve(import.meta.dirname, '../../../docs/spec/conditions.md'), 'utf8');
  expect(written).toBe(conditionsPage());
});
