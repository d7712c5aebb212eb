import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalog } from './catalog.js';
import { diagnosticsPage } from './diagnostics-page.js';
import { docsLink } from './docs-link.js';
import { explain } from './explain.js';
import { unusedNumbers } from './numbers.js';

const page = readFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), 'utf8');
const codes = [...new Set(catalog.map((entry) => entry.code))];

test('the page in docs is the one the catalog makes', () => {
  // After a change of the catalog: build, then node packages/errors/scripts/write-diagnostics-page.mjs
  expect(page).toBe(diagnosticsPage());
});

test('every live code has one index row, in code order, and one section with its anchor', () => {
  const rows = [...page.matchAll(/^\| \[([EW]-[A-Z]+-\d{3})\]\(#([^)]+)\) \| \S/gm)];
  expect(rows.map((row) => row[1])).toEqual(codes);
  // A heading's anchor is its text in lower case.
  const anchors = [...page.matchAll(/^### (\S+)$/gm)].map((heading) => heading[1]?.toLowerCase());
  expect(anchors).toEqual(rows.map((row) => row[2]));
  for (const code of codes) expect(anchors).toContain(docsLink(code).split('#')[1]);
});

test('retired and reserved numbers stand in their own table only', () => {
  for (const { code } of unusedNumbers) {
    expect(page.split(code)).toHaveLength(2);
  }
});

test.each(codes)('explain %s tells every condition of the code', (code) => {
  const text = explain(code.toLowerCase()) ?? '';
  expect(text.startsWith(`${code}: `)).toBe(true);
  for (const entry of catalog.filter((candidate) => candidate.code === code)) {
    if (entry.variant !== null) expect(text).toContain(`\n${entry.variant} (when: ${entry.stage})`);
    expect(text.replace(/\s+/g, ' ')).toContain(entry.explanation);
  }
  expect(text.endsWith(`Reference: ${docsLink(code)}\n`)).toBe(true);
});

test('explain knows retired numbers and answers null to what is no code', () => {
  expect(explain('W-SEC-026')).toMatch(/^W-SEC-026 \(retired\): .*E-RUN-038/);
  expect(explain('E-RUN-999')).toBeNull();
  expect(explain('')).toBeNull();
});
