import { expect, test } from 'vitest';
import { testPlainDriver } from '../src/testkit/plain-driver.js';
import { properties } from '../src/testkit/properties/all.js';
import { runProperties } from '../src/testkit/run-properties.js';
import { breakages, brokenDriver } from './fixtures/toy/broken-drivers.js';
import { toyCases } from './fixtures/toy/toy-cases.js';

const judge = (broken: string) =>
  runProperties({
    name: broken,
    driver: testPlainDriver(() => brokenDriver(broken)),
    cases: toyCases,
    seed: 42,
    runs: 300,
    // Plain JavaScript is fast; what is slow here is slower by far.
    callLimitMs: 250,
  });

const broken = (report: Awaited<ReturnType<typeof judge>>) =>
  report.results.filter(({ status }) => status === 'failed').map(({ id }) => id);

test('there are seventeen properties, and a broken driver for each', () => {
  expect(properties.map(({ id }) => id)).toEqual(Array.from({ length: 17 }, (_, at) => `P${at + 1}`));
  expect(Object.keys(breakages)).toEqual(['none', ...properties.map(({ id }) => id)]);
});

test('the sound driver keeps all of them, and each was tried', async () => {
  const report = await judge('none');
  expect(report.results.filter(({ findings }) => findings.length > 0)).toEqual([]);
  expect(report.results.filter(({ status }) => status !== 'passed').map(({ id }) => id)).toEqual(['goldens']);
  expect(report.passed).toBe(true);
});

test.each(properties.map(({ id, name }) => [id, name] as const))(
  'the driver broken for %s (%s) fails it and no other',
  async (id) => {
    const report = await judge(id);
    expect(
      broken(report),
      JSON.stringify(
        report.results.flatMap(({ findings }) => findings),
        null,
        1,
      ),
    ).toEqual([id]);
    expect(report.passed).toBe(false);
  },
);
