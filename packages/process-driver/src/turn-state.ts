import { stripControl } from '@murmur/errors';
import type { DriverEvent } from './contract.js';
import { createLateEvents, isLateEvent } from './late-events.js';
import { partialTextChars } from './limits.js';
import { createLiveSegment } from './live-segment.js';
import { createPendingCalls } from './pending-calls.js';
import type { QuotaWindows } from './quota.js';
import { createToolWriting } from './tool-writing.js';
import { createTurnLedger } from './turn-ledger.js';
import type { TurnReport } from './types.js';

export interface TurnStateOptions {
  readonly taskId: string;
  /** Trace index of the first turn, and how many may be opened from there. */
  readonly firstTurn: number;
  readonly maxTurns: number;
  readonly captureToolOutput: boolean;
  readonly quota: QuotaWindows;
  readonly report: TurnReport;
}

export type TerminalEvent = Extract<DriverEvent, { readonly tag: 'turn-end' | 'turn-failed' }>;
/** What the loop must do after an event. */
export type Verdict = 'continue' | 'ended' | 'over-budget';

/** What a run's events add up to. Knows nothing of processes; time is handed in. */
export interface TurnState {
  consume(event: DriverEvent, now: number): Verdict;
  note(text: string): void;
  /** From now on the final answer is kept but no longer sent to listeners. */
  markInterrupted(): void;
  /** Ends what a run that stopped without a terminal event left open. */
  closeAbruptly(): void;
  /** Notes each call that never got a result. */
  noteUnanswered(): void;
  readonly terminal: TerminalEvent | null;
  /** Whether the harness did anything that its session would hold. */
  readonly produced: boolean;
  /** The session id the harness named; null when it never did. */
  readonly sessionId: string | null;
  /** The last complete text, or what was streamed of an unfinished one. */
  readonly lastWords: string | null;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly toolCalls: number;
}

/** Why a run was stopped whose harness went past the budget. */
export function turnBudgetMessage(maxTurns: number): string {
  return `the harness began another turn after the ${maxTurns} that were left of inference.max_turns`;
}

