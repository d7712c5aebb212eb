import { diagnose, type ErrorCondition, renderError } from '@murmur/errors';
import { expect, test } from 'vitest';
import type { MurResult } from './mur.js';

/** A condition that happened in front of a user, and what the user saw. */
export interface Raised {
  readonly result: MurResult;
  /** The condition with every field as it must be told; a text written by `somewhere` may vary. */
  readonly condition: ErrorCondition;
}

const SOMEWHERE = /VARIES-(\d+)-SEIRAV/g;
const patterns: RegExp[] = [];

/** Stands for a text that the test cannot know to the letter (an engine's words, a path with an id): it must match. */
export function somewhere(pattern: RegExp): string {
  patterns.push(pattern);
  return `VARIES-${patterns.length - 1}-SEIRAV`;
}

/**
 * Proves that a catalog condition happens for real: the built `mur` ends with 1 and prints code, message and remedy
 * as the catalog writes them for these fields, and no stack trace. `docs/spec/conditions.md` is generated from the
 * calls.
 */
export function raises(variant: string, why: string, body: () => Promise<Raised>, timeoutMs?: number): void {
  test(
    `${variant}: ${why}`,
    async () => {
      const { result, condition } = await body();
      expect(condition.variant ?? ('code' in condition ? condition.code : null)).toBe(variant);
      const expected = renderError(diagnose(condition));
      if (SOMEWHERE.test(expected)) {
        const source = expected
          .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
          .replace(SOMEWHERE, (_, index: string) => `(?:${patterns[Number(index)]?.source ?? ''})`);
        expect(result.stderr).toMatch(new RegExp(source));
      } else expect(result.stderr).toContain(expected);
      expect(result.stderr).not.toMatch(/\n\s+at .+:\d+:\d+/);
      expect(result.code).toBe(1);
    },
    timeoutMs,
  );
}
