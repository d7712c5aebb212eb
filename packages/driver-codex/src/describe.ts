import type { DriverDescription } from '@murmur/driver-sdk';

export const description: DriverDescription = {
  harness: 'codex',
  binary: 'codex',
  versionArgs: ['--version'],
  testedVersions: ['0.171.0'],
  interrupt: 'signal-int',
  requiredEnv: ['HOME', 'PATH'],
  // `exec --json` prints whole messages only.
  streamsText: false,
  reportsUsage: true,
  loginCheck: { tag: 'command', val: ['login', 'status'] },
  harnessNeeds: {
    // Sessions, login and several databases; Codex does not start without it, nor where it cannot write.
    paths: [{ path: '~/.codex', access: 'read-write' }],
    // The API for keys, the one for subscriptions, and the sign-in that refreshes tokens.
    hosts: ['api.openai.com', 'chatgpt.com', 'auth.openai.com'],
  },
};
