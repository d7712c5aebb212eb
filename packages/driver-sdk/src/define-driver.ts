import { note, turnFailed } from './events.js';
import type {
  DriverDescription,
  DriverEvent,
  ExitStatus,
  LaunchPlan,
  LaunchRequest,
  LoginOutput,
  LoginState,
  ProcessExports,
} from './generated/contract.js';
import { refuseTokenInArguments } from './launch.js';
import { conform } from './shape.js';
import { cutText, wellFormed } from './text.js';

/** A driver, as its author writes it. `State` is whatever `parseLine` has to remember during one run. */
export interface ProcessDriverDefinition<State> {
  /** What the driver drives; the same answer every time. */
  describe(): DriverDescription;
  /** Fresh state for a run, made just before `launch`. */
  createState(request: LaunchRequest): State;
  /** Plans a turn. Throw an `Error` to refuse it: the message is shown to the person. */
  launch(request: LaunchRequest, state: State): LaunchPlan;
  /** Events of one line of stdout. Remembers by changing `state`. */
  parseLine(line: string, state: State): readonly DriverEvent[];
  /** Judges a run that ended without a terminal event. `classifyExitByDefault` suits most harnesses. */
  classifyExit(exit: ExitStatus, state: State | undefined): DriverEvent;
  /** Reads the output of the login command. */
  readLogin(output: LoginOutput): LoginState;
}

/**
 * Makes the exports of a driver component from a definition; a driver module ends with
 * `export const process = defineProcessDriver({ … })`.
 *
 * What it adds: `parse` is a fold of `parseLine`, so events cannot depend on how lines were batched; each launch
 * starts from fresh state; every value is brought into the contract's shape before it crosses; and an exception
 * becomes a note, a failed turn or a refusal, where a trap would lose the instance and the turn with it. Only
 * `describe` may still fail outright: a driver that cannot say what it drives must not load.
 */
export function defineProcessDriver<State>(definition: ProcessDriverDefinition<State>): ProcessExports {
  let run: { readonly state: State } | undefined;

  return {
    describe: () => conform({ ref: 'description' }, definition.describe()) as DriverDescription,

    launch(received) {
      try {
        const request = conform({ ref: 'launch-request' }, received) as LaunchRequest;
        run = { state: definition.createState(request) };
        const plan = conform({ ref: 'launch-plan' }, definition.launch(request, run.state)) as LaunchPlan;
        refuseTokenInArguments(plan, request);
        return plan;
      } catch (error) {
        // The engine hands a thrown string over as the `err` of the call.
        throw reasonOf(error);
      }
    },

    parse(lines) {
      const events: DriverEvent[] = [];
      for (const line of lines) foldLine(line, events);
      return events;
    },

    classifyExit(received) {
      const exit = conform({ ref: 'exit-status' }, received) as ExitStatus;
      try {
        const event = conform({ ref: 'event' }, definition.classifyExit(exit, run?.state)) as DriverEvent;
        if (
          exit.interrupted &&
          !exit.sawTerminal &&
          !(event.tag === 'turn-failed' && event.val.kind === 'canceled')
        )
          return turnFailed(
            'canceled',
            event.tag === 'turn-failed' ? event.val.message : 'the turn was interrupted',
          );
        if (event.tag === 'turn-end' || event.tag === 'turn-failed') return event;
        return turnFailed(
          'other',
          `the driver judged the exit by the event ${event.tag}, which ends no turn`,
        );
      } catch (error) {
        const kind = exit.interrupted && !exit.sawTerminal ? 'canceled' : 'other';
        return turnFailed(kind, `the driver failed to judge the exit: ${reasonOf(error)}`);
      }
    },

    readLogin(received) {
      try {
        const output = conform({ ref: 'login-output' }, received) as LoginOutput;
        return conform({ ref: 'login-state' }, definition.readLogin(output)) as LoginState;
      } catch {
        // The reason may quote what the command printed, and with it a credential: it is not passed on.
        return { tag: 'unknown', val: 'the driver could not read the answer of the login command' };
      }
    },
  };

  function foldLine(line: string, events: DriverEvent[]): void {
    if (run === undefined) {
      events.push(note('output arrived before a launch was planned'));
      return;
    }
    try {
      for (const event of definition.parseLine(line, run.state)) events.push(checkedEvent(event));
    } catch (error) {
      events.push(
        note(`the driver failed on a line: ${reasonOf(error)}; the line: ${wellFormed(cutText(line, 256))}`),
      );
    }
  }
}

/** One malformed event must not take the others of its line with it: the end of the turn may be among them. */
function checkedEvent(event: DriverEvent): DriverEvent {
  try {
    return conform({ ref: 'event' }, event) as DriverEvent;
  } catch (error) {
    return note(`the driver made an event that does not fit the contract: ${reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return wellFormed(cutText(reason, 2048));
}
