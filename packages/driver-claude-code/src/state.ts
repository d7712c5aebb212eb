import {
  createQuotaMerger,
  createRunningTotals,
  createToolCallTracker,
  type LaunchRequest,
  type QuotaMerger,
  type ToolCallTracker,
  type UsageTotals,
} from '@murmur/driver-sdk';
import { readClaudeCodeConfig } from './config.js';
import { createMessageText, type MessageText } from './message-text.js';
import { createBareNames } from './tool-names.js';
import { createTurnCounts, type TurnCounts } from './turn-counts.js';

/** What reading one run has to remember. */
export interface ClaudeCodeState {
  /** Name of the capsule's MCP server; `undefined` when Claude Code was given no tools. */
  readonly bridgeServer: string | undefined;
  readonly bareName: (harnessName: string) => string;
  /** Requests go to a host the manifest chose: who pays there is not known. */
  readonly ownBaseUrl: boolean;
  readonly totals: UsageTotals;
  readonly toolCalls: ToolCallTracker;
  readonly quota: QuotaMerger;
  readonly text: MessageText;
  /** Id of the message being streamed. */
  streaming: string;
  /** Whether `modelUsage` counts from nothing: in the first turn of a session that this run began. */
  countsFromNothing: boolean;
  turn: TurnCounts;
  /** Agents below the main one ran in this turn. */
  subAgents: boolean;
  /** Claude Code's own word for what went wrong with a request. */
  errorClass: string | undefined;
}

export function createClaudeCodeState(request: LaunchRequest): ClaudeCodeState {
  return {
    bridgeServer: request.bridge?.serverName,
    bareName: createBareNames(request.bridge),
    ownBaseUrl: readClaudeCodeConfig(request).baseUrl !== undefined,
    totals: createRunningTotals(),
    toolCalls: createToolCallTracker(),
    quota: createQuotaMerger(),
    text: createMessageText(),
    streaming: '',
    countsFromNothing: request.session.mode === 'new',
    turn: createTurnCounts(),
    subAgents: false,
    errorClass: undefined,
  };
}
