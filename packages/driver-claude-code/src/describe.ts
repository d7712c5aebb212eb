import type { DriverDescription } from '@murmur/driver-sdk';

export const description: DriverDescription = {
  harness: 'claude-code',
  binary: 'claude',
  versionArgs: ['--version'],
  testedVersions: ['2.1.332'],
  interrupt: 'stdin-message',
  requiredEnv: ['HOME', 'PATH'],
  streamsText: true,
  reportsUsage: true,
  loginCheck: { tag: 'command', val: ['auth', 'status'] },
  harnessNeeds: {
    // The sign-in and the sessions.
    paths: [{ path: '~/.claude', access: 'read-write' }],
    // The model, and the renewal of a subscription's sign-in.
    hosts: ['api.anthropic.com', 'platform.claude.com'],
  },
};
