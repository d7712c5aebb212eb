import { type SpawnRequest, spawnRequestProblem } from '@murmur/containment';
import { diagnoseWarning, MurmurError, type WarningCondition } from '@murmur/errors';
import { planProblem } from './check-plan.js';
import { classifyExit } from './classify-exit.js';
import type { DriverInstance, LaunchPlan } from './contract.js';
import { harnessEnvironment } from './environment.js';
import { type FilesDirectory, makeFilesDirectory, placeFilesDirectory } from './files-directory.js';
import { stderrDrainMs, stderrTailBytes } from './limits.js';
import { emptyOutcome, turnOutcome } from './outcome.js';
import { createQuotaWindows } from './quota.js';
import { redactedReport, withoutSecrets } from './redacted-report.js';
import { runHarness } from './run-harness.js';
import { collectStderrTail } from './stderr-tail.js';
import { createTurnState } from './turn-state.js';
import type { HarnessVersion, TurnOptions, TurnOutcome, TurnReport } from './types.js';
import { ticks, within } from './wake.js';

/**
 * Runs a harness once for one attempt of a task and returns what came of it. The harness is dead and reaped, its files
 * directory removed and the driver's instance dropped on every path. Failures a person can meet are in the outcome:
 * `ProcessDriverCallFailed` (E-RUN-034), `HarnessTurnFailed` (E-RUN-033), `HarnessSessionGone` (E-RUN-036),
 * `ProcessHarnessInactive` (E-RUN-035), and what the jail or the disk refused. Implements "A turn" of
 * `docs/spec/process-driver.md`.
 */
export async function runTurn(options: TurnOptions): Promise<TurnOutcome> {
  const token = options.request.bridge?.bearerToken ?? '';
  const secrets = token === '' ? [] : [token];
  const outcome = await attempt(options, redactedReport(options, secrets));
  return withoutSecrets(outcome, secrets);
}

async function attempt(options: TurnOptions, plain: TurnReport): Promise<TurnOutcome> {
  const { driver, cancel } = options;
  if (cancel.aborted) return emptyOutcome('canceled', null);
  const report: TurnReport = { ...plain, warn: (warning) => warnAndRecord(plain, warning) };
  let instance: DriverInstance | null = null;
  let files: FilesDirectory | null = null;
  try {
    instance = await driver.openInstance();
    const version = await options.version;
    if (version.warning !== null) report.warn(version.warning);

    const plan = await instance.launch({
      ...options.request,
      model: options.request.model?.trim() || null,
      session: { id: options.session.id, mode: options.session.mode },
      harnessVersion: version.line,
    });
    const problem = planProblem(plan);
    if (problem !== null) throw launchFailure(options, problem);
    if (cancel.aborted) return emptyOutcome('canceled', null);

    files = await makeFilesDirectory(options.filesRoot, plan.files);
    const placed: LaunchPlan = { ...plan, ...placeFilesDirectory(plan, files.path) };
    if (cancel.aborted) return emptyOutcome('canceled', null);
    return await spawnAndRun(options, report, instance, version, placed);
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    return emptyOutcome('failed', error.condition);
  } finally {
    await instance?.[Symbol.asyncDispose]();
    await files?.remove().catch((error: unknown) => {
      if (!(error instanceof MurmurError)) throw error;
      report.record({
        eventType: 'harness_note',
        payload: { text: `the files directory is left: ${error.message}` },
      });
    });
  }
}

async function spawnAndRun(
  options: TurnOptions,
  report: TurnReport,
  instance: DriverInstance,
  version: HarnessVersion,
  plan: LaunchPlan,
): Promise<TurnOutcome> {
  const { clock, driver, session, request } = options;
  const env = harnessEnvironment(options.env, plan.envSet);
  const spawnRequest: SpawnRequest = {
    program: options.binary.path,
    args: plan.args,
    env,
    cwd: options.cwd,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  };
  const problem = spawnRequestProblem(spawnRequest);
  if (problem !== null) throw launchFailure(options, `launch() plans what cannot be started: ${problem}`);
  report.record({
    eventType: 'harness_start',
    payload: {
      driver: driver.name,
      driver_version: driver.version,
      harness: driver.description.harness,
      binary: options.binary.path,
      binary_source: options.binary.source,
      harness_version: version.line,
      version_tested: version.tested,
      harness_session_id: session.id,
      session_mode: session.mode,
      args_count: plan.args.length,
      env_names: Object.keys(env).sort(),
      files: plan.files.map(({ name }) => name),
      bridge_tools: [...(request.bridge?.toolNames ?? [])],
      stdin_bytes: plan.stdin?.length ?? 0,
      keep_stdin_open: plan.keepStdinOpen,
    },
  });
  const child = await options.jail.spawn(spawnRequest);
  const startedAt = ticks(clock);
  const stderr = collectStderrTail(child.stderr, stderrTailBytes);
  const state = createTurnState({ ...options, quota: options.quota ?? createQuotaWindows(), report });
  const run = await runHarness({
    child,
    plan,
    interrupt: driver.description.interrupt,
    instance,
    state,
    cancel: options.cancel,
    clock,
    record: report.record,
  });
  await within(clock, stderrDrainMs, stderr.ended);
  report.record({
    eventType: 'harness_exit',
    payload: {
      code: run.exit?.code ?? null,
      signal: run.exit?.signal ?? null,
      cause: run.end.cause,
      killed: run.killed,
      duration_ms: Math.max(0, Math.round(ticks(clock) - startedAt)),
    },
  });
  const end = await classifyExit({
    run,
    instance,
    driver,
    state,
    stderrTail: stderr.text(),
    now: ticks(clock),
  });
  state.noteUnanswered();
  return turnOutcome(end, run.killed, options, state);
}

function launchFailure({ driver }: TurnOptions, message: string): MurmurError {
  const { name, version } = driver;
  return new MurmurError({ variant: 'ProcessDriverCallFailed', name, version, call: 'launch', message });
}

/** The trace holds the text that a person reads. */
function warnAndRecord(report: TurnReport, warning: WarningCondition): void {
  report.record({
    eventType: 'harness_warning',
    payload: { code: warning.code, message: diagnoseWarning(warning).message },
  });
  report.warn(warning);
}
