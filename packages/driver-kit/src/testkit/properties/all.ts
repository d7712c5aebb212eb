import type { Property } from '../finding.js';
import { afterTerminal } from './after-terminal.js';
import { batches } from './batches.js';
import { confinement } from './confinement.js';
import { description } from './description.js';
import { exits } from './exits.js';
import { falseSuccess } from './false-success.js';
import { freshState } from './fresh-state.js';
import { launches } from './launches.js';
import { logins } from './logins.js';
import { quotaWindows } from './quota-windows.js';
import { terminal } from './terminal.js';
import { textReplacement } from './text-replacement.js';
import { toolPairing } from './tool-pairing.js';
import { toolProgress } from './tool-progress.js';
import { total } from './total.js';
import { usageGrowth } from './usage-growth.js';
import { usageParts } from './usage-parts.js';

/** P1 to P17, in order. Each can be tried by itself: `properties.find(({ id }) => id === 'P2')`. */
export const properties: readonly Property[] = [
  total,
  batches,
  terminal,
  falseSuccess,
  usageGrowth,
  usageParts,
  toolPairing,
  toolProgress,
  textReplacement,
  quotaWindows,
  exits,
  launches,
  freshState,
  description,
  logins,
  confinement,
  afterTerminal,
];
