/** Which wire format a request speaks; `other` is everything that is not an inference call. */
export type Api = 'anthropic' | 'responses' | 'chat' | 'other';

/** Token counts of one answer. Input excludes what the cache served. */
export interface ScriptedUsage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  /** Part of `output`. */
  readonly thinking?: number;
}

/** One tool the model may call; the first candidate whose name the request offers is taken. */
export interface ToolCandidate {
  /** Bare name; `mcp__server__name` and tools inside a namespace match by their last part. */
  readonly name: string;
  /** An object becomes a function call's arguments, a string a custom tool's input. */
  readonly input: Readonly<Record<string, unknown>> | string;
}

/**
 * One piece of an answer. Texts may hold `{answer}` (see `Script.answers`), `{last-user-text}`,
 * `{user-texts}` (the bracketed list of all of them) and `{tool-results}`.
 */
export type Block =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'tool'; readonly candidates: readonly ToolCandidate[] };

/** How an answer travels. Everything absent: at once and whole. */
export interface Pace {
  readonly firstByteDelayMs?: number;
  /** Pause between two pieces of the stream. */
  readonly pieceDelayMs?: number;
  /** After this many text pieces nothing more is sent, and the connection stays open until the client leaves. */
  readonly stallAfterPieces?: number;
  /** After this many text pieces the answer breaks off. */
  readonly cutAfterPieces?: number;
  /** `close`: the connection breaks; `reset`: TCP reset; `end`: a well-formed body that lacks its end. */
  readonly cut?: 'close' | 'reset' | 'end';
  /** After this many text pieces the stream reports an error of its own, in the API's form. */
  readonly errorAfterPieces?: number;
}

export interface AnswerStep {
  readonly blocks: readonly Block[];
  readonly usage?: ScriptedUsage;
  /** Default: `tool` when a block is a tool call, else `end`. */
  readonly stop?: 'end' | 'tool' | 'max-tokens';
  readonly pace?: Pace;
}

export interface FailureStep {
  /** HTTP status of 400 or more. */
  readonly failure: number;
  readonly message?: string;
  /** `quota`: the account is out of credit (429 that no retry helps). */
  readonly reason?: 'quota';
  readonly retryAfterSeconds?: number;
}

export type Step = AnswerStep | FailureStep;

/** What a model says, as data. Request n of a tag gets step n; the last step repeats. */
export interface Script {
  readonly steps: readonly [Step, ...Step[]];
  /** Served, whatever the count, when the request ends with tool results; such requests are not counted. */
  readonly afterToolResults?: Step;
  /** `{answer}` becomes the answer of the first row whose pattern (case-insensitive) the last user text matches. */
  readonly answers?: readonly { readonly pattern: string; readonly answer: string }[];
}

/** A request as it arrived, and what became of it. */
export interface RecordedRequest {
  /** Counts from 1 over the server's life. */
  readonly number: number;
  readonly method: string;
  /** Path and query as sent, with the script prefix. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Parsed body; undefined when it is not JSON. */
  readonly json: unknown;
  readonly api: Api;
  readonly script: string;
  readonly tag: string;
  /** Every text of a user's message, in order. */
  readonly userTexts: readonly string[];
  readonly outcome: 'pending' | 'answered' | 'failed' | 'cut' | 'client-left';
}

export interface ModelServerOptions {
  /** Served to paths without a `/c/<script>` prefix; default `echo`. */
  readonly script?: Script | string;
  /** Added to the built-in scripts, by name. */
  readonly scripts?: Readonly<Record<string, Script>>;
  /** Default 0: any free port. */
  readonly port?: number;
}

export interface ModelServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** Base URL that selects a script; requests are counted for each tag by itself. APIs lie below it at `/v1/…`. */
  urlFor(script: string, tag?: string): string;
  /** All requests so far, inference or not. */
  readonly requests: readonly RecordedRequest[];
  /** Inference requests of one tag. */
  requestsOf(tag: string): readonly RecordedRequest[];
  /** Resolves once `count` inference requests of that tag have been seen. */
  seen(tag: string, count: number): Promise<readonly RecordedRequest[]>;
  /** Stops listening and drops every connection. */
  close(): Promise<void>;
}
