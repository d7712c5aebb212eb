import { errorEntry } from '../define.js';
import {
  type KeyPosition,
  listOf,
  number,
  optional,
  osErrorField,
  prose,
  type SourceOutcome,
  text,
  textList,
} from '../fields.js';
import { coordinate, installCommand, osText, place, quotedList } from '../phrase.js';

/** Files of the host, and reading `murmur.yaml` and `murmur.lock`. */
export const ioAndManifestErrors = [
  errorEntry({
    variant: null,
    code: 'E-IO-001',
    stage: 'any',
    fields: { what: text, path: text },
    summary: 'A file or directory does not exist.',
    message: (f) => `${f.what} not found: '${f.path}'`,
    remedy: 'check the path, and the directory the command is run in',
    explanation:
      'Something that was named does not exist where it was looked for. murmur.yaml is looked for in the current directory and then in each directory above it.',
  }),
  errorEntry({
    variant: null,
    code: 'E-IO-002',
    stage: 'any',
    fields: { operation: text, path: text, source: osErrorField },
    summary: "The host's permissions refuse a path.",
    message: (f) => `cannot ${f.operation} '${f.path}': ${osText(f.source)}`,
    remedy: (f) =>
      `fix the permissions of '${f.path}' and of the directories above it, or run as the user who owns it`,
    explanation: 'The operating system refused this user. It has nothing to do with the grants of a capsule.',
  }),
  errorEntry({
    variant: null,
    code: 'E-IO-003',
    stage: 'any',
    fields: { operation: text, path: optional(text), reason: prose },
    summary: 'A file, archive or connection could not be used.',
    message: (f) => `cannot ${f.operation}${f.path === null ? '' : ` '${f.path}'`}: ${f.reason}`,
    remedy: null,
    explanation:
      'An input or output operation failed for a reason other than absence or permission. The message names the operation, the path or peer, and the underlying error.',
  }),
  errorEntry({
    variant: null,
    code: 'E-MAN-001',
    stage: 'parse',
    fields: { file: text, key: text },
    summary: 'A required field is missing.',
    message: (f) => `${f.file}: the required field ${f.key} is missing`,
    remedy: (f) => `add ${f.key} to ${f.file}`,
    explanation: 'The file parses and lacks a field that has no default.',
  }),
  errorEntry({
    variant: null,
    code: 'E-MAN-002',
    stage: 'parse',
    fields: { file: text, line: optional(number), column: optional(number), reason: prose },
    summary: 'The text is not valid YAML.',
    message: (f) => `${place(f.file, f.line, f.column)}: not valid YAML: ${f.reason}`,
    remedy: 'correct the YAML at the place named',
    explanation:
      'The parser could not read the text. Duplicate keys, nesting that is too deep and files that are too large count as syntax errors. A value of the wrong kind is E-MAN-003.',
  }),
  errorEntry({
    variant: null,
    code: 'E-MAN-003',
    stage: 'parse',
    fields: {
      file: text,
      line: optional(number),
      column: optional(number),
      key: text,
      value: optional(text),
      problem: prose,
      remedy: optional(prose),
    },
    summary: 'A field has the wrong type or a value that is not acceptable.',
    message: (f) =>
      `${place(f.file, f.line, f.column)}: ${f.key}${f.value === null ? '' : ` '${f.value}'`}: ${f.problem}`,
    remedy: (f) => f.remedy,
    explanation:
      'The field exists and its value cannot be used: a wrong type, a word that is not among the allowed ones, two keys that exclude each other, a key that was removed. The message names file, place, field, value and rule.',
  }),
  errorEntry({
    variant: 'FeatureNotServed',
    code: 'E-MAN-901',
    stage: 'staging-before-workdir',
    fields: { file: text, keys: listOf<KeyPosition>('KeyPosition', ['key', 'line', 'column']) },
    summary: 'The manifest asks for features that this build does not serve.',
    message: (f) =>
      `${f.file} asks for features that this build does not serve: ` +
      f.keys.map((k) => `${k.key} (line ${k.line}, column ${k.column})`).join(', '),
    remedy: (f) => `remove ${f.keys.map((k) => k.key).join(', ')}, or use a release of mur that serves them`,
    explanation:
      'The keys are understood and what they ask for is not built yet. Running without it would do less than the manifest says, so the run is refused and every such key is named.',
    provisional: true,
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-003',
    stage: 'parse',
    fields: { file: text, problem: prose, remedy: optional(prose) },
    summary: 'murmur.lock cannot be used.',
    message: (f) => `${f.file}: ${f.problem}`,
    remedy: (f) => f.remedy ?? "run 'mur install' again, or correct the file",
    explanation:
      'The lock has a version that is not supported, lacks a digest for this platform, holds a malformed origin, or does not parse at all.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-004',
    stage: 'parse',
    fields: { directory: text, candidates: textList },
    summary: 'The component of a script project is not clear.',
    message: (f) =>
      f.candidates.length === 0
        ? `'${f.directory}' holds no *.wasm file to run`
        : `'${f.directory}' holds several components and none is called capsule.wasm: ${quotedList(f.candidates)}`,
    remedy: 'name exactly one of them capsule.wasm',
    explanation:
      'A project without inference runs capsule.wasm, or the only *.wasm file in its root. Here neither rule picks one.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-008',
    stage: 'parse',
    fields: { missing: textList },
    summary: 'Declared artifacts are not installed.',
    message: (f) => `declared and not installed: ${f.missing.join(', ')}`,
    remedy: (f) => `install the archive of each: ${f.missing.map(archiveOf).join('; ')}`,
    explanation:
      'mur run looks into the project store and the global store before it stages anything. Registries are not asked at this point.',
  }),
] as const;

