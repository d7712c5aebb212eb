/** A number that no condition of this build uses, and why. */
export interface UnusedNumber {
  readonly code: string;
  readonly state: 'retired' | 'gap' | 'reserved';
  readonly note: string;
}

/** Numbers that are never given a meaning: retired ones, gaps, and blocks presumed in use elsewhere. */
export const unusedNumbers: readonly UnusedNumber[] = [
  retired('W-REG-001', 'Meant an installed native artifact without a recorded platform. No longer raised.'),
  retired('W-RUN-005', 'No longer raised.'),
  retired('W-RUN-006', 'No longer raised.'),
  retired(
    'W-SEC-020',
    'Meant a delegating capsule whose lifecycle cannot take the outcome. Outcomes now reach the delegating task on every lifecycle.',
  ),
  retired(
    'W-SEC-026',
    'Concerned the spend ceiling of the machine under transport: process. Replaced by E-RUN-038 and W-SEC-031.',
  ),
  { code: 'E-DEPLOY-002', state: 'gap', note: 'Never used.' },
  { code: 'E-DEPLOY-005', state: 'gap', note: 'Never used.' },
  { code: 'E-RUN-031', state: 'gap', note: 'Never used.' },
  ...reservedRange('E-BLD', 5, 7),
  ...reservedRange('E-CAP', 20, 20),
  ...reservedRange('E-RUN', 50, 61),
  ...reservedRange('W-SEC', 33, 34),
];

function retired(code: string, note: string): UnusedNumber {
  return { code, state: 'retired', note };
}

function reservedRange(family: string, first: number, last: number): UnusedNumber[] {
  return Array.from({ length: last - first + 1 }, (_, offset) => ({
    code: `${family}-${String(first + offset).padStart(3, '0')}`,
    state: 'reserved' as const,
    note: 'Reserved; carries no meaning here.',
  }));
}
