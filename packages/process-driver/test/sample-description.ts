import type { DriverDescription } from '../src/contract.js';

export function sampleDescription(changes: Partial<DriverDescription> = {}): DriverDescription {
  return {
    harness: 'sample',
    binary: 'sample-agent',
    versionArgs: ['--version'],
    testedVersions: ['1.2.3'],
    interrupt: 'signal-int',
    requiredEnv: [],
    streamsText: true,
    reportsUsage: true,
    loginCheck: { tag: 'command', args: ['login', 'status'] },
    harnessNeeds: { paths: [], hosts: [] },
    ...changes,
  };
}
