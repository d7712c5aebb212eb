/** What a person's signals ask of a run. */
export interface Signals {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP: interrupt the turn gracefully. */
  readonly cancel: AbortSignal;
  /** Aborted by the second: kill at once. */
  readonly kill: AbortSignal;
  /** Exit code that a second signal asks for; null otherwise. */
  exitCode(): number | null;
  /** Signals have their ordinary effect again. */
  stop(): void;
}

const EXIT_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
const WAYS_OUT = Object.keys(EXIT_CODES) as NodeJS.Signals[];

/** Time for the session to write its end after a second signal. */
const LAST_WORDS_MS = 2000;

/**
 * First signal: the turn is interrupted and the run ends `canceled`. Second: everything is killed, and the process
 * ends with 128 + the signal's number even when something hangs; what is left of the tree dies with it.
 */
export function watchSignals(target: NodeJS.Process, say: (text: string) => void): Signals {
  const cancel = new AbortController();
  const kill = new AbortController();
  let code: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!cancel.signal.aborted) {
      cancel.abort();
      say('interrupting; press Ctrl-C again to kill at once');
      return;
    }
    code = EXIT_CODES[signal] ?? 1;
    kill.abort();
    setTimeout(() => target.exit(code ?? 1), LAST_WORDS_MS).unref();
  };
  for (const signal of WAYS_OUT) target.on(signal, onSignal);
  return {
    cancel: cancel.signal,
    kill: kill.signal,
    exitCode: () => code,
    stop() {
      for (const signal of WAYS_OUT) target.off(signal, onSignal);
    },
  };
}
