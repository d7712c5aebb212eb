/**
 * The typed form of a capsule manifest. Names are the YAML keys in camel case; defaults are applied; an
 * optional key that is absent is `undefined`. Everything handed out is frozen.
 */

/** A JSON value as a manifest's free-form `config` blocks hold it. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: JsonValue };

/** Where something stands in a text file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Where a key and its value stand. For an element of a list both are the element's own position. */
export interface KeyPosition {
  readonly key: Position;
  readonly value: Position;
}

/** Every key of a file by its dotted path (`inference.driver.artifact`, `artifacts[0].name`). */
export type Positions = ReadonlyMap<string, KeyPosition>;

/** A key that a manifest uses, and where. */
export interface KeyUse {
  /** Dotted path, list indexes in brackets. */
  readonly key: string;
  readonly line: number;
  readonly column: number;
}

/** What an artifact is for. */
export type ArtifactRole = 'tool' | 'driver' | 'hook' | 'skill';

/** How strongly a capsule's commands are contained, weakest first. */
export type ContainmentFloor = 'advisory' | 'scoped' | 'sealed';

/** A capsule manifest (`murmur.yaml` as `mur run` reads it). */
export interface CapsuleManifest {
  readonly name: string;
  readonly version: string;
  /** The version of `mur` that the author pinned, as written. */
  readonly murVersion?: string | undefined;
  readonly artifacts: readonly ArtifactEntry[];
  readonly capabilities: CapsuleCapabilities;
  /** The A2A door; absent = its defaults. */
  readonly network?: DoorSettings | undefined;
  readonly context: ContextSettings;
  /** Absent = a script capsule: tools run, no model. */
  readonly inference?: InferenceSettings | undefined;
  readonly lifecycle: LifecycleSettings;
  readonly exports?: ExportSettings | undefined;
  readonly control?: ControlSettings | undefined;
  readonly observability: ObservabilitySettings;
  readonly trace: TraceSettings;
}

/** One entry of `artifacts`. */
export interface ArtifactEntry {
  /** Bare (`my-tool`) or scoped (`scope/my-tool`), as written. */
  readonly name: string;
  /** As written, or `local` when `source` is set. */
  readonly version: string;
  readonly runtime: ArtifactRole;
  /** Path relative to the manifest's directory. */
  readonly source?: string | undefined;
  readonly localSource: boolean;
  readonly promptPayload: boolean;
  readonly capabilities?: ArtifactCapabilities | undefined;
  /** Whatever the YAML holds, `null` included; its shape is judged before staging (`E-CAP-010`). */
  readonly config?: JsonValue | undefined;
  readonly gateway?: GatewaySettings | undefined;
  readonly onOverflow: 'drop' | 'block';
}

/** Where the runtime sends an artifact's requests, and with which key. */
export interface GatewaySettings {
  readonly endpoint: string;
  /** `${NAME}` or the key itself. Treat it as a secret. */
  readonly apiKey?: string | undefined;
  readonly keyless: boolean;
}

/** `capabilities` of the capsule: the ceiling of every grant. */
export interface CapsuleCapabilities {
  readonly network: {
    readonly allow: readonly string[];
    readonly unixSockets: boolean;
  };
  readonly peerFetch?: { readonly allow: readonly string[] } | undefined;
  readonly filesystem: {
    /** Path below the workdir; absent = the whole workdir. */
    readonly scope?: string | undefined;
    /** As written, blank entries included: they are refused before staging. */
    readonly readOnly: readonly string[];
    readonly execTrees: readonly string[];
    readonly workdirExec: boolean;
  };
  readonly shell?: ShellCapability | undefined;
  readonly env: { readonly allow: readonly string[] };
  readonly spawn: {
    readonly allow: readonly string[];
    readonly workdirSnapshot: readonly string[];
  };
  readonly install?: InstallCapability | undefined;
  readonly plan?: { readonly submit: boolean } | undefined;
  readonly harness: { readonly paths: readonly HarnessPath[] };
  readonly limits: ComponentLimits;
  readonly resources: ProcessResources;
  /** The declared floor; absent = no requirement. */
  readonly containment?: ContainmentFloor | undefined;
  /** Has no effect on a capsule; a warning says so. */
  readonly state?: { readonly store?: string | undefined } | undefined;
  /** Has no effect on a capsule; a warning says so. */
  readonly conversation?: { readonly read?: boolean | undefined } | undefined;
}

