import { type CatalogEntry, catalog } from './catalog.js';
import { entriesOf, meaningOf } from './meanings.js';
import { unusedNumbers } from './numbers.js';

/** The diagnostics page in Markdown: an index in code order, and a section per code. */
export function diagnosticsPage(): string {
  const codes = [...new Set(catalog.map((entry) => entry.code))];
  return `${[
    '# Diagnostics',
    '<!-- Generated from the catalog of @murmur/errors by packages/errors/scripts/write-diagnostics-page.mjs. Do not edit. -->',
    'Every problem that `mur` reports carries a code. `E-…` ends the command, `W-…` lets it go on. ' +
      '`mur explain <CODE>` prints the section of a code; `mur explain --json` prints the catalog as data. ' +
      'In the texts below, `<field>` marks where a value goes. Codes from 901 upwards are provisional.',
    '## Index',
    [
      '| Code | Meaning |',
      '|---|---|',
      ...codes.map((code) => `| [${code}](#${code.toLowerCase()}) | ${escapeMarkdown(meaningOf(code))} |`),
    ].join('\n'),
    '## Codes',
    ...codes.map(section),
    '## Numbers without a meaning',
    'These numbers are never given a new meaning.',
    [
      '| Code | State | Note |',
      '|---|---|---|',
      ...unusedNumbers.map((n) => `| ${n.code} | ${n.state} | ${escapeMarkdown(n.note)} |`),
    ].join('\n'),
  ].join('\n\n')}\n`;
}

function section(code: string): string {
  const entries = entriesOf(code);
  return [
    `### ${code}`,
    ...(entries.length > 1 ? [escapeMarkdown(meaningOf(code))] : []),
    ...entries.map((entry) => describe(entry, entries.length > 1)),
  ].join('\n\n');
}

function describe(entry: CatalogEntry, shared: boolean): string {
  const facts = [
    `when: \`${entry.stage}\``,
    ...(entry.fields.length === 0
      ? []
      : [`fields: ${entry.fields.map((f) => `\`${f.name}: ${f.type}\``).join(', ')}`]),
    ...(entry.provisional ? ['provisional number'] : []),
  ].join('; ');
  return [
    ...(entry.variant !== null
      ? [`**\`${entry.variant}\`**`]
      : shared
        ? ['**Without a variant of its own**']
        : []),
    escapeMarkdown(entry.summary),
    `\`\`\`text\n${entry.severity}[${entry.code}]: ${entry.message.replaceAll('\n', '\n  ')}\n\`\`\``,
    entry.remedy === null ? 'Remedy: none is shown.' : `Remedy:\n\n\`\`\`text\n${entry.remedy}\n\`\`\``,
    escapeMarkdown(entry.explanation),
    facts,
  ].join('\n\n');
}

function escapeMarkdown(text: string): string {
  return text.replace(/[<>|*]/g, (character) => `\\${character}`);
}
