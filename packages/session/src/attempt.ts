import { randomBytes } from 'node:crypto';
import { diagnose, type ErrorCondition } from '@murmur/errors';
import { mintId, uuidv7 } from '@murmur/manifest';
import type { TurnOutcome } from '@murmur/process-driver';
import type { AttemptInput } from './attempt-input.js';
import { harnessTurn, sessionMap } from './harness-turn.js';
import { writeResult } from './result.js';
import type { ExitStatus } from './types.js';

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
export async function attempt(input: AttemptInput): Promise<AttemptOutcome> {
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

  const map = sessionMap(staged, options, contextId);
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
