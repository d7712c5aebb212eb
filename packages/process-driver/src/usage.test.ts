import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Usage } from './contract.js';
import { createUsageLedger } from './usage.js';

test('a turn is charged the growth of each member, absent members stay absent', () => {
  const ledger = createUsageLedger();
  ledger.report({ input: 100, output: 5 });
  ledger.report({ output: 9 });
  expect(ledger.takeGrowth()).toEqual({ input: 100, output: 9 });
  ledger.report({ input: 100, output: 9 });
  expect(ledger.hasOutstanding()).toBe(false);
  expect(ledger.takeGrowth()).toEqual({ input: 0, output: 0 });
  ledger.report({ input: 150, cacheRead: 7 });
  expect(ledger.hasOutstanding()).toBe(true);
  expect(ledger.takeGrowth()).toEqual({ input: 50, output: 0, cacheRead: 7 });
});

test('a total that shrinks counts nothing until it has grown past its peak', () => {
  const ledger = createUsageLedger();
  ledger.report({ output: 80 });
  ledger.takeGrowth();
  ledger.report({ output: 30 });
  expect(ledger.takeGrowth()).toEqual({ output: 0 });
  ledger.report({ output: 90 });
  expect(ledger.takeGrowth()).toEqual({ output: 10 });
});

test('reported zero is not absent', () => {
  const ledger = createUsageLedger();
  ledger.report({ thinking: 0 });
  expect(ledger.takeGrowth()).toEqual({ thinking: 0 });
  expect(ledger.hasOutstanding()).toBe(false);
});

test('over any run, the growth taken adds up to the largest total seen at a close', () => {
  const step = fc.oneof(
    fc.record({ input: fc.nat(1000) }),
    fc.record({ output: fc.nat(1000) }),
    fc.constant('close' as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const ledger = createUsageLedger();
      let sum = 0;
      let held: number | undefined;
      let peak: number | undefined;
      for (const next of [...steps, 'close' as const]) {
        if (next === 'close') {
          const grown: Usage = ledger.takeGrowth();
          expect(grown.input === undefined).toBe(held === undefined);
          sum += grown.input ?? 0;
          if (held !== undefined) peak = Math.max(peak ?? 0, held);
        } else {
          ledger.report(next);
          if ('input' in next) held = next.input;
        }
      }
      expect(sum).toBe(peak ?? 0);
    }),
  );
});
