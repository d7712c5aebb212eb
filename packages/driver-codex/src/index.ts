import { defineProcessDriver, type ProcessExports } from '@murmur/driver-sdk';
import { description } from './describe.js';
import { classifyCodexExit, readCodexLogin } from './exit.js';
import { planLaunch } from './launch.js';
import { readLine } from './lines.js';
import { createCodexState } from './state.js';

/** The `murmur:driver/process` exports of the Codex driver. */
export const process: ProcessExports = defineProcessDriver({
  describe: () => description,
  createState: createCodexState,
  launch: planLaunch,
  parseLine: readLine,
  classifyExit: classifyCodexExit,
  readLogin: readCodexLogin,
});
