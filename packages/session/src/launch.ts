import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { openJail } from '@murmur/containment';
import { diagnose, type ErrorCondition, isMurmurError, osError } from '@murmur/errors';
import { layout, mintId, uuidv7 } from '@murmur/manifest';
import {
  createSessionMap,
  probeHarnessVersion,
  runTurn,
  type SessionMap,
  type TurnOutcome,
} from '@murmur/process-driver';
import { wardenOption } from './component-runtime.js';
import {
  createSessionDirectories,
  recordsPath,
  type SessionDirectories,
  sweepStaleSessions,
} from './directories.js';
import { writeInventory } from './inventory.js';
import { readyDriver } from './ready-driver.js';
import { openRecorder, type Recorder } from './recorder.js';
import { writeResult } from './result.js';
import { sessionStart } from './session-start.js';
import type { StagedCapsule } from './stage.js';
import { composeSystemPrompt } from './system-prompt.js';
import { noTask, taskFromWorkdir } from './task-text.js';
import type { ExitStatus, RunOptions, RunResult, SessionFacts } from './types.js';

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

interface AttemptInput {
  readonly staged: StagedCapsule;
  readonly options: RunOptions;
  readonly directories: SessionDirectories;
  readonly recorder: Recorder;
  readonly task: string;
}

interface AttemptOutcome {
  readonly exitStatus: ExitStatus;
  readonly answer: string | null;
  readonly error: ErrorCondition | null;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
}

/** One task, one attempt: plan the harness session, run the turn, record how it ended, remember the session. */
async function attempt(input: AttemptInput): Promise<AttemptOutcome> {
  const { staged, options, directories, recorder, task } = input;
  const now = options.clock.now;
  const taskId = `tsk_${uuidv7(now(), randomBytes).replaceAll('-', '')}`;
  const contextId = options.flags.context ?? mintId('ctx', now(), randomBytes);
  const startedAt = now();
  recorder.task('task_start', {
    task_id: taskId,
    context_id: contextId,
    source: 'task_md',
    origin: 'user',
    trust: 'trusted',
    lane: 'user',
    message_parts_bytes: Buffer.byteLength(task),
  });

  const map = sessionMap(staged, options);
  if (options.flags.forgetSession === true) {
    const dropped = await map.forget(contextId);
    if (dropped !== null) {
      recorder.task('harness_session_forgotten', {
        context_id: contextId,
        harness_session_id: dropped,
        requested_by: 'cli',
      });
    }
  }
  const outcome = await harnessTurn({ ...input, taskId, contextId, map });
  if (outcome.commitSessionId !== null) {
    await map.commit(contextId, outcome.commitSessionId, {
      harness: staged.driver.description.harness,
      driver: staged.driver.name,
      nowMs: now(),
    });
  }
  const exitStatus = statusOf(outcome);
  const error = errorOf(outcome);
  if (outcome.status === 'failed' && error !== null) {
    recorder.task('task_failed', {
      task_id: taskId,
      cause: 'runtime_error',
      reason: diagnose(error).message.slice(0, MAX_REASON_CHARACTERS),
    });
  }
  if (outcome.status === 'canceled') {
    recorder.task('task_canceled', {
      task_id: taskId,
      phase: 'harness',
      detached_work_ids: [],
      delegation_ids: [],
    });
  }
  await writeResult(directories.records, outcome, error);
  recorder.task('task_end', {
    task_id: taskId,
    exit_status: exitStatus,
    duration_ms: now() - startedAt,
    turns: outcome.turns,
    input_tokens: outcome.inputTokens,
    output_tokens: outcome.outputTokens,
    tool_calls: outcome.toolCalls,
    shell_calls: 0,
    reopen_count: 0,
  });
  return {
    exitStatus,
    answer: outcome.result,
    error,
    turns: outcome.turns,
    inputTokens: outcome.inputTokens,
    outputTokens: outcome.outputTokens,
    toolCalls: outcome.toolCalls,
  };
}

const MAX_REASON_CHARACTERS = 2000;

interface TurnInput extends AttemptInput {
  readonly taskId: string;
  readonly contextId: string;
  readonly map: SessionMap;
}

