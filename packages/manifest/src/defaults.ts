/** Every default of the data formats, in one place. Sizes in bytes, times in seconds. */

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;
const GIBIBYTE = 1024 * MEBIBYTE;

/** Ceilings of every YAML text, applied before or while it is read. */
export const yamlCeilings = Object.freeze({
  /** Checked before parsing: the parser needs seconds for hostile texts above this. */
  maxBytes: 256 * KIBIBYTE,
  /** Nesting of lists and mappings. */
  maxDepth: 64,
});

/** Defaults of a capsule manifest's keys. */
export const manifestDefaults = Object.freeze({
  componentLimits: Object.freeze({
    memoryBytes: 512 * MEBIBYTE,
    tableElements: 100_000,
    instances: 1_000,
    deadlineSeconds: 600,
    hookDeadlineSeconds: 30,
  }),
  processResources: Object.freeze({
    maxProcesses: 128,
    maxOpenFiles: 1_024,
    maxFileSizeBytes: 4 * GIBIBYTE,
    cpuSeconds: 3_600,
    memoryBytes: 2 * GIBIBYTE,
    cgroupMemoryBytes: 4 * GIBIBYTE,
    cgroupPidsMax: 256,
    cgroupCpuPercent: 200,
    cgroupIoBytesPerSec: 100 * MEBIBYTE,
    workdirMaxBytes: 10 * GIBIBYTE,
  }),
  baselineEnvironment: Object.freeze([
    'PATH',
    'HOME',
    'USER',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'TEMP',
    'TMP',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'TERM',
  ] as const),
  context: Object.freeze({ seedBudget: 0.1, seedOverflowMargin: 0.1, record: 'on' as const }),
  inference: Object.freeze({
    transport: 'http' as const,
    maxTurns: 10,
    maxTokens: 8_192,
    toolRefresh: 'compaction' as const,
  }),
  compactionThreshold: 0.98,
  lifecycle: Object.freeze({
    taskAcceptance: 'single' as const,
    afterTask: 'exit' as const,
    queueDepth: 1,
    conversation: 'stateless' as const,
    maxTaskReopens: 1,
    shellGraceSecs: 10,
    delegationDeadlineSecs: 600,
  }),
  doneCheck: Object.freeze({ limit: 1, timeoutSecs: 600 }),
  exports: Object.freeze({ maxBytes: 10 * MEBIBYTE, sleepingMaxTtlSeconds: 900, maxTtlSeconds: 3_600 }),
  traceCapture: 'meta' as const,
});

/** Bound of a `config` block, as compact JSON. */
export const maxArtifactConfigBytes = 64 * KIBIBYTE;

/** Bound of one unpacked archive entry. */
export const maxArtifactDecompressedBytes = 524_288_000;

/**
 * The artifact source that holds while no global configuration file exists. It has no repository yet: until
 * one is published it counts as a source that does not answer.
 */
export const builtInSource = Object.freeze({ name: 'official', type: 'github' as const });
