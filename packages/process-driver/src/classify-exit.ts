import { MurmurError } from '@murmur/errors';
import type { DriverEvent, DriverInstance } from './contract.js';
import type { HarnessEnd, HarnessRun } from './run-harness.js';
import type { TurnState } from './turn-state.js';
import type { LoadedDriver } from './types.js';

/**
 * Asks the driver what a run was that ended without a terminal event, and consumes its answer. Returns the end that now
 * stands. For an interrupted run the answer is for the record only: it stays canceled whatever the driver says.
 */
export async function classifyExit(options: {
  readonly run: HarnessRun;
  readonly instance: DriverInstance;
  readonly driver: LoadedDriver;
  readonly state: TurnState;
  readonly stderrTail: string;
  readonly now: number;
}): Promise<HarnessEnd> {
  const { run, instance, driver, state, stderrTail, now } = options;
  const { end } = run;
  if (state.terminal !== null || end.cause === 'max_turns') return end;
  const interrupted = end.cause === 'canceled';
  if (end.cause !== 'eof' && !interrupted) {
    state.closeAbruptly();
    return end;
  }
  const refuse = (problem: string, error: MurmurError): HarnessEnd => {
    state.closeAbruptly();
    if (!interrupted) return { cause: 'driver_error', error: error.condition };
    state.note(problem);
    return end;
  };
  const illegal = (event: DriverEvent): HarnessEnd => {
    const message = interrupted
      ? `answered ${event.tag} for an interrupted run, which can only have failed as canceled`
      : `answered ${event.tag}, which is no end of a turn`;
    const { name, version } = driver;
    return refuse(
      `classify-exit ${message}`,
      new MurmurError({ variant: 'ProcessDriverCallFailed', name, version, call: 'classify-exit', message }),
    );
  };
  if (run.driverBusy) {
    state.closeAbruptly();
    state.note(
      'the driver was still reading when the harness was stopped, so it was not asked how the run ended',
    );
    return end;
  }
  try {
    const event = await instance.classifyExit({
      code: run.exit?.code ?? null,
      signal: run.exit?.signal ?? null,
      stderrTail,
      interrupted,
      sawTerminal: false,
    });
    if (event.tag !== 'turn-end' && event.tag !== 'turn-failed') return illegal(event);
    if (interrupted && !(event.tag === 'turn-failed' && event.kind === 'canceled')) return illegal(event);
    state.consume(event, now);
    return end;
  } catch (error) {
    if (!(error instanceof MurmurError)) throw error;
    return refuse(`the driver could not say how the run ended: ${error.message}`, error);
  }
}
