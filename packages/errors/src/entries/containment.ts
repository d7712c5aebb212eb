import { errorEntry } from '../define.js';
import {
  containmentClass,
  listOf,
  oneOf,
  prose,
  type RefusedNeed,
  text,
  textList,
  type UnreachableEntrypoint,
} from '../fields.js';
import { coordinate, quotedList } from '../phrase.js';

/** What the host can enforce, against what was declared. */
export const containmentErrors = [
  errorEntry({
    variant: 'ContainmentFloorUnmet',
    code: 'E-CAP-003',
    stage: 'staging-before-workdir',
    fields: { declared: containmentClass, achieved: containmentClass, reason: prose },
    summary: 'This host cannot back the declared containment class.',
    message: (f) =>
      `containment '${f.declared}' is declared and this host can back '${f.achieved}': ${f.reason}`,
    remedy: (f) =>
      `lower the floor to '${f.achieved}' (capabilities.containment in murmur.yaml, containment in the configuration, or --containment ${f.achieved}), or move to a host that provides '${f.declared}'`,
    explanation:
      'The strongest of the floors in the manifest, the configuration and the flag is compared with what a live probe of the host achieved. A weaker class is never put in place of the declared one. The message names the one mechanism that is missing and, where there is one, the command that supplies it.',
  }),
  errorEntry({
    variant: 'StagedRuntimeRequiresSealed',
    code: 'E-CAP-004',
    stage: 'staging-before-workdir',
    fields: { binaries: textList, declared: containmentClass },
    summary: 'capabilities.shell.staged_runtime is declared below a sealed floor.',
    message: (f) =>
      `capabilities.shell.staged_runtime for ${quotedList(f.binaries)} needs a composed root, which only 'sealed' builds, and the floor is '${f.declared}'`,
    remedy:
      "raise the floor to 'sealed' with capabilities.containment or --containment sealed, or drop the grant; 'mur doctor' shows what this host can back",
    explanation:
      'A staged runtime is assembled inside a root of its own. Only the declared floor is looked at, so the verdict is the same on every host.',
  }),
  errorEntry({
    variant: 'EgressNamespaceUnavailable',
    code: 'E-CAP-005',
    stage: 'staging-before-workdir',
    fields: { blocker: oneOf('capability_grant_missing', 'kernel_support_missing'), reason: prose },
    summary: 'No private network namespace can be made for subprocesses.',
    message: (f) =>
      `capabilities.network.allow cannot be enforced for subprocesses on this host (${f.blocker}): ${f.reason}`,
    remedy: "carry out the command named above, then check with 'mur doctor'",
    explanation:
      'Every capsule that can start a subprocess on Linux needs a network namespace of its own, even with an empty list: without one, an empty list would quietly mean that anything goes. The containment class plays no part in it.',
  }),
  errorEntry({
    variant: 'ShellBinaryPackageUnreachable',
    code: 'E-CAP-006',
    stage: 'staging-before-workdir',
    fields: {
      entries: listOf<UnreachableEntrypoint>('UnreachableEntrypoint', [
        'binary',
        'resolved_path',
        'interpreter',
      ]),
    },
    summary: 'A script in shell.allow cannot reach its packages in the composed root.',
    message: (f) =>
      'capabilities.shell.allow names scripts whose packages lie outside the composed root: ' +
      f.entries
        .map((e) => `'${e.binary}' resolves to '${e.resolved_path}', run by '${e.interpreter}'`)
        .join('; ') +
      '; staging a script alone stages nothing that its interpreter imports',
    remedy:
      'call the module through its interpreter, which needs no grant for an interpreter of the distribution; otherwise add an interpreter_runtime or staged_runtime grant that names the interpreter, with the directories that strace -f -e trace=openat,getdents64 shows',
    explanation:
      'A script that a package manager put outside the system directories loads its code from beside it. Inside a composed root these directories are absent unless a grant names them.',
  }),
  errorEntry({
    variant: 'SealedRootConstructionFailed',
    code: 'E-RUN-014',
    stage: 'turn',
    fields: { detail: prose },
    summary: 'The composed root could not be built although the host had offered it.',
    message: (f) => `the composed root could not be built: ${f.detail}`,
    remedy:
      "the probe before launch succeeded, so look for what moved since: a reloaded AppArmor profile, a changed container policy, a staged_runtime source_path that does not exist; then probe again with 'mur doctor'",
    explanation:
      'The host reported the class as available and failed when it was needed. The message names the step and the error number. The session ends; no weaker root is used.',
  }),
  errorEntry({
    variant: 'CgroupDelegationUnavailable',
    code: 'E-RUN-012',
    stage: 'launch',
    fields: { reason: prose },
    summary: 'No cgroup scope can be made for the subprocess tree.',
    message: (f) =>
      `the subprocess tree would have no bound on memory, processes and processor time: ${f.reason}`,
    remedy:
      'give the systemd user unit delegation (Delegate=yes) for the controllers memory, pids, cpu and io, or run inside a delegated scope: systemd-run --user --scope -p Delegate=yes',
    explanation:
      'A capsule that can start subprocesses runs them inside a cgroup scope, by which they are bounded and ended. On Linux a run without it is refused.',
  }),
  errorEntry({
    variant: 'NativeBinaryPlatformMismatch',
    code: 'E-RUN-021',
    stage: 'staging',
    fields: { name: text, binary_platform: text, host_platform: text },
    summary: 'A native tool was built for another platform.',
    message: (f) =>
      `the binary of '${f.name}' is for ${f.binary_platform} and this host is ${f.host_platform}`,
    remedy: (f) =>
      `reinstall it on this host with 'mur install ${f.name}@<version>', or publish a build for ${f.host_platform}`,
    explanation:
      'The header of the binary names another operating system or another processor. All binaries of a run are checked before the first is written, so none is left behind.',
  }),
] as const;

/** Needs and abilities of a process driver, held against the manifest. */
export const harnessNeedErrors = [
  errorEntry({
    variant: 'ProcessDriverRequiredEnvNotAllowed',
    code: 'E-CAP-019',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, missing: textList },
    summary: 'The driver needs variables that the manifest does not allow.',
    message: (f) =>
      `${coordinate(f)} needs variables that capabilities.env.allow does not list: ${quotedList(f.missing)}`,
    remedy: (f) =>
      `add ${f.missing.join(', ')} to capabilities.env.allow; a variable that is not declared never reaches the harness`,
    explanation:
      'A process driver says which variables its harness cannot work without. Nothing declared is nothing granted, so each must be listed by its exact name.',
  }),
  errorEntry({
    variant: 'HarnessNeedsNotAllowed',
    code: 'E-CAP-021',
    stage: 'staging-before-workdir',
    fields: {
      name: text,
      version: text,
      refused: listOf<RefusedNeed>('{need, reason}', ['need', 'reason']),
    },
    summary: 'The harness needs paths or hosts that the manifest does not allow.',
    message: (f) =>
      `${coordinate(f)} drives a harness with needs that are not granted: ` +
      f.refused.map((r) => `${r.need} (${r.reason})`).join('; '),
    remedy:
      'allow each in murmur.yaml: paths under capabilities.harness.paths, hosts under capabilities.network.allow; system paths, the home of the runtime and places inside the workdir are never granted',
    explanation:
      'A process driver declares the directories and hosts that its harness works with. Each must be covered by the manifest. A directory that merely does not exist is reported as missing and refuses nothing.',
  }),
] as const;
