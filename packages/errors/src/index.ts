export { type CatalogEntry, type CatalogField, type CatalogRow, catalog, catalogJson } from './catalog.js';
export type { ErrorCondition, WarningCondition } from './condition.js';
export type { Stage } from './define.js';
export { type DiagnoseOptions, type Diagnostic, diagnose, diagnoseWarning } from './diagnose.js';
export { docsLink } from './docs-link.js';
export { GATEWAY_CREDENTIAL_REMEDY } from './entries/gateway.js';
export { explain } from './explain.js';
export type {
  ContainmentClass,
  FailedMember,
  KeyPosition,
  OsError,
  RefusedNeed,
  SourceOutcome,
  StoppedMember,
  StrippedEnvAllowEntry,
  UnreachableEntrypoint,
} from './fields.js';
export { isMurmurError, MurmurError } from './murmur-error.js';
export { type UnusedNumber, unusedNumbers } from './numbers.js';
export { osError } from './os-error.js';
export { REDACTED, redact } from './redact.js';
export { renderError, renderForeseenError, renderWarning } from './render.js';
export { RESERVED_TOOL_NAMES } from './reserved-tool-names.js';
export {
  HARNESS_INACTIVE_CODE,
  HARNESS_SESSION_GONE_CODE,
  HARNESS_TURN_FAILED_CODE,
  PROCESS_DRIVER_CALL_FAILED_CODE,
} from './shared-codes.js';
export { stripControl, stripToOneLine } from './strip-control.js';
