export { type DriverConfigKeys, readConfigKeys, unusableConfigKey } from './config-keys.js';
export { joinContentBlocks } from './content-blocks.js';
export { defineProcessDriver, type ProcessDriverDefinition } from './define-driver.js';
export {
  note,
  quota,
  retry,
  sessionStarted,
  suggestedPrompt,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  toolCall,
  toolCallProgress,
  toolCallStarted,
  toolResult,
  turnEnd,
  turnFailed,
  usage,
} from './events.js';
export { classifyExitByDefault, describeExit } from './exit.js';
export {
  type DriverDescription,
  type DriverEvent,
  type DriverFile,
  type ExitStatus,
  type FailureKind,
  type HarnessNeeds,
  type HarnessSession,
  type InterruptMethod,
  type LaunchPlan,
  type LaunchRequest,
  type LoginCheck,
  type LoginOutput,
  type LoginState,
  type PathAccess,
  type PathNeed,
  PROCESS_INTERFACE,
  type ProcessExports,
  type QuotaState,
  type QuotaWindow,
  type RetryInfo,
  type SessionInfo,
  type SessionMode,
  type ToolBridge,
  type ToolCallInfo,
  type ToolCallProgress,
  type ToolCallStart,
  type ToolResultInfo,
  type TurnFailure,
  type Usage,
} from './generated/contract.js';
export {
  booleanMember,
  countMember,
  isJsonObject,
  type JsonObject,
  jsonText,
  listMember,
  MAX_JSON_DEPTH,
  numberMember,
  objectMember,
  readJson,
  readJsonObject,
  stringMember,
} from './json-line.js';
export {
  FILES_DIR,
  mcpConfigFile,
  pathOfFile,
  readDriverConfig,
  refuseTokenInArguments,
  wantedModel,
} from './launch.js';
export { NOTE_LINE_LENGTH, noteFor } from './notes.js';
export {
  createQuotaMerger,
  fractionFromPercent,
  isQuotaWindowName,
  msFromSeconds,
  type QuotaMerger,
} from './quota.js';
export { cutText, wellFormed } from './text.js';
export { createTextAssembler, type TextAssembler } from './text-assembler.js';
export { createToolCallTracker, type ToolCallTracker } from './tool-calls.js';
export { prefixNaming, type ToolNaming } from './tool-naming.js';
export { createCumulativeView, createRunningTotals, inputWithoutCache, type UsageTotals } from './usage.js';
export { decodeUtf8, encodeUtf8, utf8LengthBytes } from './utf8.js';
