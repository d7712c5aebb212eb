export { type CheckedDriver, checkDriver } from '../check-driver.js';
export { type FoundDriver, findDriver } from '../find-driver.js';
export type { CheckDriverOptions } from '../prepare-driver.js';
export { testComponentDriver } from './component-driver.js';
export type { Finding, Property, PropertyId, PropertyOptions } from './finding.js';
export { checkGoldens, type ReadTurn, readTurn, withGoldens } from './goldens.js';
export { type Mutation, mutate, mutation, mutations } from './mutations.js';
export { noise, noiseLine, withNoise } from './noise.js';
export { testPlainDriver } from './plain-driver.js';
export { properties } from './properties/all.js';
export { MODEL_URL_TOKEN, type RecordOptions, recordCase } from './record/record-case.js';
export { createRedactor, type Redaction, type Redactor } from './record/redact.js';
export { reportText } from './report-text.js';
export { type PropertyResult, runProperties, type TestkitReport } from './run-properties.js';
export { runTestkit, type TestkitOptions } from './run-testkit.js';
export { type ComponentFacts, type DriverCall, DriverCallFailed, type TestDriver } from './test-driver.js';
export {
  linesOf,
  type TerminalLine,
  type TranscriptCase,
  type TranscriptExit,
  type TranscriptMeta,
  type TurnCase,
  turnsOf,
} from './transcript/case.js';
export { readRequest } from './transcript/launch-json.js';
export { readCase, readCases } from './transcript/read-case.js';
export { TranscriptProblem } from './transcript/read-fields.js';
export { writeCase } from './transcript/write-case.js';
