import type { ProcessLimits } from '@murmur/containment';
import type { World } from './world.js';

export type Verdict = 'ALLOWED' | 'REFUSED' | 'CONTAINED';

export interface Case {
  /** File below `probes/`, without `.c`. */
  readonly probe: string;
  readonly args?: (world: World) => readonly string[];
  readonly limits?: ProcessLimits;
  /**
   * What shows that the probe can succeed at all: it is ALLOWED to the same user without a jail (`same-user`) or to
   * the superuser of a namespace (`in-namespace`); or nothing that is safe to do on a host (`none`, with the reason).
   */
  readonly control: 'same-user' | 'in-namespace' | { readonly none: string };
  /** What a jail has to answer; REFUSED where nothing is said. */
  readonly sealed?: Verdict;
  readonly scoped?: Verdict;
}

const PRIVILEGED = { none: 'only the superuser of the host could' };
const NEEDS_NETWORK = { none: 'a host without a network refuses as well' };

const secret = (world: World): readonly string[] => [`${world.outside}/secret`];
const ownFile = (world: World): readonly string[] => [`${world.outside}/own`];
const victim = (world: World): readonly string[] => [String(world.victim)];
const unlisted = (): readonly string[] => ['/usr/bin/env'];

export const CASES: readonly Case[] = [
  { probe: 'capabilities-left', control: 'same-user' },
  { probe: 'cgroup-write.sh', control: PRIVILEGED },
  { probe: 'core-dump', control: 'same-user' },
  { probe: 'denied-syscalls', control: 'same-user' },
  { probe: 'device-nodes', control: 'same-user' },
  { probe: 'entry-i386', control: { none: 'the kernel may have no 32-bit entry' } },
  { probe: 'entry-x32', control: 'same-user' },
  { probe: 'environment.py', args: () => ['PATH'], control: 'same-user' },
  { probe: 'exec-unlisted', args: unlisted, control: 'same-user' },
  { probe: 'exec-tree-write.sh', args: () => ['tree/program'], control: 'same-user' },
  { probe: 'exec-workdir-copy', control: 'same-user' },
  { probe: 'fd-leak', control: 'same-user' },
  {
    probe: 'file-size',
    args: () => ['1048576'],
    limits: { fileSizeBytes: 1_048_576 },
    control: 'same-user',
  },
  {
    probe: 'fork-bomb',
    limits: { processes: 40 },
    control: { none: 'it would take the host with it' },
    sealed: 'CONTAINED',
    scoped: 'CONTAINED',
  },
  { probe: 'handle-open', args: secret, control: 'same-user' },
  // Landlock has no say in watches: names of files that the user may list become visible in a view of the host.
  { probe: 'inotify-outside', args: (world) => [world.outside], control: 'same-user', scoped: 'ALLOWED' },
  { probe: 'kill-everything', control: { none: 'it would end everything that the user runs' } },
  { probe: 'ld-preload-workdir.sh', args: () => ['/lib/x86_64-linux-gnu/libm.so.6'], control: 'same-user' },
  { probe: 'ldso-unlisted.sh', args: unlisted, control: 'same-user' },
  { probe: 'ldso-workdir.sh', control: 'same-user' },
  { probe: 'memfd-exec-execveat', control: 'same-user' },
  { probe: 'memfd-exec-proc', control: 'same-user' },
  { probe: 'mmap-exec-workdir', control: 'same-user' },
  { probe: 'mount-anything', control: 'in-namespace' },
  { probe: 'mqueue', control: 'same-user' },
  { probe: 'namespace-clone', control: 'same-user' },
  { probe: 'namespace-unshare', control: 'same-user' },
  { probe: 'netlink-xfrm', control: 'same-user' },
  { probe: 'opath-then-openat', args: (world) => [world.outside, 'secret'], control: 'same-user' },
  { probe: 'outside-chmod', args: ownFile, control: 'same-user' },
  { probe: 'outside-chown', args: ownFile, control: 'same-user' },
  { probe: 'outside-setxattr', args: ownFile, control: 'same-user' },
  { probe: 'outside-truncate', args: ownFile, control: 'same-user' },
  { probe: 'outside-utimes', args: ownFile, control: 'same-user' },
  { probe: 'pidfd-getfd', control: PRIVILEGED },
  { probe: 'prlimit-foreign', args: victim, control: 'same-user' },
  { probe: 'proc-foreign-pid', args: victim, control: 'same-user' },
  { probe: 'proc-init-secrets', control: PRIVILEGED },
  { probe: 'proc-root-alias', args: secret, control: 'same-user' },
  { probe: 'proc-sys-writes.sh', control: 'same-user' },
  { probe: 'ptrace-foreign', args: victim, control: 'same-user' },
  { probe: 'read-only-subpath.sh', args: () => ['p/d'], control: 'same-user' },
  { probe: 'setid-bits', control: 'same-user' },
  { probe: 'setuid-program', control: { none: 'it takes a set-user-id file of another user' } },
  { probe: 'shebang-workdir.sh', control: 'same-user' },
  { probe: 'shm-foreign', args: (world) => [world.sharedMemoryKey], control: 'same-user' },
  { probe: 'signal-foreign', args: victim, control: 'same-user' },
  { probe: 'socket-families', control: 'same-user' },
  { probe: 'socketpair-dgram', args: (world) => [`@${world.abstractName}`], control: 'same-user' },
  // What an interpreter reads is data to the kernel.
  { probe: 'source-workdir.sh', control: 'same-user', sealed: 'ALLOWED', scoped: 'ALLOWED' },
  // Landlock has no say in metadata: a view of the host shows that a file is there.
  { probe: 'stat-outside', args: ownFile, control: 'same-user', scoped: 'ALLOWED' },
  { probe: 'tcp-host-loopback', args: (world) => [String(world.port)], control: 'same-user' },
  { probe: 'tcp-metadata', control: NEEDS_NETWORK },
  { probe: 'tcp-unlisted', control: NEEDS_NETWORK },
  { probe: 'tiocsti', control: 'same-user' },
  { probe: 'unix-abstract-connect', args: (world) => [world.abstractName], control: 'same-user' },
  { probe: 'unix-path-connect', args: (world) => [world.socketPath], control: 'same-user' },
  { probe: 'unknown-syscall', control: { none: 'it asks for the errno of an older kernel' } },
  { probe: 'write-runtime-trees', control: 'same-user' },
];