/** `capabilities` of one artifact: what it gets inside the capsule's ceiling. */
export interface ArtifactCapabilities {
  readonly network?:
    | { readonly allow?: readonly string[] | undefined; readonly unixSockets?: boolean | undefined }
    | undefined;
  readonly peerFetch?: { readonly allow: readonly string[] } | undefined;
  readonly filesystem?:
    | {
        readonly scope?: string | undefined;
        readonly readOnly: readonly string[];
        readonly execTrees: readonly string[];
        readonly workdirExec: boolean;
        readonly records: boolean;
      }
    | undefined;
  readonly state?: { readonly store?: string | undefined } | undefined;
  readonly taskIo?: { readonly read: boolean } | undefined;
  readonly conversation?: { readonly read: boolean } | undefined;
  readonly plan?: { readonly submit: boolean } | undefined;
  readonly shell?: ShellCapability | undefined;
  readonly env?: { readonly allow: readonly string[] } | undefined;
  readonly spawn?:
    | { readonly allow: readonly string[]; readonly workdirSnapshot: readonly string[] }
    | undefined;
  readonly harness?: { readonly paths: readonly HarnessPath[] } | undefined;
  readonly limits?: ComponentLimits | undefined;
  readonly resources?: ProcessResources | undefined;
  readonly containment?: ContainmentFloor | undefined;
}

/** Which programs may be run, and with which environment. */
export interface ShellCapability {
  /** Bare program names, never empty. */
  readonly allow: readonly string[];
  /** Name patterns taken out of the environment on top of the built-in ones. */
  readonly stripEnv: readonly string[];
  /** Name patterns kept; absent = the built-in baseline. */
  readonly baselineEnv?: readonly string[] | undefined;
  readonly interpreterRuntime: readonly {
    readonly binary: string;
    readonly dirs: readonly { readonly path: string; readonly listDir: boolean }[];
  }[];
  readonly stagedRuntime: readonly {
    readonly binary: string;
    readonly sourcePath: string;
    readonly pin: string;
  }[];
}

/** Which artifacts a running capsule may pull. */
export interface InstallCapability {
  readonly skill: readonly string[];
  readonly tool: readonly string[];
  /** `sources`: also from the configured sources; absent: from the stores only. */
  readonly from?: 'sources' | undefined;
}

/** A host directory that the harness may be given when its driver asks for it. */
export interface HarnessPath {
  /** Absolute, or `~/…` below the home of the account running `mur`. */
  readonly path: string;
  readonly access: 'read' | 'read-write';
}

/** Bounds of one WASM component. */
export interface ComponentLimits {
  readonly memoryBytes: number;
  readonly tableElements: number;
  readonly instances: number;
  /** Absent = 600 for a capsule, tool or driver call, 30 for a hook call. */
  readonly deadlineSeconds?: number | undefined;
}

/** Bounds of the processes of a session. */
export interface ProcessResources {
  readonly maxProcesses: number;
  readonly maxOpenFiles: number;
  readonly maxFileSizeBytes: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly cgroupMemoryBytes: number;
  readonly cgroupPidsMax: number;
  readonly cgroupCpuPercent: number;
  readonly cgroupIoBytesPerSec: number;
  readonly workdirMaxBytes: number;
}

/** What a caller of the door may do. */
export type DoorScope =
  | 'message/send'
  | 'message/stream'
  | 'stream/watch'
  | 'tasks/get'
  | 'tasks/cancel'
  | 'session/stop'
  | 'resources/files';

/** The capsule's A2A door. */
export interface DoorSettings {
  readonly internalPort?: number | undefined;
  readonly authentication?:
    | {
        readonly scheme: 'bearer';
        readonly credentials: Readonly<Record<string, { readonly scopes: readonly DoorScope[] }>>;
      }
    | undefined;
}

/** What is kept of a conversation, and how much of it a model sees. */
export interface ContextSettings {
  readonly maxTokens?: number | undefined;
  /** Fraction of `maxTokens`, 0 to 1. */
  readonly seedBudget: number;
  /** Fraction of the seed budget, 0 to 1. */
  readonly seedOverflowMargin: number;
  readonly record: 'on' | 'off';
  /** As written, an empty text included: it is refused before staging (`E-CAP-011`). */
  readonly recordStore?: string | undefined;
  readonly retain?:
    | { readonly maxMessages?: number | undefined /** Seconds. */; readonly maxAge?: number | undefined }
    | undefined;
  readonly images?: { readonly maxBytes?: number | undefined } | undefined;
}

