import type {
  DriverDescription,
  DriverEvent,
  ExitStatus,
  LaunchPlan,
  LaunchRequest,
  LoginOutput,
  LoginState,
} from '@murmur/driver-sdk';

export type DriverCall = 'describe' | 'launch' | 'parse' | 'classify-exit' | 'read-login';

/** A call that gave no answer: it trapped, threw, ran out of time, or (`launch` alone) refused. */
export class DriverCallFailed extends Error {
  constructor(
    readonly call: DriverCall,
    readonly refused: boolean,
    readonly reason: string,
  ) {
    super(`${call} ${refused ? 'refused' : 'failed'}: ${reason}`);
  }
}

/**
 * A driver under test, with one instance behind it. Every property is judged through this, so that a driver in plain
 * JavaScript and a built component are judged alike. Calls come one at a time; after one that failed, the next has a
 * fresh instance.
 *
 * Every call throws `DriverCallFailed` when it gave no answer.
 */
export interface TestDriver extends AsyncDisposable {
  /** What holds the driver: facts that only a component has. */
  readonly component: ComponentFacts | null;
  describe(): Promise<DriverDescription>;
  launch(request: LaunchRequest): Promise<LaunchPlan>;
  parse(lines: readonly string[]): Promise<readonly DriverEvent[]>;
  classifyExit(exit: ExitStatus): Promise<DriverEvent>;
  readLogin(output: LoginOutput): Promise<LoginState>;
  /** Gives up the instance; the next call has a fresh one. */
  restart(): Promise<void>;
}

/** What is read from a component's bytes. */
export interface ComponentFacts {
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The answer of a call; undefined when there was none, for judges whose concern that is not. */
export async function answerOf<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof DriverCallFailed) return undefined;
    throw error;
  }
}

/** Why a call gave no answer; null when it gave one. */
export async function failureOf(call: Promise<unknown>): Promise<DriverCallFailed | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof DriverCallFailed) return error;
    throw error;
  }
}
