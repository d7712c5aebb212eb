import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CASES } from '../src/cases.js';
import type { Cell } from '../src/run-suite.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const NOBODY = 65_534;

/** As root, the suite also runs as an ordinary user; as an ordinary user it can be nobody else. */
const users = process.getuid?.() === 0 ? [0, NOBODY] : [process.getuid?.() ?? NOBODY];

function runSuite(jailClass: string, uid: number): Promise<readonly Cell[]> {
  const identity = process.getuid?.() === uid ? {} : { uid, gid: uid };
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [main, jailClass],
      { ...identity, maxBuffer: 1 << 24 },
      (error, out, problems) => {
        if (error !== null && error.code !== 1) reject(new Error(problems, { cause: error }));
        else
          resolve(
            out
              .trimEnd()
              .split('\n')
              .map((line) => JSON.parse(line) as Cell),
          );
      },
    );
  });
}

describe.each(users)('as user %i', (uid) => {
  it.each(['scoped', 'sealed'])(
    'nothing leaves a jail of the class %s',
    async (jailClass) => {
      const cells = await runSuite(jailClass, uid);
      expect(cells.filter((cell) => !cell.holds)).toEqual([]);
      expect(cells.map((cell) => [cell.probe, cell.uid])).toEqual(CASES.map(({ probe }) => [probe, uid]));
    },
    300_000,
  );
});
