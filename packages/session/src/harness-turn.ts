import { randomBytes } from 'node:crypto';
import { openJail } from '@murmur/containment';
import { isMurmurError, osError } from '@murmur/errors';
import { layout, uuidv7 } from '@murmur/manifest';
import {
  createSessionMap,
  probeHarnessVersion,
  runTurn,
  type SessionMap,
  type TurnOutcome,
} from '@murmur/process-driver';
import type { AttemptInput } from './attempt-input.js';
import { wardenOption } from './component-runtime.js';
import type { StagedCapsule } from './stage.js';
import { composeSystemPrompt } from './system-prompt.js';
import type { RunOptions } from './types.js';

/** One run of the harness within an attempt. */
interface TurnInput extends AttemptInput {
  readonly taskId: string;
  readonly contextId: string;
  readonly map: SessionMap;
}

/** Opens the harness's jail, asks its version beside the driver's start, and runs one turn. */
export async function harnessTurn(input: TurnInput): Promise<TurnOutcome> {
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
export function sessionMap(staged: StagedCapsule, options: RunOptions, contextId: string): SessionMap {
  const { context, name } = staged.manifest;
  return createSessionMap({
    conversationsRoot: context.record === 'on' ? layout(staged.home).conversationsRoot : null,
    record: context.recordStore ?? name,
    onProblem: (reason) => options.observer.warning({ code: 'W-RUN-902', context: contextId, reason }),
  });
}

function processLimits(staged: StagedCapsule): NonNullable<Parameters<typeof runTurn>[0]['limits']> {
  const { maxOpenFiles, maxProcesses, maxFileSizeBytes, cpuSeconds } = staged.manifest.capabilities.resources;
  return { openFiles: maxOpenFiles, processes: maxProcesses, fileSizeBytes: maxFileSizeBytes, cpuSeconds };
}
