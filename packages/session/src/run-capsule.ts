import { launch } from './launch.js';
import { stage } from './stage.js';
import type { RunOptions, RunResult } from './types.js';

/**
 * Stages and runs one capsule: what `mur run` does. Resolves when the session ended and its records are complete,
 * whatever the task's outcome; rejects when the run was refused, or when its records could not be kept.
 * @throws MurmurError with any code of staging (docs/spec/session.md) or E-RUN-007
 */
export async function runCapsule(options: RunOptions): Promise<RunResult> {
  options.observer.progress('reading the capsule');
  const staged = await stage(options);
  for (const warning of staged.warnings) options.observer.warning(warning);
  return await launch(staged, options);
}
