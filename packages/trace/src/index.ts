export type {
  ExitStatus,
  QuotaWindow,
  SessionStart,
  TaskSource,
  TraceEvents,
  TraceEventType,
} from './events.js';
export { openTrace, type Trace, type TraceOptions } from './open-trace.js';
export { type ReadTraceOptions, readTrace, type TraceLine } from './read-trace.js';