/** The model and the driver that talks to it. */
export interface InferenceSettings {
  readonly transport: 'http' | 'process';
  /** Empty under `process` = the harness's own default. */
  readonly model?: string | undefined;
  /** `driver`, or the older spelling `provider` when only that is present. */
  readonly driver?:
    | { readonly artifact?: string | undefined; readonly config?: JsonObject | undefined }
    | undefined;
  /** Program name looked up on PATH, or a path; absent = the driver's own answer. */
  readonly command?: string | undefined;
  readonly maxTurns: number;
  /** Output cap of one turn; the default holds under `http` only. */
  readonly maxTokens?: number | undefined;
  readonly maxSessionTokens?: number | undefined;
  readonly toolRefresh: 'compaction' | 'immediate';
  readonly alternates: readonly DriverChoice[];
  /** Trimmed. */
  readonly systemPrompt?: string | undefined;
  /** Relative to the manifest's directory. */
  readonly systemPromptFile?: string | undefined;
  readonly systemPromptArtifact?: string | undefined;
  readonly compaction?: CompactionSettings | undefined;
}

/** Another driver and model that a session may be switched to. */
export interface DriverChoice {
  readonly name: string;
  readonly model: string;
  readonly driver: { readonly artifact: string };
}

/** When and how a conversation is shortened. */
export interface CompactionSettings {
  /** Fraction of `context.maxTokens`, above 0, at most 1. */
  readonly threshold: number;
  readonly model?: string | undefined;
  /** Untrimmed. */
  readonly systemPrompt?: string | undefined;
  readonly systemPromptFile?: string | undefined;
  readonly dumpSummaries: boolean;
}

/** How a capsule takes tasks and when it ends. */
export interface LifecycleSettings {
  readonly taskAcceptance: 'none' | 'single' | 'queue';
  readonly afterTask: 'exit' | 'sleep';
  readonly queueDepth: number;
  readonly inputTimeoutSecs?: number | undefined;
  readonly conversation: 'stateless' | 'threaded';
  readonly maxTaskReopens: number;
  readonly shellGraceSecs: number;
  readonly delegationDeadlineSecs: number;
  readonly deadlineNoticeSecs?: number | undefined;
  readonly keepWorking?: { readonly limit: number } | undefined;
  readonly doneCheck?:
    | { readonly command: string; readonly limit: number; readonly timeoutSecs: number }
    | undefined;
}

/** What a capsule shows to others. */
export interface ExportSettings {
  readonly files?:
    | { readonly root: string; readonly mode: 'read-only'; readonly maxBytes: number }
    | undefined;
  readonly peerFiles?:
    | {
        readonly root: string;
        /** Seconds. */
        readonly maxTtl?: number | undefined;
        readonly maxBytes: number;
      }
    | undefined;
  readonly peerTasks?: { readonly accept: boolean } | undefined;
}

/** What may be changed while a capsule runs. */
export interface ControlSettings {
  readonly settings: readonly ('inference.max_tokens' | 'inference.driver')[];
  readonly secrets: readonly string[];
  readonly agentSettings: readonly 'inference.driver'[];
}

/** Where telemetry goes and how a run is scored. */
export interface ObservabilitySettings {
  readonly otelEndpoint?: string | undefined;
  readonly eval?:
    | { readonly datasetId?: string | undefined; readonly scorers: readonly Scorer[] }
    | undefined;
}

/** One scorer of an evaluation. */
export interface Scorer {
  /** `exit_ok max_turns max_tokens tool_sequence llm_judge`; any other text is kept and skipped later. */
  readonly type: string;
  /** Defaults to the type. */
  readonly name: string;
  readonly max?: number | undefined;
  readonly expected: readonly string[];
}

/** What a trace holds and how long it is kept. */
export interface TraceSettings {
  /** `capture`, or what the retired `include_tool_output` stood for. */
  readonly capture: 'none' | 'meta' | 'content';
  readonly retain?:
    | { readonly maxSessions?: number | undefined /** Seconds. */; readonly maxAge?: number | undefined }
    | undefined;
}