async function harnessTurn(input: TurnInput): Promise<TurnOutcome> {
  const { staged, options, directories, recorder, taskId, contextId, map } = input;
  const inference = staged.manifest.inference;
  const now = options.clock.now;
  const jail = await openJail({ class: 'advisory', label: 'harness' }, wardenOption(options.files));
  const stop = (): void => void jail.kill();
  options.kill.addEventListener('abort', stop, { once: true });
  try {
    options.observer.progress(`running ${staged.driver.description.harness}`);
    const limits = processLimits(staged);
    const version = probeHarnessVersion({
      binary: staged.binary,
      description: staged.driver.description,
      env: staged.env,
      cwd: directories.workdir.path,
      jail,
      clock: options.clock,
      cache: directories.versions,
      limits,
    });
    return await runTurn({
      driver: staged.driver,
      binary: staged.binary,
      version,
      jail,
      limits,
      env: staged.env,
      cwd: directories.workdir.path,
      filesRoot: directories.harnessFiles,
      request: {
        model: inference?.model ?? null,
        systemPrompt: composeSystemPrompt(staged.systemPrompt.text),
        config: inference?.driver?.config === undefined ? null : JSON.stringify(inference.driver.config),
        bridge: null,
        task: input.task,
      },
      session: await map.plan({
        contextId,
        continues: staged.manifest.lifecycle.conversation === 'threaded',
        carriedId: null,
        mintId: () => uuidv7(now(), randomBytes),
      }),
      contextId,
      sessionMapPath: map.pathFor(contextId),
      taskId,
      maxTurns: inference?.maxTurns ?? 0,
      firstTurn: 0,
      captureToolOutput: staged.manifest.trace.capture === 'content',
      cancel: options.cancel,
      clock: options.clock,
      record: ({ eventType, payload }) => recorder.turn(eventType, taskId, payload),
      stream: options.observer.frame,
      warn: options.observer.warning,
    });
  } catch (error) {
    // A fault of the host in the middle of a turn still ends in complete records.
    return {
      ...FAILED,
      error: isMurmurError(error) ? error.condition : { variant: 'Runtime', message: osError(error).message },
    };
  } finally {
    options.kill.removeEventListener('abort', stop);
    await jail[Symbol.asyncDispose]();
  }
}

const FAILED: TurnOutcome = {
  status: 'failed',
  result: null,
  error: null,
  killed: true,
  commitSessionId: null,
  turns: 0,
  inputTokens: 0,
  outputTokens: 0,
  toolCalls: 0,
};

/** Where contexts are remembered: in files, unless the manifest keeps no records. */
function sessionMap(staged: StagedCapsule, options: RunOptions): SessionMap {
  const { context, name } = staged.manifest;
  return createSessionMap({
    conversationsRoot: context.record === 'on' ? layout(staged.home).conversationsRoot : null,
    record: context.recordStore ?? name,
    onProblem: (reason) => options.observer.progress(`the conversation will not be remembered: ${reason}`),
  });
}

function processLimits(staged: StagedCapsule): NonNullable<Parameters<typeof runTurn>[0]['limits']> {
  const { maxOpenFiles, maxProcesses, maxFileSizeBytes, cpuSeconds } = staged.manifest.capabilities.resources;
  return { openFiles: maxOpenFiles, processes: maxProcesses, fileSizeBytes: maxFileSizeBytes, cpuSeconds };
}

function statusOf(outcome: TurnOutcome): ExitStatus {
  if (outcome.status === 'completed') return 'ok';
  if (outcome.status === 'canceled') return 'canceled';
  const error = outcome.error;
  return error?.variant === 'HarnessTurnFailed' && error.kind === 'max-turns' && error.origin === 'runtime'
    ? 'max_turns_reached'
    : 'failed';
}

function errorOf(outcome: TurnOutcome): ErrorCondition | null {
  if (outcome.status === 'canceled') {
    const reason = outcome.killed
      ? 'the task was canceled; the harness did not stop in time and was killed'
      : 'the task was canceled';
    return { variant: 'TaskDidNotComplete', exit_status: 'canceled', reason };
  }
  return outcome.status === 'failed' ? outcome.error : null;
}
