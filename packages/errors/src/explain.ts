import type { CatalogEntry } from './catalog.js';
import { docsLink } from './docs-link.js';
import { entriesOf, meaningOf } from './meanings.js';
import { unusedNumbers } from './numbers.js';

const WIDTH = 80;

/**
 * The long explanation of a code for a terminal: every condition that carries it, its message and
 * remedy with `<field>` where a value goes, and how to go on. Letter case of the code does not
 * matter. A retired or reserved number says so. Null for anything that is no code.
 */
export function explain(code: string): string | null {
  const wanted = code.trim().toUpperCase();
  const entries = entriesOf(wanted);
  if (entries.length === 0) {
    const unused = unusedNumbers.find((number) => number.code === wanted);
    return unused === undefined ? null : `${wanted} (${unused.state}): ${unused.note}\n`;
  }
  return [
    wrap(`${wanted}: ${meaningOf(wanted)}`, ''),
    ...entries.map((entry) => explainEntry(entry, entries.length > 1)),
    `Reference: ${docsLink(wanted)}\n`,
  ].join('\n\n');
}

function explainEntry(entry: CatalogEntry, shared: boolean): string {
  const title = entry.variant === null ? `When: ${entry.stage}` : `${entry.variant} (when: ${entry.stage})`;
  return [
    title,
    ...(shared ? [wrap(entry.summary, '  ')] : []),
    labelled(entry.severity, entry.message),
    labelled('remedy', entry.remedy ?? 'none is shown'),
    ...(entry.provisional ? [wrap('The number is provisional.', '  ')] : []),
    `\n${wrap(entry.explanation, '  ')}`,
  ].join('\n');
}

function labelled(label: string, text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return [wrap(`${label}: ${first}`, '  ', '    '), ...rest.map((line) => `    ${line}`)].join('\n');
}

function wrap(text: string, indent: string, restIndent: string = indent): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const prefix = lines.length === 0 ? indent : restIndent;
    if (line !== '' && prefix.length + line.length + 1 + word.length > WIDTH) {
      lines.push(prefix + line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push((lines.length === 0 ? indent : restIndent) + line);
  return lines.join('\n');
}
