import { classifyExitByDefault, defineProcessDriver, type ProcessExports } from '@murmur/driver-sdk';
import { description } from './describe.js';
import { planLaunch } from './launch.js';
import { readLine } from './lines.js';
import { readClaudeLogin } from './login.js';
import { createClaudeCodeState } from './state.js';

/** The `murmur:driver/process` exports of the Claude Code driver. */
export const process: ProcessExports = defineProcessDriver({
  describe: () => description,
  createState: createClaudeCodeState,
  launch: planLaunch,
  parseLine: readLine,
  // An exit code proves nothing here: 0 after SIGINT, and 0 without a word where a start failed.
  classifyExit: classifyExitByDefault,
  readLogin: readClaudeLogin,
});
