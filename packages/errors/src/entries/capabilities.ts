import { errorEntry } from '../define.js';
import {
  listOf,
  number,
  oneOf,
  optional,
  prose,
  type StrippedEnvAllowEntry,
  text,
  textList,
} from '../fields.js';
import { quotedList } from '../phrase.js';
import { RESERVED_TOOL_NAMES } from '../reserved-tool-names.js';

/** Declarations in the manifest that are refused while a run is staged. */
export const capabilityErrors = [
  errorEntry({
    variant: 'InvalidNetworkAllowEntry',
    code: 'E-CAP-001',
    stage: 'staging-before-workdir',
    fields: { entry: text, message: prose },
    summary: 'A capabilities.network.allow entry is not an address the rules understand.',
    message: (f) => `capabilities.network.allow entry '${f.entry}' is not usable: ${f.message}`,
    remedy: null,
    explanation:
      'An entry is a bare host (example.org), a host with a port (example.org:8443) or a URL of scheme http or https without path, query or fragment. Anything else is refused, because a rule that nobody can read the same way twice protects nothing.',
  }),
  errorEntry({
    variant: 'InvalidFilesystemScope',
    code: 'E-CAP-002',
    stage: 'staging-before-workdir',
    fields: { scope: text, message: prose },
    summary: 'A filesystem.scope leaves the workdir.',
    message: (f) => `filesystem.scope '${f.scope}' is not usable: ${f.message}`,
    remedy: null,
    explanation:
      "A scope is a path relative to the workdir that stays inside it; '.' means all of it. Absolute paths and paths that climb out with '..' are refused.",
  }),
  errorEntry({
    variant: 'InvalidReadOnlyPath',
    code: 'E-CAP-012',
    stage: 'staging-before-workdir',
    fields: { path: text, message: prose },
    summary: 'A capabilities.filesystem.read_only entry is blank or leaves the workdir.',
    message: (f) => `capabilities.filesystem.read_only entry '${f.path}' is not usable: ${f.message}`,
    remedy: null,
    explanation:
      "An entry is a path relative to the workdir that stays inside it; '.' protects all of it. Blank entries, absolute paths and paths that climb out with '..' are refused.",
  }),
  errorEntry({
    variant: 'InvalidArtifactConfig',
    code: 'E-CAP-010',
    stage: 'staging-before-workdir',
    fields: { artifact: text, message: prose },
    summary: "An artifact entry's config block cannot be delivered.",
    message: (f) => `the config of artifact '${f.artifact}' cannot be delivered: ${f.message}`,
    remedy:
      'write config as a mapping with text keys that JSON can express, at most 65536 bytes once serialised; it reaches only that artifact, as MURMUR_ARTIFACT_CONFIG, and leaving the key out delivers nothing; secrets do not belong in it',
    explanation:
      'The block is handed over as one JSON object. An empty value, a list or a scalar is no mapping; a value that JSON has no form for cannot be sent; a block above the limit is refused whole, never cut.',
  }),
  errorEntry({
    variant: 'InvalidStateStore',
    code: 'E-CAP-009',
    stage: 'staging-before-workdir',
    fields: { store: text, message: prose },
    summary: 'A capabilities.state.store name is not one directory name.',
    message: (f) => `capabilities.state.store '${f.store}' is not usable: ${f.message}`,
    remedy:
      "store names one directory under ~/.murmur/state/, without '/' and without a leading dot; leave the key out to use the capsule's name",
    explanation:
      'The name becomes a directory, so it must be exactly one segment: not empty, not absolute, without a slash, not starting with a dot.',
  }),
  errorEntry({
    variant: 'StateStoreUnavailable',
    code: 'E-CAP-009',
    stage: 'staging-before-workdir',
    fields: { store: text, path: text, message: prose },
    summary: 'This host cannot supply the state store.',
    message: (f) => `the state store '${f.store}' at '${f.path}' is not available: ${f.message}`,
    remedy: 'run with HOME set to an absolute path, and let this user create ~/.murmur/state/ with mode 0700',
    explanation:
      'The name is fine and the host cannot hold it: the home directory is unknown, or the directory cannot be made private to this user.',
  }),
  errorEntry({
    variant: 'InvalidConversationRecord',
    code: 'E-CAP-011',
    stage: 'staging-before-workdir',
    fields: { field: text, value: text, message: prose },
    summary: 'A record store or context name is not one directory name.',
    message: (f) => `${f.field} '${f.value}' is not usable: ${f.message}`,
    remedy:
      'context.record_store names the directory under ~/.murmur/conversations/ and --context the one below it; leave the first out to use the capsule name, the second to get a fresh id for each task',
    explanation:
      'Both inputs become directory names, one below the other, so each must be exactly one segment: not empty, not absolute, without a slash, not starting with a dot.',
  }),
  errorEntry({
    variant: 'ReservedToolName',
    code: 'E-CAP-013',
    stage: 'staging-before-workdir',
    fields: { name: text },
    summary: 'A declared artifact takes the name of a built-in tool.',
    message: (f) =>
      `the artifact name '${f.name}' belongs to a tool of the runtime; reserved are ${quotedList(RESERVED_TOOL_NAMES)}`,
    remedy: (f) =>
      `the runtime would answer every call to '${f.name}' itself: rename the artifact, or drop it if the built-in tool was wanted`,
    explanation:
      'Tools that the runtime provides are called by name. An artifact of the same name would never be reached, so the manifest is refused before anything is resolved.',
  }),
  errorEntry({
    variant: 'RuntimeProvidedToolNotReserved',
    code: 'E-CAP-013',
    stage: 'staging',
    fields: { name: text },
    summary: 'A built-in tool is missing from the list of reserved names.',
    message: (f) =>
      `the built-in tool '${f.name}' is not among the reserved names (${quotedList(RESERVED_TOOL_NAMES)}); the list must gain it`,
    remedy: 'this is a defect of the runtime and nothing in the manifest causes it: please report it',
    explanation:
      'The runtime was about to offer a tool under a name that an artifact could still take. It stops rather than leave the two to chance.',
  }),
  errorEntry({
    variant: 'EnvAllowStrippedByBackstop',
    code: 'E-CAP-016',
    stage: 'staging-before-workdir',
    fields: {
      entries: listOf<StrippedEnvAllowEntry>('StrippedEnvAllowEntry', ['name', 'pattern', 'source']),
    },
    summary: 'capabilities.env.allow names variables that are always removed.',
    message: (f) =>
      'capabilities.env.allow lists variables that never reach a guest: ' +
      f.entries.map((e) => `'${e.name}' (pattern '${e.pattern}' of the ${e.source})`).join(', '),
    remedy: (f) =>
      `remove ${quotedList(f.entries.map((e) => e.name))} from capabilities.env.allow, there is no way to opt out; the key of a provider belongs in the artifact's gateway.api_key`,
    explanation:
      'Names that usually hold credentials, and names that capabilities.shell.strip_env matches, are taken out of every guest environment. Listing one would promise something that never happens. The names alone decide, whether or not the host sets the variables.',
  }),
  errorEntry({
    variant: 'PersistentCapsuleNeedsHandleTtl',
    code: 'E-CAP-008',
    stage: 'staging-before-workdir',
    fields: { declared_secs: optional(number), ceiling_secs: number },
    summary: 'A capsule that sleeps shares files without a short lifetime.',
    message: (f) =>
      `lifecycle.after_task: sleep with exports.peer_files needs exports.peer_files.max_ttl of at most ${f.ceiling_secs} seconds, and ` +
      (f.declared_secs === null ? 'none is declared' : `${f.declared_secs} are declared`) +
      '; a handle that lives long is no substitute for durable storage',
    remedy:
      'declare exports.peer_files.max_ttl: 15m or less, or drop sleep; bytes that are needed after the capsule has ended are fetched by launching it again on the same workdir',
    explanation:
      'Handles to shared files end with the capsule that made them. A sleeping capsule does not end, so its handles need an end of their own.',
  }),
  errorEntry({
    variant: 'ExportRootOutsideWorkdir',
    code: 'E-CAP-007',
    stage: 'staging-before-workdir',
    fields: {
      field: oneOf('exports.files.root', 'exports.peer_files.root'),
      declared: text,
      resolved: text,
      workdir: text,
    },
    summary: 'An export root leads out of the workdir.',
    message: (f) =>
      `${f.field} '${f.declared}' resolves to '${f.resolved}', outside the workdir '${f.workdir}'`,
    remedy: (f) =>
      `point ${f.field} at a directory inside the workdir; a root that links out is refused as a whole`,
    explanation:
      'Files below an export root are served to others. A root that is a link to somewhere else would serve what the manifest never named. A root that does not exist yet is accepted.',
  }),
  errorEntry({
    variant: null,
    code: 'E-CAP-014',
    stage: 'any',
    fields: { names: textList },
    summary: 'Variables that the project needs are set nowhere.',
    message: (f) => `set neither in the environment nor in the workspace .env: ${quotedList(f.names)}`,
    remedy: (f) => `export ${f.names.join(', ')}, or write them into .env beside murmur.yaml`,
    explanation:
      'mur doctor looks for every variable that env.allow of a capsule in the project, or a gateway key of this manifest, refers to. A variable set to nothing counts as set. Only names are looked at.',
  }),
  errorEntry({
    variant: null,
    code: 'E-CAP-015',
    stage: 'any',
    fields: { parent: text, child: text, names: textList },
    summary: 'A capsule that would be spawned asks for variables its parent does not hold.',
    message: (f) =>
      `'${f.child}' allows ${quotedList(f.names)}, which its parent '${f.parent}' does not hold`,
    remedy: (f) => `add them to capabilities.env.allow of '${f.parent}', or drop them from '${f.child}'`,
    explanation:
      'A child can only be given what its parent has, so this spawn would be refused. mur doctor says so ahead of time.',
  }),
  errorEntry({
    variant: 'ConnectionRefused',
    code: 'E-CAP-901',
    stage: 'turn',
    fields: { target: text, reason: prose, key: text, entry: optional(text) },
    summary: 'A program of the capsule connected to what the manifest does not list.',
    message: (f) => `mur refused the connection to ${f.target}: ${f.reason}`,
    remedy: (f) =>
      f.entry === null
        ? `no entry of ${f.key} can allow this`
        : `if this capsule should reach it, add "${f.entry}" to ${f.key} in murmur.yaml and start it again`,
    explanation:
      'Programs of a capsule reach only what its manifest lists. The refusal is told to the program itself where plain HTTP is spoken, and recorded in the trace; other connections are reset. It is no fault of a proxy or of the network, and neither another address nor another program leads around it.',
    provisional: true,
  }),
] as const;
