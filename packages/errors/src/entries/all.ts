import { artifactErrors } from './artifacts.js';
import { capabilityErrors } from './capabilities.js';
import { commandErrors } from './commands.js';
import { componentErrors } from './components.js';
import { containmentErrors, harnessNeedErrors } from './containment.js';
import { containmentWarnings } from './containment-warnings.js';
import { formationErrors, rosterErrors } from './formation.js';
import { gatewayErrors } from './gateway.js';
import { grantWarnings } from './grant-warnings.js';
import { ioAndManifestErrors, registryAndBuildErrors } from './io-manifest.js';
import { artifactWarnings, runWarnings } from './other-warnings.js';
import { outcomeErrors } from './outcome.js';
import { processDriverErrors } from './process-driver.js';
import { resumeErrors } from './resume.js';
import { sessionDirectoryErrors } from './session-directory.js';
import { recordErrors, runningSessionErrors } from './sessions.js';

/** Every error of the catalog. */
export const errorEntries = [
  ...artifactErrors,
  ...componentErrors,
  ...sessionDirectoryErrors,
  ...capabilityErrors,
  ...resumeErrors,
  ...containmentErrors,
  ...harnessNeedErrors,
  ...gatewayErrors,
  ...outcomeErrors,
  ...processDriverErrors,
  ...formationErrors,
  ...rosterErrors,
  ...ioAndManifestErrors,
  ...registryAndBuildErrors,
  ...runningSessionErrors,
  ...recordErrors,
  ...commandErrors,
] as const;

/** Every warning of the catalog. */
export const warningEntries = [
  ...containmentWarnings,
  ...grantWarnings,
  ...runWarnings,
  ...artifactWarnings,
] as const;
