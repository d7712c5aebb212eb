import type { DriverEvent, HarnessSession, LaunchPlan, LaunchRequest, Usage } from '@murmur/driver-sdk';

/** A line of a recording that ends a turn, as a person read it: the facts that a driver is judged by. */
export interface TerminalLine {
  /** Number of the line, counted from 1. */
  readonly line: number;
  readonly outcome: 'answered' | 'failed';
}

/** What is known of a recording beside its bytes; `meta.json` spells the members in snake_case. */
export interface TranscriptMeta {
  readonly harness: string;
  /** Version of the harness. */
  readonly version: string;
  /** Date of the recording, `YYYY-MM-DD`. */
  readonly recordedOn: string;
  /** What was run: a turn, the login check or the version command. */
  readonly command: 'turn' | 'login' | 'version';
  /** Program and arguments, redacted. */
  readonly argv: readonly string[];
  /** Names of the variables that were set. */
  readonly envNames: readonly string[];
  readonly session: HarnessSession | null;
  /** The tool bridge the harness was given; null for none. */
  readonly bridge: { readonly server: string; readonly tools: readonly string[] } | null;
  /** What was replaced, in words and without the replaced values. */
  readonly redactions: readonly string[];
  /** Lines that end a turn, in order; empty: none does; null: nobody has looked yet. */
  readonly terminalLines: readonly TerminalLine[] | null;
  /** Token totals at the end as the recording says them, in the units of the contract; null: it says none. */
  readonly usage: Usage | null;
  /** False where the harness streams less than the whole text. */
  readonly lossless: boolean;
  /** True where the harness answers by exiting, without a line that ends the turn. */
  readonly exitAnswers: boolean;
  /** Texts that were input of tools and may appear in no event but `tool-call` (and the result that repeats them). */
  readonly toolInputs: readonly string[];
}

/** How a recorded process ended. */
export interface TranscriptExit {
  readonly code: number | null;
  readonly signal: number | null;
  /** True when it was interrupted while recording. */
  readonly interrupted: boolean;
}

/** One recording of a real harness: a directory, read. Implements "Transcripts" of `docs/spec/driver-testkit.md`. */
export interface TranscriptCase {
  /** The directory's name. */
  readonly name: string;
  readonly meta: TranscriptMeta;
  /** Bytes of stdout as recorded. */
  readonly stdout: Uint8Array;
  readonly stderr: string;
  readonly exit: TranscriptExit;
  /** The launch request it is replayed with; null for commands that are no turn. */
  readonly request: LaunchRequest | null;
  /** The plan that a driver must make of the request, reviewed by hand; null when none is kept. */
  readonly plan: LaunchPlan | null;
  /**
   * Every event that a driver must read out of it, the judgement of its exit included where no line ends a turn;
   * reviewed by hand, null when none are kept.
   */
  readonly events: readonly DriverEvent[] | null;
}

/** A case that records a turn. */
export type TurnCase = TranscriptCase & { readonly request: LaunchRequest };

/** The recorded turns among the cases. */
export function turnsOf(cases: readonly TranscriptCase[]): readonly TurnCase[] {
  return cases.filter((each): each is TurnCase => each.meta.command === 'turn' && each.request !== null);
}

/**
 * Lines of a recording as the runtime hands them to a driver: ended by `\n`, one `\r` before it dropped, invalid UTF-8
 * replaced. Bytes after the last `\n` are no line.
 */
export function linesOf({ stdout }: Pick<TranscriptCase, 'stdout'>): readonly string[] {
  return decodeLines(stdout);
}

export function decodeLines(bytes: Uint8Array): readonly string[] {
  const lines: string[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let from = 0;
  for (let end = buffer.indexOf(0x0a); end >= 0; end = buffer.indexOf(0x0a, from)) {
    const stop = end > from && buffer[end - 1] === 0x0d ? end - 1 : end;
    lines.push(buffer.toString('utf8', from, stop));
    from = end + 1;
  }
  return lines;
}
