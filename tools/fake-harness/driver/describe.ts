import type { DriverDescription } from '@murmur/driver-sdk';
import { balloon, hang, TRAP_TEXT } from './faults.js';

const base: DriverDescription = {
  harness: 'fake',
  binary: 'fake-agent',
  versionArgs: ['--version'],
  testedVersions: ['1.0.0'],
  interrupt: 'signal-int',
  requiredEnv: ['PATH'],
  streamsText: true,
  reportsUsage: true,
  loginCheck: { tag: 'command', val: ['login', 'status'] },
  harnessNeeds: { paths: [], hosts: [] },
};

const pathNeed = (path: string): DriverDescription => ({
  ...base,
  harnessNeeds: { paths: [{ path, access: 'read' }], hosts: [] },
});
const hostNeed = (host: string): DriverDescription => ({
  ...base,
  harnessNeeds: { paths: [], hosts: [host] },
});
const requiredEnv = (...names: string[]): DriverDescription => ({ ...base, requiredEnv: names });

/**
 * What `describe` answers in each variant. A description has no input to be steered by, so each is a component of
 * its own; everything else about the fake driver is steered by its configuration and by the lines it reads.
 */
export const describeVariants: Readonly<Record<string, () => DriverDescription>> = {
  plain: () => base,
  'interrupt-stdin-message': () => ({ ...base, interrupt: 'stdin-message' }),
  'interrupt-unsupported': () => ({ ...base, interrupt: 'unsupported' }),
  'reports-no-usage': () => ({ ...base, reportsUsage: false }),
  'streams-no-text': () => ({ ...base, streamsText: false }),
  'login-unavailable': () => ({
    ...base,
    loginCheck: { tag: 'unavailable', val: 'the fake harness knows no login' },
  }),
  'missing-binary': () => ({ ...base, binary: 'fake-agent-that-is-not-installed' }),
  /** Well formed needs of every kind, for manifests that allow them or do not. */
  needs: () => ({
    ...base,
    requiredEnv: ['PATH', 'HOME', 'FAKE_REQUIRED'],
    harnessNeeds: {
      paths: [
        { path: '~/.fake-agent', access: 'read-write' },
        { path: '/usr/share/fake-agent', access: 'read' },
      ],
      hosts: ['models.fake.test', 'https://api.fake.test:8443'],
    },
  }),

  'bad-env-empty': () => requiredEnv('PATH', ''),
  'bad-env-equals': () => requiredEnv('PATH=x'),
  'bad-env-nul': () => requiredEnv('PA\0TH'),
  'bad-login-empty': () => ({ ...base, loginCheck: { tag: 'command', val: [] } }),
  'bad-path-relative': () => pathNeed('relative/path'),
  'bad-path-home-itself': () => pathNeed('~/'),
  'bad-path-other-home': () => pathNeed('~other/x'),
  'bad-path-parent': () => pathNeed('~/x/../../y'),
  'bad-path-nul': () => pathNeed('/x\0y'),
  'bad-host': () => hostNeed('not a host'),
  'bad-harness-blank': () => ({ ...base, harness: '  ' }),
  'bad-binary-blank': () => ({ ...base, binary: '' }),

  'describe-traps': () => ({ ...base, harness: TRAP_TEXT }),
  'describe-hangs': hang,
  'describe-balloons': balloon,
};
