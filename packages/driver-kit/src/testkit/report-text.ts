import type { Finding } from './finding.js';
import type { PropertyResult, TestkitReport } from './run-properties.js';

/** The report for people, a line per property and what broke it below. Text of a driver or harness is quoted. */
export function reportText(report: TestkitReport): string {
  const failed = report.results.filter(({ status }) => status === 'failed');
  return [
    `${report.driver}: ${report.cases.length} recordings, seed ${report.seed}, ${report.runs} runs per property`,
    '',
    ...report.results.flatMap(resultLines),
    ...(report.notRecorded.length === 0
      ? []
      : ['', `Not in the recordings: ${report.notRecorded.join(', ')}.`]),
    '',
    failed.length === 0
      ? `All properties hold.`
      : `Broken: ${failed.map(({ id }) => id).join(', ')}. The same seed and runs show it again.`,
  ].join('\n');
}

const MARKS = { passed: 'ok  ', failed: 'FAIL', 'not-judged': '-   ' } as const;

function resultLines({
  id,
  name,
  status,
  launches,
  calls,
  findings,
  statement,
}: PropertyResult): readonly string[] {
  const counts =
    status === 'not-judged' ? 'no recording has what it is about' : `${launches} replays, ${calls} calls`;
  return [
    `${MARKS[status]} ${id.padEnd(7)} ${name} (${counts})`,
    ...(status === 'failed' ? [`       ${statement}`] : []),
    ...findings.flatMap(findingLines),
  ];
}

function findingLines(finding: Finding): readonly string[] {
  const where = finding.case === null ? '' : `${finding.case}: `;
  return [
    `     * ${printable(where + finding.problem)}`,
    ...(finding.counterexample === null
      ? []
      : [`       smallest input: ${printable(JSON.stringify(finding.counterexample) ?? '')}`]),
  ];
}

/** What a harness printed must not steer the terminal it is shown on. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)).slice(0, 4000);
}
