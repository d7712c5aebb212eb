export { builtInScripts } from './scripts.js';
export { startModelServer } from './server.js';
export type {
  AnswerStep,
  Api,
  Block,
  FailureStep,
  ModelServer,
  ModelServerOptions,
  Pace,
  RecordedRequest,
  Script,
  ScriptedUsage,
  Step,
  ToolCandidate,
} from './types.js';
