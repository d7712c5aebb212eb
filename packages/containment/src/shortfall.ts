import { readFileSync } from 'node:fs';
import { MurmurError } from '@murmur/errors';

/** What keeps this host from a stronger class. */
export type Blocker =
  | 'NotLinux'
  | 'AppArmorProfileMissing'
  | 'NamespaceCreationDenied'
  | 'KernelUnsupported'
  | 'IdMapDenied'
  | 'MountDenied'
  | 'ProcMaskedOrDenied'
  | 'PivotDenied'
  | 'LandlockUnavailable'
  | 'FilterUnavailable'
  | 'ProbeUnavailable';

export interface Shortfall {
  readonly blocker: Blocker;
  /** The step that failed, in words; null where nothing was tried. */
  readonly step: string | null;
  /** Name of the system's error, or null. */
  readonly errno: string | null;
  /** Blocker, step, error and remedy in one text; every place that tells a person uses this one. */
  readonly reason: string;
}

type Cause = { readonly kind: 'platform' } | { readonly kind: 'step'; readonly error: unknown };

const REMEDIES: Readonly<Record<Blocker, string>> = {
  NotLinux: 'jails with a root of their own exist on Linux only; choose the class advisory here',
  AppArmorProfileMissing:
    "AppArmor keeps programs without a profile from using user namespaces; install the helper's AppArmor profile",
  NamespaceCreationDenied:
    'a container policy, a system call filter around this process or a sysctl forbids user namespaces; run on the host itself or permit them (kernel.unprivileged_userns_clone=1, or the container option that permits clone and unshare)',
  KernelUnsupported:
    'the kernel has no user namespaces or allows none; raise the sysctl user.max_user_namespaces above 0, or use a kernel built with CONFIG_USER_NS and CONFIG_NET_NS',
  IdMapDenied:
    'the user could not be mapped, which is no lack of privilege: this process is not dumpable, or its own user namespace has no such id',
  MountDenied:
    'mounts are forbidden inside the new namespace, as by a profile that permits user namespaces without CAP_SYS_ADMIN, or the kernel is older than 5.13',
  ProcMaskedOrDenied:
    'a process listing of its own cannot be mounted; a container that masks parts of /proc has to be started with an unmasked one (systempaths=unconfined)',
  PivotDenied:
    'the root cannot be exchanged: it is the initial RAM file system, or a policy forbids pivot_root',
  LandlockUnavailable:
    'add landlock to the lsm= list of the kernel command line, or use a kernel with CONFIG_SECURITY_LANDLOCK',
  FilterUnavailable: 'the kernel accepts no system call filter; it needs CONFIG_SECCOMP_FILTER',
  ProbeUnavailable: "the rehearsal itself could not run; look at the runtime's own account and limits",
};

/** Steps of the warden by the blocker that their failure means. */
const BLOCKERS: Readonly<Record<string, Blocker>> = {
  'make namespaces': 'NamespaceCreationDenied',
  'map the ids': 'IdMapDenied',
  'take the identity': 'IdMapDenied',
  'take what was granted': 'MountDenied',
  'start the root': 'MountDenied',
  'place devices': 'MountDenied',
  'place the scratch space': 'MountDenied',
  'place what was granted': 'MountDenied',
  'place the accounts': 'MountDenied',
  'place the process listing': 'ProcMaskedOrDenied',
  'end nested namespaces': 'ProcMaskedOrDenied',
  'enter the root': 'PivotDenied',
  'set up the loopback network': 'MountDenied',
  'build the Landlock rules': 'LandlockUnavailable',
  'load the system call filter': 'FilterUnavailable',
};

function readFlag(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

const isOn = (flag: string): boolean => flag === 'Y' || flag === '1';

/** Whether AppArmor withholds user namespaces from programs without a profile. It words the text, decides nothing. */
function isWithheldByAppArmor(): boolean {
  if (!isOn(readFlag('/sys/module/apparmor/parameters/enabled'))) return false;
  return (
    isOn(readFlag('/sys/module/apparmor/parameters/restrict_unprivileged_userns')) ||
    isOn(readFlag('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'))
  );
}

function blockerOf(step: string, errno: string | null): Blocker {
  const blocker = BLOCKERS[step] ?? 'ProbeUnavailable';
  if (
    blocker === 'NamespaceCreationDenied' &&
    (errno === 'ENOSPC' || errno === 'EINVAL' || errno === 'EUSERS')
  )
    return 'KernelUnsupported';
  const policed =
    blocker === 'NamespaceCreationDenied' || blocker === 'MountDenied' || blocker === 'IdMapDenied';
  return policed && isWithheldByAppArmor() ? 'AppArmorProfileMissing' : blocker;
}

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Null for an error that says nothing about what the host can do. */
export function describeShortfall(cause: Cause): Shortfall | null {
  if (cause.kind === 'platform')
    return { blocker: 'NotLinux', step: null, errno: null, reason: REMEDIES.NotLinux };
  const { error } = cause;
  if (!(error instanceof MurmurError) || error.condition.variant !== 'SealedRootConstructionFailed')
    return null;
  const details = (error.cause ?? {}) as { readonly code?: unknown; readonly syscall?: unknown };
  const step = asText(details.syscall) ?? 'the rehearsal';
  const errno = asText(details.code);
  const blocker = blockerOf(step, errno);
  const met = errno === null ? '' : ` (${errno})`;
  return { blocker, step, errno, reason: `${blocker}: could not ${step}${met}; ${REMEDIES[blocker]}` };
}
