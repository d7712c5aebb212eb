import type { Usage } from './contract.js';
import type { TurnRecord } from './types.js';
import { createUsageLedger } from './usage.js';

export interface OpenTurn {
  readonly index: number;
  /** Name of the first tool it called; null while it called none. */
  firstTool: string | null;
}

/** The logical turns of one run: numbers, budget, and what each of them spent. */
export interface TurnLedger {
  /** The open turn, opened if need be; null when the budget is spent. */
  openTurn(): OpenTurn | null;
  report(usage: Usage): void;
  /** Closes the open turn, if any, and writes its `inference` record with the growth since the last one. */
  closeTurn(): void;
  /** As `closeTurn`; spend that no turn can be charged with gets a turn of its own rather than being lost. */
  closeLastTurn(): void;
  /** 1-based number of the turn that would open next. */
  readonly nextNumber: number;
  readonly opened: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export function createTurnLedger(options: {
  readonly taskId: string;
  readonly firstTurn: number;
  readonly maxTurns: number;
  readonly record: (record: TurnRecord) => void;
}): TurnLedger {
  const { taskId, firstTurn, maxTurns, record } = options;
  const usage = createUsageLedger();
  let opened = 0;
  let open: OpenTurn | null = null;
  let inputTokens = 0;
  let outputTokens = 0;

  function start(): OpenTurn {
    const turn = { index: firstTurn + opened, firstTool: null };
    opened += 1;
    open = turn;
    return turn;
  }
  function closeTurn(): void {
    if (open === null) return;
    const { index, firstTool } = open;
    open = null;
    const growth = usage.takeGrowth();
    inputTokens += growth.input ?? 0;
    outputTokens += growth.output ?? 0;
    record({
      eventType: 'inference',
      payload: {
        turn: index,
        task_id: taskId,
        ...(growth.input === undefined ? {} : { input_tokens: growth.input }),
        ...(growth.output === undefined ? {} : { output_tokens: growth.output }),
        decision: firstTool === null ? 'end_turn' : 'tool_call',
        tool_name: firstTool,
        ...(growth.cacheRead === undefined ? {} : { cached_tokens: growth.cacheRead }),
        ...(growth.cacheCreation === undefined ? {} : { cache_write_tokens: growth.cacheCreation }),
        ...(growth.thinking === undefined ? {} : { thinking_tokens: growth.thinking }),
      },
    });
  }
  return {
    openTurn: () => open ?? (opened < maxTurns ? start() : null),
    report: (report) => usage.report(report),
    closeTurn,
    closeLastTurn() {
      if (open === null && usage.hasOutstanding()) start();
      closeTurn();
    },
    get nextNumber() {
      return firstTurn + opened + 1;
    },
    get opened() {
      return opened;
    },
    get inputTokens() {
      return inputTokens;
    },
    get outputTokens() {
      return outputTokens;
    },
  };
}