/** Artifacts that are built, published, resolved. */
export const registryAndBuildErrors = [
  errorEntry({
    variant: null,
    code: 'E-REG-001',
    stage: 'any',
    fields: { name: text, version: text, problem: prose },
    summary: 'No source holds the artifact, or none for this platform.',
    message: (f) => `no source has ${coordinate(f)}: ${f.problem}`,
    remedy: (f) => `publish ${coordinate(f)} first, or correct the registries that the configuration names`,
    explanation:
      'Every source that was asked gave a definite answer, and none has the artifact or a build of it for this platform.',
  }),
  errorEntry({
    variant: null,
    code: 'E-REG-003',
    stage: 'any',
    fields: { name: text, version: text, problem: prose },
    summary: 'The name and version are taken.',
    message: (f) => `${coordinate(f)} exists already: ${f.problem}`,
    remedy:
      'raise the version in murmur.yaml and build again; what was published under a version never changes',
    explanation:
      'A coordinate stands for the same bytes for ever, so it cannot be filed twice with different ones.',
  }),
  errorEntry({
    variant: null,
    code: 'E-REG-004',
    stage: 'any',
    fields: { name: text, version: text, problem: prose },
    summary: 'The version is a reserved word.',
    message: (f) => `${coordinate(f)} cannot be filed: ${f.problem}`,
    remedy: 'use an explicit version such as 1.2.0; latest, stable and edge are reserved',
    explanation: 'Words that move over time cannot be versions of an artifact.',
  }),
  errorEntry({
    variant: null,
    code: 'E-REG-005',
    stage: 'any',
    fields: { name: text, version: text, problem: prose },
    summary: 'A resolved artifact disagrees with murmur.lock.',
    message: (f) => `${coordinate(f)} disagrees with murmur.lock: ${f.problem}`,
    remedy: (f) =>
      `install what the lock pins; for an intended upgrade remove the entry of '${f.name}' from murmur.lock and run '${installCommand(f)}'`,
    explanation: 'The version or digest that was resolved is not the one the lock pins.',
  }),
  errorEntry({
    variant: null,
    code: 'E-REG-006',
    stage: 'any',
    fields: {
      name: text,
      version: text,
      sources: listOf<SourceOutcome>('{source, outcome}', ['source', 'outcome']),
    },
    summary: 'At least one source did not answer.',
    message: (f) =>
      `${coordinate(f)} was not found, and not every source answered` +
      f.sources.map((s) => `\n${s.source}: ${s.outcome}`).join(''),
    remedy: "export a token or set the source's token, correct the entry of the source, or try again later",
    explanation:
      'A source was rate limited, refused, unreachable or misconfigured, so whether the artifact exists is not known. Each source has its own line.',
  }),
  errorEntry({
    variant: null,
    code: 'E-BLD-001',
    stage: 'parse',
    fields: { name: text, problem: prose },
    summary: 'The artifact name is not allowed.',
    message: (f) => `the artifact name '${f.name}' is not allowed: ${f.problem}`,
    remedy: 'use 1 to 100 of a-z, 0-9 and -, neither starting nor ending with -',
    explanation:
      'Names become file names and parts of addresses, so the alphabet is small. It is decided before a byte is written.',
  }),
  errorEntry({
    variant: null,
    code: 'E-BLD-002',
    stage: 'parse',
    fields: { entry: text, problem: prose },
    summary: 'An entry of the archive is not a plain relative path.',
    message: (f) => `'${f.entry}' cannot be packed: ${f.problem}`,
    remedy: 'list plain files by distinct relative paths inside the project',
    explanation:
      'Absolute paths, paths that climb out, links, and two entries that would land on one archive name are refused before a byte is written.',
  }),
  errorEntry({
    variant: null,
    code: 'E-BLD-003',
    stage: 'parse',
    fields: { directory: text, problem: prose },
    summary: 'Not exactly one component would be launched.',
    message: (f) => `'${f.directory}' does not hold exactly one component to launch: ${f.problem}`,
    remedy: 'keep exactly one *.wasm file in the root, or call the one that counts capsule.wasm',
    explanation:
      'The same rule picks the component when the artifact is used, so an unclear archive would fail there.',
  }),
  errorEntry({
    variant: null,
    code: 'E-BLD-004',
    stage: 'parse',
    fields: { file: text },
    summary: 'The manifest uses the retired block inference_auth.',
    message: (f) => `${f.file} declares inference_auth, which is retired`,
    remedy: 'rename the block to upstream_auth; as it stands every launch would fail with E-RUN-025',
    explanation: 'The block was renamed. It is refused even where upstream_auth stands beside it.',
  }),
  errorEntry({
    variant: null,
    code: 'E-BLD-008',
    stage: 'parse',
    fields: { artifact: text, entry: text, problem: prose },
    summary: "A tool's programs needs are malformed.",
    message: (f) => `programs entry '${f.entry}' of '${f.artifact}' is malformed: ${f.problem}`,
    remedy: "correct the entry in the artifact's manifest and build again",
    explanation:
      'A tool lists the host programs it needs. mur build checks the list; the same fault found at staging is E-RUN-062.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-062',
    stage: 'staging-before-workdir',
    fields: { artifact: text, entry: text, problem: prose },
    summary: "An installed tool's programs needs are malformed.",
    message: (f) => `programs entry '${f.entry}' of the installed '${f.artifact}' is malformed: ${f.problem}`,
    remedy: (f) => `install a corrected version of '${f.artifact}'`,
    explanation:
      'The list of host programs that the tool needs cannot be read. At build time the same fault is E-BLD-008.',
  }),
] as const;

/** `name@version` as the command that installs it. */
function archiveOf(artifact: string): string {
  const at = artifact.lastIndexOf('@');
  return installCommand({ name: artifact.slice(0, at), version: artifact.slice(at + 1) });
}
