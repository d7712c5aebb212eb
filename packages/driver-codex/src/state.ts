import {
  createCumulativeView,
  createToolCallTracker,
  type LaunchRequest,
  type ToolCallTracker,
  type UsageTotals,
} from '@murmur/driver-sdk';

/** What reading one run has to remember. */
export interface CodexState {
  /** Name of the capsule's MCP server; `undefined` when Codex was given no tools. */
  readonly bridgeServer: string | undefined;
  /** The thread had runs before this one. */
  readonly resumed: boolean;
  readonly usage: UsageTotals;
  readonly toolCalls: ToolCallTracker;
  /** Text of the last message: the answer, should the turn end now. */
  answer: string | undefined;
  saidUsageIsAbsent: boolean;
}

export function createCodexState(request: LaunchRequest): CodexState {
  return {
    bridgeServer: request.bridge?.serverName,
    resumed: request.session.mode === 'resume',
    usage: createCumulativeView(),
    toolCalls: createToolCallTracker(),
    answer: undefined,
    saidUsageIsAbsent: false,
  };
}
