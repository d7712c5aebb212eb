import path from 'node:path';
import { attempt } from './attempt.js';
import { createSessionDirectories, recordsPath, sweepStaleSessions } from './directories.js';
import { writeInventory } from './inventory.js';
import { readyDriver } from './ready-driver.js';
import { openRecorder } from './recorder.js';
import { sessionStart } from './session-start.js';
import type { StagedCapsule } from './stage.js';
import { noTask, taskFromWorkdir } from './task-text.js';
import type { RunOptions, RunResult, SessionFacts } from './types.js';

/** Runs a staged capsule to its end. Implements docs/spec/session.md, "Launch". */
export async function launch(staged: StagedCapsule, options: RunOptions): Promise<RunResult> {
  await using _guest = staged.guestAhead;
  await using ready = readyDriver(staged.driver);
  await sweepStaleSessions(staged.home);
  const request = {
    home: staged.home,
    sessionId: staged.sessionId,
    givenWorkdir: staged.givenWorkdir,
    projectDirectory: staged.project.directory,
  };
  await using directories = await createSessionDirectories(request);
  const task = staged.task ?? (await taskFromWorkdir(directories.workdir));
  if (task === null) throw noTask(directories.workdir.path);
  await writeInventory(directories, staged, task);

  const facts: SessionFacts = {
    sessionId: staged.sessionId,
    name: staged.manifest.name,
    version: staged.manifest.version,
    pid: process.pid,
    url: null,
    workdir: directories.workdir.path,
    recordsDirectory: recordsPath(request),
    driver: staged.driver.name,
    model: staged.manifest.inference?.model ?? null,
  };
  const recorder = openRecorder({
    records: directories.records,
    sessionId: staged.sessionId,
    clock: options.clock,
    observe: options.observer.record,
  });
  const started = options.clock.now();
  recorder.session('session_start', sessionStart(staged, options));
  options.observer.ready(facts);

  const outcome = await attempt({
    staged: { ...staged, driver: ready.driver },
    options,
    directories,
    recorder,
    task,
  });
  recorder.session('session_end', {
    total_turns: outcome.turns,
    total_input_tokens: outcome.inputTokens,
    total_output_tokens: outcome.outputTokens,
    total_tool_calls: outcome.toolCalls,
    total_shell_calls: 0,
    duration_ms: options.clock.now() - started,
    exit_status: outcome.exitStatus,
  });
  await recorder.close();
  return {
    session: facts,
    exitStatus: outcome.exitStatus,
    answer: outcome.exitStatus === 'ok' ? outcome.answer : null,
    error: outcome.error,
    resultPath: path.join(facts.recordsDirectory, 'out/result.txt'),
    tracePath: path.join(facts.recordsDirectory, 'trace.jsonl'),
  };
}
