import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCapsuleManifest } from './capsule/parse.js';
import { manifestKeyTable } from './key-table.js';
import { referencePage } from './reference-page.js';

const page = readFileSync(new URL('../../../docs/manifest.md', import.meta.url), 'utf8');

describe('docs/manifest.md', () => {
  it('is what the key tables say; write it anew with scripts/write-reference-page.mjs', () => {
    expect(page).toBe(referencePage());
  });

  it('names every key', () => {
    for (const { key } of manifestKeyTable()) expect(page).toContain(`\`${key}\``);
  });

  it('shows a first manifest that is served', () => {
    const text = /```yaml\n([^`]*)```/.exec(page)?.[1] ?? '';
    const { unserved, unenforced, warnings } = parseCapsuleManifest(text, { file: 'murmur.yaml' });
    expect({ unserved, unenforced, warnings }).toEqual({ unserved: [], unenforced: [], warnings: [] });
  });
});
