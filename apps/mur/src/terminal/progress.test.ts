import { expect, test } from 'vitest';
import { startProgress } from './progress.js';

test('what is shown cannot steer the terminal; in a pipe nothing is shown', () => {
  const written: string[] = [];
  const progress = startProgress({ isTerminal: true, write: (text) => void written.push(text) });
  progress.show('running \u001b]0;owned\u0007evil\nharness\u202e');
  progress.clear();
  expect(written.join('')).toContain('running evil harness');
  expect(written.join('')).not.toMatch(/\u0007|\u001b\]|\u202e|\n/);

  const piped: string[] = [];
  startProgress({ isTerminal: false, write: (text) => void piped.push(text) }).show('x');
  expect(piped).toEqual([]);
});
