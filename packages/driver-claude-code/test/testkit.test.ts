import { fileURLToPath } from 'node:url';
import { buildComponent } from '@murmur/driver-kit';
import {
  reportText,
  runProperties,
  type TestkitReport,
  testComponentDriver,
  testPlainDriver,
  withGoldens,
  writeCase,
} from '@murmur/driver-kit/testkit';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { cases, transcripts } from './replay.js';

const seed = Number(process.env.TESTKIT_SEED ?? 20261129);

/** Set to write plans and events anew; read every change before committing it. */
if (process.env.REWRITE_GOLDEN === '1')
  for (const each of await withGoldens(
    testPlainDriver(() => driver),
    cases,
  ))
    await writeCase(`${transcripts}${each.name}`, each);

function told(report: TestkitReport): readonly string[] {
  console.log(reportText(report));
  return report.results.flatMap(({ findings }) => findings.map(({ problem }) => problem));
}

test('every property holds, with 10,000 splits and 10,000 mutations', { timeout: 300_000 }, async () => {
  const judge = (only: readonly ('P1' | 'P2')[] | undefined, runs: number) =>
    runProperties({
      name: 'claude-code',
      driver: testPlainDriver(() => driver),
      cases,
      seed,
      runs,
      ...(only === undefined ? {} : { only }),
    });
  const report = await judge(['P1', 'P2'], 10_000);
  expect(told(report)).toEqual([]);
  for (const { launches } of report.results) expect(launches).toBeGreaterThanOrEqual(10_000);
  const all = await judge(undefined, 300);
  expect(told(all)).toEqual([]);
  expect(all.results.filter(({ status }) => status === 'not-judged').map(({ id }) => id)).toEqual([]);
});

test('every property holds for the built component', { timeout: 300_000 }, async () => {
  await using built = await testComponentDriver({
    bytes: await buildComponent({ entry: fileURLToPath(new URL('../src/index.ts', import.meta.url)) }),
    name: 'murmur-driver-claude-code',
    version: '0.1.0',
  });
  expect(
    told(await runProperties({ name: 'claude-code component', driver: built, cases, seed, runs: 60 })),
  ).toEqual([]);
});
