import type { ExitRecord, JailedProcess } from '@murmur/containment';
import { type ErrorCondition, MurmurError } from '@murmur/errors';
import type { DriverDescription, DriverInstance, LaunchPlan } from './contract.js';
import { watchExit } from './exit-watch.js';
import { createHarnessInput } from './harness-input.js';
import { createInterrupt } from './interrupt.js';
import { exitGraceMs, inactivityWindowMs, maxLineBytes } from './limits.js';
import { readLines } from './line-queue.js';
import { createParsePump, type ParseAnswer } from './parse-pump.js';
import type { TurnState } from './turn-state.js';
import type { Clock, TurnRecord } from './types.js';
import { createDeadlineTimer, createWake, ticks } from './wake.js';

/** Why the conversation with a harness is over. */
export type HarnessEnd =
  | { readonly cause: 'terminal' | 'eof' | 'max_turns' | 'inactivity' | 'canceled' }
  | { readonly cause: 'driver_error'; readonly error: ErrorCondition };

export interface HarnessRun {
  readonly end: HarnessEnd;
  /** Null when the exit could not be learnt. */
  readonly exit: ExitRecord | null;
  /** True when the harness did not end by itself. */
  readonly killed: boolean;
  /** True when a call into the driver was still out at the end: it must not be called again. */
  readonly driverBusy: boolean;
}

export interface RunHarnessOptions {
  readonly child: JailedProcess;
  readonly plan: LaunchPlan;
  readonly interrupt: DriverDescription['interrupt'];
  readonly instance: DriverInstance;
  readonly state: TurnState;
  readonly cancel: AbortSignal;
  readonly clock: Clock;
  readonly record: (record: TurnRecord) => void;
}

/**
 * Talks to one harness process until it is dead and reaped. Two stretches: while it runs, in order of priority, a
 * cancel, the driver's answer, lines, the end of the output, silence; and once its end is decided, what it still says
 * until it exits or its grace is over. Implements "The loop" of `docs/spec/process-driver.md`.
 */
export async function runHarness(options: RunHarnessOptions): Promise<HarnessRun> {
  const { child, plan, instance, state, cancel, clock, record } = options;
  const wake = createWake();
  const timer = createDeadlineTimer(clock, wake.notify);
  let lastActivity = ticks(clock);
  let inputFailure: { readonly reason: string; readonly at: number } | null = null;

  const exit = watchExit(child, wake.notify);
  const lines = readLines(child.stdout, (came) => {
    if (came) lastActivity = ticks(clock);
    wake.notify();
  });
  const pump = createParsePump({
    lines,
    instance,
    onAnswer: wake.notify,
    onDiscarded: (bytes) =>
      state.note(`a line of ${bytes} bytes was thrown away; lines may have ${maxLineBytes}`),
  });
  const input = createHarnessInput(child.stdin, (reason) => {
    inputFailure = { reason, at: ticks(clock) };
    wake.notify();
  });
  const interrupt = createInterrupt({
    method: options.interrupt,
    plan,
    input,
    child,
    clock,
    record,
    note: state.note,
    onSettled: wake.notify,
  });
  const canceled = (): boolean => interrupt.deadline !== null;

  /** What an answer of the driver leads to; null to go on. */
  function consume(answer: ParseAnswer): HarnessEnd | null {
    if ('failure' in answer) {
      if (!(answer.failure instanceof MurmurError)) throw answer.failure;
      if (!canceled() && state.terminal === null)
        return { cause: 'driver_error', error: answer.failure.condition };
      state.note(`the driver could not read the harness's last lines: ${answer.failure.message}`);
      return { cause: 'canceled' };
    }
    let end: HarnessEnd | null = null;
    for (const event of answer.events) {
      const verdict = state.consume(event, ticks(clock));
      if (verdict === 'over-budget') return { cause: canceled() ? 'canceled' : 'max_turns' };
      if (verdict === 'ended') end = { cause: canceled() ? 'canceled' : 'terminal' };
    }
    return end;
  }

  /** When the run ends if nothing more is heard, and how; null while the driver works, whose own deadline holds then. */
  function deadline(): { readonly at: number; readonly end: HarnessEnd } | null {
    if (interrupt.deadline !== null) return { at: interrupt.deadline, end: { cause: 'canceled' } };
    if (pump.busy) return null;
    if (inputFailure !== null) {
      const message = `the harness stopped reading its stdin and went on without an end: ${inputFailure.reason}`;
      return {
        at: inputFailure.at + exitGraceMs,
        end: { cause: 'driver_error', error: { variant: 'Runtime', message } },
      };
    }
    return { at: lastActivity + inactivityWindowMs, end: { cause: 'inactivity' } };
  }

  /** One step of a running harness: its end, or whether there may be more to do at once. */
  function step(): HarnessEnd | 'again' | 'wait' {
    if (cancel.aborted && !canceled()) {
      state.markInterrupted();
      interrupt.start();
    }
    if (!interrupt.settle()) return { cause: 'canceled' };
    const answer = pump.take();
    if (answer !== null) return consume(answer) ?? 'again';
    if (pump.feed()) return 'again';
    if (pump.done) return { cause: canceled() ? 'canceled' : 'eof' };
    const next = deadline();
    if (next !== null && ticks(clock) >= next.at) return next.end;
    if (next !== null) timer.ringBy(next.at);
    return 'wait';
  }

  async function untilEnd(): Promise<HarnessEnd> {
    for (;;) {
      const next = step();
      if (next === 'wait') await wake.wait();
      else if (next !== 'again') return next;
    }
  }

  /** Reads on while a harness that has said its last word winds down. */
  async function drain(until: number): Promise<void> {
    while (!(exit.exited && pump.done) && ticks(clock) < until) {
      const answer = pump.take();
      if (answer !== null) consume(answer);
      else if (!pump.feed()) {
        timer.ringBy(until);
        await wake.wait();
      }
    }
  }

  cancel.addEventListener('abort', wake.notify);
  try {
    // Not awaited: a harness may talk before it listens, and is read meanwhile.
    if (plan.stdin !== null) void input.write(plan.stdin);
    if (!plan.keepStdinOpen) input.close();

    const end = await untilEnd();
    interrupt.conclude();
    input.close();
    timer.cancel();
    // A harness that is not done yet has had its time, or is to be stopped at once.
    const saidItAll = state.terminal !== null || pump.done;
    const windsDown =
      end.cause === 'terminal' || end.cause === 'eof' || (end.cause === 'canceled' && saidItAll);
    if (windsDown)
      await drain(Math.min(ticks(clock) + exitGraceMs, interrupt.deadline ?? Number.POSITIVE_INFINITY));

    const killed = !exit.exited;
    const driverBusy = pump.busy;
    await child.kill();
    await exit.settled;
    if (exit.failure === null) return { end, exit: exit.status, killed, driverBusy };
    if (!(exit.failure instanceof MurmurError)) throw exit.failure;
    const lost: HarnessEnd =
      end.cause === 'eof' ? { cause: 'driver_error', error: exit.failure.condition } : end;
    return { end: lost, exit: null, killed, driverBusy };
  } finally {
    timer.cancel();
    cancel.removeEventListener('abort', wake.notify);
    await child.kill();
  }
}
