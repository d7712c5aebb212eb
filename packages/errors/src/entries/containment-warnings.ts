import { warningEntry } from '../define.js';
import { number, prose, text, textList } from '../fields.js';
import { quotedList } from '../phrase.js';

/** What a session's containment does and does not cover. */
export const containmentWarnings = [
  warningEntry({
    code: 'W-SEC-001',
    fields: {},
    summary: 'This host has no kernel sandbox for subprocesses.',
    message: () =>
      'capabilities.shell.allow: on this platform only the environment of subprocesses is guarded (a synthetic HOME, credentials removed), and that will not change here',
    remedy: 'treat the allow lists as advisory, or run on a host that enforces them',
    explanation:
      'Allowed programs run with the rights of this user. Nothing in the kernel holds them to the allow lists.',
  }),
  warningEntry({
    code: 'W-SEC-002',
    fields: {},
    summary: 'The kernel has no Landlock.',
    message: () =>
      'this kernel has no Landlock: neither the filesystem scope nor the list of programs is enforced for subprocesses; dropped capabilities and refused socket families still hold',
    remedy: 'use Linux 5.13 or later with Landlock enabled',
    explanation: 'Without Landlock a subprocess can read and execute whatever this user can.',
  }),
  warningEntry({
    code: 'W-SEC-003',
    fields: {},
    summary: 'network.allow does not bind bash on this host.',
    message: () =>
      "capabilities.network.allow does not bind connections that 'bash' opens itself on this host",
    remedy: 'use a host that enforces it, or do not combine bash with network.allow',
    explanation:
      'bash can open network connections without any other program, and only the environment is guarded here.',
  }),
  warningEntry({
    code: 'W-SEC-005',
    fields: { tier: text, exceptions: textList },
    summary: 'What the sandbox of subprocesses covers.',
    message: (f) =>
      `subprocesses are sandboxed at tier ${f.tier}; not covered: ${f.exceptions.length === 0 ? 'nothing' : f.exceptions.join(', ')}`,
    remedy: 'keep the grants narrow and do not run as root',
    explanation: 'A sandbox narrows what a program can reach; what is granted stays reachable.',
  }),
  warningEntry({
    code: 'W-SEC-009',
    stage: 'staging-before-workdir',
    fields: { binary: text },
    summary: 'An interpreter_runtime grant ties the capsule to this host.',
    message: (f) =>
      `capabilities.shell.interpreter_runtime for '${f.binary}' ties the capsule to the layout of this host`,
    remedy: 'use staged_runtime under sealed where the capsule should run elsewhere',
    explanation: "The grant lists directories of one host's interpreter. Another host has others.",
  }),
  warningEntry({
    code: 'W-SEC-010',
    fields: {},
    summary: 'Subprocesses have no common bound on this platform.',
    message: () =>
      'memory, processes and processor time of the subprocess tree have no common bound on this platform, and none can be set',
    remedy: 'use Linux with cgroup delegation',
    explanation:
      'A bound on a whole tree of processes needs cgroups, which only Linux has. There the same gap is an error, E-RUN-012.',
  }),
  warningEntry({
    code: 'W-SEC-011',
    stage: 'staging-before-workdir',
    fields: {},
    summary: 'filesystem.workdir_exec makes shell.allow advisory.',
    message: () =>
      'capabilities.filesystem.workdir_exec lets everything in the workdir be executed: capabilities.shell.allow is advisory and the achieved class is advisory on every host',
    remedy: 'remove workdir_exec, or keep the floor at advisory',
    explanation: 'Whoever can write and execute in one place can execute anything.',
  }),
  warningEntry({
    code: 'W-SEC-012',
    stage: 'staging-before-workdir',
    fields: { driver: text, helper: text, path: text, directory: text },
    summary: "A compiler's helper program will not be executable.",
    message: (f) =>
      `'${f.driver}' calls '${f.helper}' at '${f.path}', and no grant makes '${f.directory}' executable under sealed`,
    remedy: (f) => `grant '${f.directory}'`,
    explanation:
      'Compiler drivers call helpers that live elsewhere. The list was asked of the driver itself and may be longer than what a build needs.',
  }),
  warningEntry({
    code: 'W-SEC-013',
    fields: {},
    summary: 'Every program on this host may create user namespaces.',
    message: () =>
      'kernel.apparmor_restrict_unprivileged_userns is 0: every program on this host may create user namespaces, not only mur',
    remedy:
      'set the sysctl back to 1 and load the profile mur-sealed; where no profile can be loaded this is for information',
    explanation: 'The sysctl was switched off for the whole host where a profile for one program would do.',
  }),
  warningEntry({
    code: 'W-SEC-017',
    stage: 'staging-before-workdir',
    fields: { binary: text },
    summary: 'read_only is advisory for an interpreter.',
    message: (f) =>
      `capabilities.filesystem.read_only is advisory for '${f.binary}', whose programs cannot be read in advance; for everything else it holds`,
    remedy: (f) => `accept it, or remove '${f.binary}' from capabilities.shell.allow`,
    explanation:
      'What a command will write can be judged from its arguments, except where the argument is a program.',
  }),
  warningEntry({
    code: 'W-SEC-018',
    stage: 'staging-before-workdir',
    fields: { tool: text, properties: textList },
    summary: "A tool's path parameters carry no annotation.",
    message: (f) =>
      `'${f.tool}' has parameters that look like paths and say nothing about it: ${quotedList(f.properties)}; its calls are judged by their names`,
    remedy:
      "the tool's author annotates them: format: murmur-destination, format: murmur-opaque, or murmur-destinations at the root",
    explanation: 'read_only is applied to tool calls by knowing which argument is written to.',
  }),
  warningEntry({
    code: 'W-SEC-021',
    fields: { declared: number, reason: prose },
    summary: 'The ceiling on disk traffic could not be set.',
    message: (f) =>
      `capabilities.resources.cgroup_io_bytes_per_sec (${f.declared}) could not be set: ${f.reason}; the other three ceilings hold`,
    remedy: 'use a file system that lies on a block device',
    explanation: 'The kernel bounds traffic per block device, and some file systems have none.',
  }),
  warningEntry({
    code: 'W-SEC-029',
    stage: 'staging-before-workdir',
    fields: { driver: text, reason: prose, helpers: textList },
    summary: 'A compiler could not be asked for its helpers.',
    message: (f) =>
      `'${f.driver}' could not be run (${f.reason}): its helpers ${quotedList(f.helpers)} went unchecked`,
    remedy: "make it runnable and look again with 'mur doctor'",
    explanation: 'See W-SEC-012 for what is asked.',
  }),
  warningEntry({
    code: 'W-SEC-901',
    stage: 'staging-before-workdir',
    fields: { key: text },
    summary: 'A restriction in the manifest is not enforced by this build.',
    message: (f) =>
      `${f.key} is declared and not enforced by this build: what it restricts is not restricted`,
    remedy: 'do not rely on it yet; run only what you would run without the restriction',
    explanation:
      'The key is understood and checked, and the mechanism behind it is not built yet. The warning goes away with the release that enforces the key.',
    provisional: true,
  }),
  warningEntry({
    code: 'W-SEC-902',
    stage: 'parse',
    fields: { file: text, key: text, line: number, column: number, reason: text },
    summary: 'A key of a configuration file was left out.',
    message: (f) => `${f.file}:${f.line}:${f.column}: ${f.key} is left out: it ${f.reason}`,
    remedy: 'remove the key, or move it to the file that may hold it',
    explanation:
      'Configuration files may hold keys of newer releases, and a project may not bring keys and host directories of its own. Such a key has no effect; the rest of the file has.',
    provisional: true,
  }),
] as const;
