import { configKeyTable, type KeyRow, manifestKeyTable } from './key-table.js';

const INTRODUCTION = `A capsule is described by \`murmur.yaml\`. This page lists every key with what its value must be, its default, what it does, and what this build does with it:

- **served**: it takes effect.
- **not served yet**: it is understood and what it asks for does not exist yet. A run that uses it is refused with [E-MAN-901](diagnostics.md#e-man-901), which names every such key. Where only one value is served, the page says which.
- **not enforced yet**: it restricts something and does not bind yet. The run goes on, and every launch says so with [W-SEC-901](diagnostics.md#w-sec-901).
- **no effect**: it is accepted, and nothing follows from it here.

A key that is not on this page is reported with [W-SEC-019](diagnostics.md#w-sec-019) and has no effect. Nothing is granted that the manifest does not declare.

## A first manifest

\`\`\`yaml
name: hello
version: 0.1.0
artifacts:
  - name: murmur-driver-codex
    version: 0.1.0
    runtime: driver
inference:
  transport: process
  driver:
    artifact: murmur-driver-codex
capabilities:
  env:
    allow: [LANG]
\`\`\`

## How values are written

- The file is YAML 1.2: one document of at most 256 KiB and 64 levels, without anchors, aliases, tags, directives and duplicate keys. \`yes\`, \`no\`, \`on\` and \`off\` are text, \`true\` and \`false\` are not.
- A version may be written without quotes: \`1.10\` stays \`1.10\`.
- A key without a value is refused, so that a list whose entries are commented out does not lift a restriction. Only optional text may be left blank and then counts as absent.
- A size is a number of bytes or a number with \`Ki\`, \`Mi\` or \`Gi\`; a duration is a number of seconds or a number with \`s\`, \`m\`, \`h\` or \`d\`.
- A path below the workdir may not lead out of it; \`.\` is the workdir itself.
- \`\${NAME}\` stands for a value kept elsewhere only where this page says so, and only when it is the whole text.`;

/** The reference of every key in Markdown, made from the same tables that the readers use. */
export function referencePage(): string {
  const manifest = manifestKeyTable();
  const sections = topLevel(manifest);
  const config = configKeyTable();
  return `${[
    '# The manifest',
    '<!-- Generated from the key tables of @murmur/manifest by packages/manifest/scripts/write-reference-page.mjs. Do not edit. -->',
    INTRODUCTION,
    '## Top level',
    table(manifest.filter((row) => !row.key.includes('.') && !row.key.includes('['))),
    ...sections.flatMap((name) => [`## \`${name}\``, table(below(manifest, name))]),
    '# Configuration',
    'Two files of one form: `~/.murmur/config.yaml` of the person who runs `mur`, and `.murmur/config.yaml` of a project. A project chooses and adds; it can only raise the containment floor and only lower a ceiling, and it can hold neither keys nor host directories.',
    table(config),
  ].join('\n\n')}\n`;
}

function topLevel(rows: readonly KeyRow[]): readonly string[] {
  const names = rows.map((row) => row.key).filter((key) => /^[a-z_]+$/.test(key));
  return names.filter((name) => below(rows, name).length > 0);
}

function below(rows: readonly KeyRow[], name: string): readonly KeyRow[] {
  return rows.filter((row) => row.key.startsWith(`${name}.`) || row.key.startsWith(`${name}[`));
}

function table(rows: readonly KeyRow[]): string {
  return [
    '| Key | Value | Default | What it does | State |',
    '|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| \`${row.key}\` | ${escapeMarkdown(row.kind)} | ${shownDefault(row)} | ${escapeMarkdown(row.note)} | ${shownState(row)} |`,
    ),
  ].join('\n');
}

function shownDefault(row: KeyRow): string {
  return row.default === '–' || row.default === 'required' ? row.default : `\`${row.default}\``;
}

function shownState(row: KeyRow): string {
  if (row.state === null) return '';
  if (row.state === 'served' && row.asksWhenAbsent) return 'served; leaving it out is not served yet';
  if (row.state !== 'not served' && row.state !== 'not enforced') return row.state;
  return row.servedValue === null ? `${row.state} yet` : `only \`${row.servedValue}\` is served`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[<>|*]/g, (character) => `\\${character}`);
}
