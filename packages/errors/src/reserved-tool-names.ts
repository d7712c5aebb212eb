/** Names of tools that the runtime provides itself; no artifact may carry one. */
export const RESERVED_TOOL_NAMES: readonly string[] = [
  'share-file',
  'fetch-peer-file',
  'delegate-task',
  'submit-plan',
];