/** Starts with nothing; implements "Events" of `docs/spec/process-driver.md`. */
export function createTurnState(options: TurnStateOptions): TurnState {
  const { taskId, maxTurns, captureToolOutput, quota, report } = options;
  const record = (eventType: string, payload: Readonly<Record<string, unknown>>): void =>
    report.record({ eventType, payload });
  const frame = (kind: string, data: Readonly<Record<string, unknown>>): void =>
    report.stream({ kind, data: { id: taskId, ...data } });
  const late = createLateEvents({ quota, record, frame });
  const { note } = late;

  const turns = createTurnLedger({ ...options, record: report.record });
  const segment = createLiveSegment(frame);
  const calls = createPendingCalls();
  const writing = createToolWriting();
  const warnedAuth = new Set<string>();
  let terminal: TerminalEvent | null = null;
  let produced = false;
  let interrupted = false;
  let sessionId: string | null = null;
  let lastText: string | null = null;
  let partialText = '';
  let toolCalls = 0;

  function overBudget(): Verdict {
    segment.endText();
    segment.close();
    record('harness_failed', { kind: 'max-turns', message: turnBudgetMessage(maxTurns), source: 'runtime' });
    return 'over-budget';
  }

  function endSegment(): void {
    segment.endText();
    segment.close();
    partialText = '';
  }

  function finish(event: TerminalEvent): Verdict {
    terminal = event;
    turns.closeLastTurn();
    const unfinished = partialText;
    endSegment();
    if (event.tag === 'turn-end') {
      produced = true;
      if (!segment.streamedText && event.result !== '' && !interrupted)
        frame('text', { text: event.result, final: true });
    } else {
      if (unfinished !== '') lastText = unfinished;
      record('harness_failed', { kind: event.kind, message: stripControl(event.message), source: 'harness' });
    }
    return 'ended';
  }

  function sessionStarted(event: Extract<DriverEvent, { tag: 'session-started' }>): void {
    const auth = stripControl(event.auth);
    if (event.id !== '') sessionId = event.id;
    record('harness_session', {
      harness_session_id: stripControl(event.id),
      auth,
      model: event.model === null ? null : stripControl(event.model),
    });
    if (auth === 'subscription' || warnedAuth.has(auth) || warnedAuth.size > 8) return;
    warnedAuth.add(auth);
    report.warn({ code: 'W-SEC-031', auth });
  }

  function toolCall(event: Extract<DriverEvent, { tag: 'tool-call' }>, now: number): Verdict {
    const number = turns.nextNumber;
    const turn = turns.openTurn();
    if (turn === null) return overBudget();
    segment.open(number);
    const held = writing.settle(event.id);
    if (held !== null) frame('tool-call-progress', { tool_call_id: event.id, input_bytes: held });
    turn.firstTool ??= event.name;
    const problem = calls.add({ id: event.id, name: event.name, input: event.input, turn: turn.index, now });
    if (problem !== null) note(problem);
    return 'continue';
  }

  function toolResult(event: Extract<DriverEvent, { tag: 'tool-result' }>, now: number): void {
    const call = calls.take(event.id);
    if (call === undefined) {
      note(`a result came for the tool call '${event.id}', which is not waiting for one`);
      return;
    }
    turns.closeTurn();
    toolCalls += 1;
    const durationMs = Math.max(0, Math.round(now - call.startedAt));
    record('tool_call', {
      turn: call.turn,
      task_id: taskId,
      tool_name: call.name,
      tool_call_id: call.id,
      input: call.input,
      input_bytes: call.inputBytes,
      ...(captureToolOutput ? { output: event.output } : {}),
      output_bytes: Buffer.byteLength(event.output),
      duration_ms: durationMs,
      status: event.isError ? 'error' : 'ok',
    });
    segment.endText();
    frame('artifact', {
      artifact: {
        tool_name: call.name,
        content: event.output,
        fence_source: null,
        tool_call_id: call.id,
        is_error: event.isError,
        duration_ms: durationMs,
        exit_code: null,
        truncated: false,
      },
    });
    endSegment();
  }

  function consumeRunning(event: DriverEvent, now: number): Verdict {
    switch (event.tag) {
      case 'session-started':
        sessionStarted(event);
        return 'continue';
      case 'text-delta':
        produced = true;
        segment.open(turns.nextNumber);
        if (partialText.length < partialTextChars)
          partialText += event.text.slice(0, partialTextChars - partialText.length);
        segment.textDelta(event.text);
        return 'continue';
      case 'text': {
        produced = true;
        const number = turns.nextNumber;
        if (turns.openTurn() === null) return overBudget();
        segment.open(number);
        segment.endText();
        lastText = event.text;
        partialText = '';
        return 'continue';
      }
      case 'thinking-delta':
        produced = true;
        segment.open(turns.nextNumber);
        segment.thinkingDelta(event.text);
        return 'continue';
      case 'thinking':
        produced = true;
        segment.open(turns.nextNumber);
        segment.thinking(event.text);
        return 'continue';
      case 'tool-call-started':
        if (!writing.start(event.id, event.name)) return 'continue';
        segment.open(turns.nextNumber);
        frame('tool-call-started', { tool_call_id: event.id, tool_name: event.name });
        return 'continue';
      case 'tool-call-progress': {
        const shown = writing.progress(event.id, event.inputBytes, now);
        if (shown !== null) frame('tool-call-progress', { tool_call_id: event.id, input_bytes: shown });
        return 'continue';
      }
      case 'tool-call':
        produced = true;
        return toolCall(event, now);
      case 'tool-result':
        toolResult(event, now);
        return 'continue';
      case 'retry':
        record('harness_retry', { attempt: event.attempt, reason: stripControl(event.reason) });
        return 'continue';
      case 'usage':
        turns.report(event.usage);
        return 'continue';
      case 'note':
      case 'quota':
      case 'suggested-prompt':
        late.consume(event);
        return 'continue';
      case 'turn-end':
      case 'turn-failed':
        return finish(event);
    }
  }

  return {
    consume(event, now) {
      if (terminal === null) return consumeRunning(event, now);
      if (isLateEvent(event)) late.consume(event);
      else note(`a ${event.tag} event came after the end of the turn and was ignored`);
      return 'continue';
    },
    note,
    markInterrupted() {
      interrupted = true;
    },
    closeAbruptly() {
      turns.closeLastTurn();
      segment.endText();
      segment.close();
    },
    noteUnanswered() {
      for (const id of calls.unanswered()) note(`no result came for the tool call '${id}'`);
    },
    get terminal() {
      return terminal;
    },
    get produced() {
      return produced;
    },
    get sessionId() {
      return sessionId;
    },
    get lastWords() {
      return partialText !== '' ? partialText : lastText;
    },
    get turns() {
      return turns.opened;
    },
    get inputTokens() {
      return turns.inputTokens;
    },
    get outputTokens() {
      return turns.outputTokens;
    },
    get toolCalls() {
      return toolCalls;
    },
  };
}
