import type { Generator } from './generator.js';
import { archiveGenerator, installGenerator } from './generators/archive.js';
import { componentLoadGenerator, componentNamesGenerator } from './generators/component.js';
import {
  driverDescriptionGenerator,
  driverEventsGenerator,
  driverPlanGenerator,
  driverSpawnGenerator,
} from './generators/driver-answers.js';
import { guestWireGenerator } from './generators/guest-wire.js';
import { harnessGuestGenerator } from './generators/harness-guest.js';
import { harnessOutputGenerator } from './generators/harness-output.js';
import { lockGenerator } from './generators/lock.js';
import {
  artifactManifestGenerator,
  configGenerator,
  envGenerator,
  manifestGenerator,
} from './generators/manifest.js';
import { murRunGenerator } from './generators/mur-run.js';

/** Every generator, in the order they run. */
export const generators: readonly Generator[] = [
  manifestGenerator,
  artifactManifestGenerator,
  lockGenerator,
  configGenerator,
  envGenerator,
  archiveGenerator,
  installGenerator,
  componentNamesGenerator,
  componentLoadGenerator,
  guestWireGenerator,
  harnessOutputGenerator,
  harnessGuestGenerator,
  murRunGenerator,
  driverDescriptionGenerator,
  driverPlanGenerator,
  driverSpawnGenerator,
  driverEventsGenerator,
];
