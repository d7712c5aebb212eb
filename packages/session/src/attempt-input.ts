import type { SessionDirectories } from './directories.js';
import type { Recorder } from './recorder.js';
import type { StagedCapsule } from './stage.js';
import type { RunOptions } from './types.js';

/** What an attempt at a task works with. */
export interface AttemptInput {
  readonly staged: StagedCapsule;
  readonly options: RunOptions;
  readonly directories: SessionDirectories;
  readonly recorder: Recorder;
  readonly task: string;
}
