// Comments cite pages of the specification by name and section; what they cite must be there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory())
      return ['node_modules', 'dist', 'build', 'bin', 'temp'].includes(entry.name) ? [] : filesBelow(full);
    return /\.(m?ts|mjs|c|h|md)$/.test(entry.name) ? [full] : [];
  });
}

/** What is wrong with the citations of a text; `headingsOf` gives the sections of a page, null when it is missing. */
function deadCitations(text: string, headingsOf: (page: string) => readonly string[] | null): string[] {
  const plain = text.replace(/\n\s*(?:\*|\/\/|#)?\s*/g, ' ');
  return [...plain.matchAll(/docs\/spec\/([a-z][a-z-]*)(\.md)?`?(?:,? \(?["“]([^"”]+)["”])?/g)].flatMap(
    ([citation, page = '', extension, section]) => {
      const headings = extension === undefined ? null : headingsOf(page);
      if (headings === null) return [citation];
      return section === undefined || headings.includes(section) ? [] : [citation];
    },
  );
}

function headingsOf(page: string): readonly string[] | null {
  const file = path.join(root, 'docs/spec', `${page}.md`);
  if (!existsSync(file)) return null;
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
}

test('every cited page and section of the specification exists', () => {
  const files = ['packages', 'apps', 'tools'].flatMap((directory) => filesBelow(path.join(root, directory)));
  expect(files.length).toBeGreaterThan(100);
  const dead = files
    .filter((file) => file !== import.meta.filename)
    .flatMap((file) =>
      deadCitations(readFileSync(file, 'utf8'), headingsOf).map(
        (citation) => `${path.relative(root, file)}: ${citation}`,
      ),
    );
  expect(dead).toEqual([]);
});

test('a page without its ending, a missing page and a missing section are seen, over line ends too', () => {
  const pages = (page: string) => (page === 'here' ? ['Good section'] : null);
  expect(deadCitations('docs/spec/here.md, "Good section"; docs/spec/here.md', pages)).toEqual([]);
  expect(deadCitations('`docs/spec/here.md`,\n * "Good\n * section"', pages)).toEqual([]);
  expect(deadCitations('docs/spec/here “good section”', pages)).toHaveLength(1);
  expect(deadCitations('docs/spec/gone.md', pages)).toHaveLength(1);
  expect(deadCitations('`docs/spec/here.md` ("Bad section")', pages)).toHaveLength(1);
  expect(deadCitations('docs/spec/here.md,\n// "Bad section"', pages)).toHaveLength(1);
});
