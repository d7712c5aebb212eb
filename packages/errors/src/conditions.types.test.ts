import { expect, test } from 'vitest';
import type { ErrorCondition, WarningCondition } from './condition.js';

// Checked by the type checker: each line marked below must not compile.
test('a condition carries exactly its own fields', () => {
  const conditions: ErrorCondition[] = [
    { variant: 'PortInUse', port: 80 },
    { variant: null, code: 'E-RUN-015' },
    // @ts-expect-error a field is missing
    { variant: 'PortInUse' },
    // @ts-expect-error a field has the wrong type
    { variant: 'PortInUse', port: '80' },
    // @ts-expect-error no such field
    { variant: 'PortInUse', port: 80, host: 'h' },
    // @ts-expect-error no such variant
    { variant: 'PortTaken', port: 80 },
    // @ts-expect-error this code is reached through its variant only
    { variant: null, code: 'E-RUN-010', port: 80 },
    // @ts-expect-error not one of the words
    { variant: 'HarnessTurnFailed', kind: 'tired', message: '', origin: 'harness' },
  ];
  const warnings: WarningCondition[] = [
    { code: 'W-SEC-901', key: 'spend' },
    // @ts-expect-error a field is missing
    { code: 'W-SEC-901' },
  ];
  expect(conditions.length + warnings.length).toBe(10);
});
