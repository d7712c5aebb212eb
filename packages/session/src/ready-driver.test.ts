import type { DriverInstance, LoadedDriver } from '@murmur/process-driver';
import { expect, test } from 'vitest';
import { readyDriver } from './ready-driver.js';

function countingDriver(fail = false) {
  const counts = { opened: 0, dropped: 0 };
  const instance = {
    async [Symbol.asyncDispose]() {
      counts.dropped += 1;
    },
  } as unknown as DriverInstance;
  const driver = {
    name: 'd',
    version: '1',
    async openInstance() {
      counts.opened += 1;
      if (fail) throw new Error('no');
      return instance;
    },
  } as unknown as LoadedDriver;
  return { counts, driver };
}

test('the first to ask gets the instance that was started ahead, the next a fresh one', async () => {
  const { counts, driver } = countingDriver();
  const ready = readyDriver(driver);
  await ready.driver.openInstance();
  expect(counts.opened).toBe(1);
  await ready.driver.openInstance();
  expect(counts.opened).toBe(2);
  await ready[Symbol.asyncDispose]();
  expect(counts.dropped).toBe(0);
});

test('an instance that nobody asked for is dropped', async () => {
  const { counts, driver } = countingDriver();
  await readyDriver(driver)[Symbol.asyncDispose]();
  expect(counts).toEqual({ opened: 1, dropped: 1 });
});

test('a failed start is told to the one who asks, and to nobody else', async () => {
  const { driver } = countingDriver(true);
  await readyDriver(driver)[Symbol.asyncDispose]();
  const ready = readyDriver(driver);
  await expect(ready.driver.openInstance()).rejects.toThrow('no');
});
