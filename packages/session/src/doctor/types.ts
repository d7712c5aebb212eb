import type { Diagnostic, WarningCondition } from '@murmur/errors';
import type { Clock } from '@murmur/process-driver';
import type { RuntimeFiles } from '../types.js';

/** Everything `diagnoseProject` needs to know; nothing is read from the process itself. */
export interface DoctorOptions {
  /** Where the search for `murmur.yaml` begins; it goes upwards from there. */
  readonly cwd: string;
  /** The person's home; null when it cannot be used, which refuses as it refuses a run. */
  readonly home: string | null;
  /** Environment of the `mur` process; of variables that a project needs only names are told. */
  readonly env: Readonly<Record<string, string>>;
  readonly murVersion: string;
  readonly clock: Clock;
  /** What is being done now, in a few words; for a terminal. Must not throw. */
  readonly progress: (text: string) => void;
  readonly files?: RuntimeFiles;
}

/**
 * What a row is about: the manifest, what a run would be refused for, warnings of every run, the host's containment,
 * `~/.murmur`, variables, the harness, installed interfaces, and artifacts with their lock entries.
 */
export type DoctorBlock =
  | 'manifest'
  | 'refusals'
  | 'warnings'
  | 'containment'
  | 'home'
  | 'environment'
  | 'harness'
  | 'interfaces'
  | 'artifacts';

/** `ok` a check passed, `error` one failed, `warning` it deserves a look, `info` a fact that is not judged. */
export type DoctorStatus = 'ok' | 'warning' | 'error' | 'info';

/** One finding. */
export interface DoctorRow {
  readonly block: DoctorBlock;
  /** What was looked at: an artifact, a variable, a file, a part of the harness. */
  readonly name: string;
  readonly status: DoctorStatus;
  /** The catalog's code, where the finding is one of its conditions. */
  readonly code?: string;
  /** Free of terminal control; may have several lines. */
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string;
}

/** Everything that was found, in the order in which it is told. */
export interface DoctorReport {
  /** Absolute path of the manifest that was found. */
  readonly manifestPath: string;
  /** The platform that artifacts were looked for. */
  readonly platform: string;
  readonly rows: readonly DoctorRow[];
  /** The warnings that every run of this project prints; each is a row of the block `warnings` as well. */
  readonly warnings: readonly WarningCondition[];
  /** Failures told once for all rows they concern, after the report: `E-CAP-014`. */
  readonly closing: readonly Diagnostic[];
  readonly summary: { readonly passed: number; readonly errors: number; readonly warnings: number };
}
