/** A case that ended in a way no input may bring about. */
export interface FoundFault {
  readonly caseNumber: number;
  readonly problem: string;
}

/** Resident memory at a mark of a run, MiB. */
export interface MemoryMark {
  readonly caseNumber: number;
  readonly residentMib: number;
}

/** What a generator's run came to. */
export interface GeneratorReport {
  readonly name: string;
  readonly seed: string;
  readonly cases: number;
  readonly seconds: number;
  /** Cases per outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  readonly faults: readonly FoundFault[];
  readonly slowest: { readonly caseNumber: number; readonly ms: number };
  readonly memory: readonly MemoryMark[];
  /** Why memory is taken to have grown; null when it did not. */
  readonly growth: string | null;
}

/** Heaps grow in steps of their own; what leaks goes on growing by more than this, MiB. */
const STEP_MIB = 48;

/** Whether resident memory went on growing after the first quarter; null when it did not. */
export function memoryGrowth(marks: readonly MemoryMark[]): string | null {
  const [first, ...later] = marks;
  const last = later.at(-1);
  if (first === undefined || last === undefined || later.length < 3) return null;
  const allowed = first.residentMib * 1.25 + STEP_MIB;
  if (last.residentMib <= allowed) return null;
  return `${first.residentMib} MiB after the first quarter, ${last.residentMib} MiB at the end`;
}

export const isClean = (report: GeneratorReport): boolean =>
  report.faults.length === 0 && report.growth === null;

/** The report for a terminal: counts per code, and what makes each fault again. */
export function formatReport(report: GeneratorReport): string {
  const width = Math.max(12, ...Object.keys(report.outcomes).map((outcome) => outcome.length));
  const rows = Object.entries(report.outcomes)
    .sort(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `  ${outcome.padEnd(width)}  ${count}`);
  const marks = report.memory.map(({ residentMib }) => residentMib).join(', ');
  return [
    `${report.name}: ${report.cases} cases, seed ${report.seed}, ${report.seconds.toFixed(0)} s`,
    ...rows,
    `  ${'unclassified'.padEnd(width)}  ${report.faults.length}`,
    `  slowest case ${report.slowest.caseNumber}: ${report.slowest.ms.toFixed(0)} ms; resident at the quarters: ${marks} MiB`,
    ...(report.growth === null ? [] : [`  MEMORY GREW: ${report.growth}`]),
    ...report.faults.map(
      ({ caseNumber, problem }) =>
        `  FAULT, made again by --only ${report.name} --seed ${report.seed} --case ${caseNumber}:\n${problem.replace(/^/gm, '    ')}`,
    ),
  ].join('\n');
}
