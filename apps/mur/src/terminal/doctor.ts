import { renderForeseenError } from '@murmur/errors';
import type { DoctorBlock, DoctorReport, DoctorRow, DoctorStatus } from '@murmur/session';

const MARKS: Readonly<Record<DoctorStatus, string>> = { ok: '✓', warning: '⚠', error: '✗', info: '·' };

/** Blocks in the order of the report; `warnings` goes to stderr instead. */
const TITLES: readonly (readonly [DoctorBlock, string])[] = [
  ['manifest', 'Manifest'],
  ['refusals', 'What a run would be refused for'],
  ['containment', 'Containment'],
  ['home', 'Murmur home'],
  ['environment', 'Environment requirements'],
  ['harness', 'Harness'],
  ['interfaces', 'Interface versions'],
];

/** The report as people read it. Blocks without a finding are left out. */
export function doctorText({ rows, manifestPath, platform, summary, closing }: DoctorReport): string {
  const of = (block: DoctorBlock): readonly DoctorRow[] => rows.filter((row) => row.block === block);
  const blocks = TITLES.flatMap(([block, title]) => {
    const found = of(block);
    return found.length === 0 ? [] : [`${title}\n${found.map(rowText).join('')}`];
  });
  const artifacts = of('artifacts').map(rowText);
  const checklist = `Checking ${manifestPath} for ${platform}...\n${artifacts.join('')}`;
  const failed = rows.filter(({ status }) => status === 'error').map(({ remedy }) => remedy);
  const remedies = new Set([...failed, ...closing.map(({ hint }) => hint)].flatMap((remedy) => remedy ?? []));
  const fixes = [...remedies].map((remedy) => `Fix: ${indented(remedy)}\n`).join('');
  return `${[...blocks, checklist, summaryText(summary)].join('\n')}${fixes}`;
}

function rowText(row: DoctorRow): string {
  if (row.block === 'refusals') {
    const { code = '', message, remedy } = row;
    return `  ${indented(renderForeseenError({ code, message, ...(remedy === undefined ? {} : { hint: remedy }) }))}\n`;
  }
  const code = row.code === undefined ? '' : ` [${row.code}]`;
  const judged = row.status === 'error' || row.status === 'warning';
  const [first = '', ...rest] = row.message.split('\n');
  const more = rest.map((line) => `\n      ${line}`).join('');
  return `  ${MARKS[row.status]} ${row.name}${judged ? ' — ' : '  '}${first}${code}${more}\n`;
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

function summaryText({ passed, errors, warnings }: DoctorReport['summary']): string {
  if (errors + warnings === 0) return 'All checks passed.\n';
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const tail = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`;
  return `${counted(passed, 'check')} passed, ${counted(errors, 'error')} found${tail}.\n`;
}
