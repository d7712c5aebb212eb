import { classifyExitByDefault, defineProcessDriver, type ProcessExports } from '@murmur/driver-sdk';
import { planLaunch } from './launch.js';
import { createMiniState, readLine } from './lines.js';

/** The driver of the mini agent. */
export const process: ProcessExports = defineProcessDriver({
  describe: () => ({
    harness: 'mini-agent',
    binary: 'mini-agent',
    versionArgs: ['--version'],
    testedVersions: ['1.0.0'],
    interrupt: 'stdin-message',
    requiredEnv: ['HOME', 'PATH'],
    streamsText: true,
    reportsUsage: true,
    loginCheck: { tag: 'command', val: ['login', 'status'] },
    harnessNeeds: { paths: [{ path: '~/.mini-agent', access: 'read-write' }], hosts: [] },
  }),
  createState: createMiniState,
  launch: planLaunch,
  parseLine: readLine,
  classifyExit: classifyExitByDefault,
  readLogin(output) {
    if (output.exitCode === 0) return { tag: 'logged-in' };
    if (output.stderr.includes('Not logged in'))
      return { tag: 'logged-out', val: 'put a key into ~/.mini-agent/login.json' };
    return { tag: 'unknown', val: '`mini-agent login status` gave no answer that is known' };
  },
});
