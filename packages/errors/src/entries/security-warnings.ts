import { warningEntry } from '../define.js';
import { number, optional, prose, text, textList } from '../fields.js';
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
] as const;

/** Grants that do nothing, or more than they seem to. */
export const grantWarnings = [
  warningEntry({
    code: 'W-SEC-004',
    emitter: null,
    link: 'after the fix',
    stage: 'parse',
    fields: { file: text, field: text },
    summary: 'A manifest that is packed seems to hold a secret.',
    message: (f) => `${f.file}: ${f.field} looks like a literal secret`,
    remedy: 'refer to a variable instead: ${' + 'NAME}',
    explanation:
      'The name of the key suggests a secret and the value is no reference. What is packed can be read by everybody who gets the artifact.',
  }),
  warningEntry({
    code: 'W-SEC-006',
    stage: 'staging-before-workdir',
    fields: { hook: text, keys: textList },
    summary: "Some of a hook's capabilities do nothing.",
    message: (f) => `capabilities of hook '${f.hook}': ${f.keys.join(', ')} have no effect on a hook`,
    remedy: 'move them to the capabilities of the capsule',
    explanation: 'A hook is granted network, filesystem and state; the rest is decided for the capsule.',
  }),
  warningEntry({
    code: 'W-SEC-007',
    stage: 'staging-before-workdir',
    fields: { artifact: text, entry: text },
    summary: "An artifact's network entry exceeds the capsule's.",
    message: (f) =>
      `network entry '${f.entry}' of '${f.artifact}' is not covered by capabilities.network.allow and was dropped: access is narrower, not wider`,
    remedy: 'widen capabilities.network.allow, narrow the entry, or delete it',
    explanation:
      'The capsule-wide list is the ceiling. A bare host is broader than an entry bound to a scheme.',
  }),
  warningEntry({
    code: 'W-SEC-008',
    stage: 'staging-before-workdir',
    fields: { artifact: text, keys: textList },
    summary: "An artifact's capabilities are not read.",
    message: (f) =>
      `capabilities of '${f.artifact}': ${f.keys.join(', ')} have no effect; it keeps what the capsule has`,
    remedy: 'use the capsule-wide keys, or a WASM build',
    explanation:
      'Narrowing works for WASM artifacts and for some keys. A native tool cannot be narrowed below its capsule.',
  }),
  warningEntry({
    code: 'W-SEC-014',
    stage: 'staging-before-workdir',
    fields: {},
    summary: 'State is granted per artifact, not to the capsule.',
    message: () =>
      'capabilities.state of the capsule grants nothing and nothing was created: state is granted per artifact',
    remedy: "move it to the artifact's entry",
    explanation: 'Each artifact that keeps state says so in its own entry.',
  }),
  warningEntry({
    code: 'W-SEC-015',
    stage: 'staging-before-workdir',
    fields: { artifact: text },
    summary: 'config on a native tool is not delivered.',
    message: (f) => `config of the native tool '${f.artifact}' is not delivered`,
    remedy: 'drop it, or ship a WASM build',
    explanation: 'Configuration reaches WASM artifacts only.',
  }),
  warningEntry({
    code: 'W-SEC-016',
    stage: 'staging-before-workdir',
    fields: {},
    summary: 'The conversation is granted per hook, not to the capsule.',
    message: () =>
      'capabilities.conversation of the capsule grants nothing: nothing can read the record through it',
    remedy: "move it to the hook's entry",
    explanation: 'Each hook that reads the conversation says so in its own entry.',
  }),
  warningEntry({
    code: 'W-SEC-019',
    emitter: 'murmur-artifact',
    stage: 'parse',
    // One line per key; a last line without a key names the two versions when the manifest wants a later mur.
    fields: {
      key: optional(text),
      block: text,
      suggestion: optional(text),
      wanted: optional(text),
      served: optional(text),
      unknown: optional(number),
    },
    summary: 'A key of the manifest is unknown.',
    message: (f) =>
      f.key === null
        ? `the manifest was made for mur ${f.wanted} and this is mur ${f.served}: the later one may know the unknown keys (${f.unknown})`
        : `unknown key '${f.key}' ${f.block}: ` +
          (f.suggestion === null ? 'a newer mur may know it' : `did you mean '${f.suggestion}'?`),
    unshown: ['wanted', 'served', 'unknown'],
    remedy: 'correct the spelling, or upgrade mur',
    explanation:
      'A misspelt key does nothing, which is easily taken for protection. Unknown keys are therefore always reported.',
  }),
  warningEntry({
    code: 'W-SEC-022',
    fields: {},
    summary: 'Results of commands sent to the background will be lost.',
    message: () =>
      'a command that is moved to the background outlives the task, and this lifecycle cannot take its result: it will be discarded',
    remedy: 'use lifecycle.task_acceptance: queue with lifecycle.after_task: sleep',
    explanation:
      'The outcome of a demoted command arrives as a new task, which this capsule does not accept.',
  }),
  warningEntry({
    code: 'W-SEC-023',
    fields: { reason: prose },
    summary: 'The session cannot be addressed by its id.',
    message: (f) =>
      `the record of this running session could not be written (${f.reason}): it is reachable by URL only`,
    remedy: 'make ~/.murmur writable for this user',
    explanation: 'Commands find a session through its record.',
  }),
  warningEntry({
    code: 'W-SEC-024',
    stage: 'staging-before-workdir',
    fields: { name: text, clause: optional(prose) },
    summary: 'An allowed variable looks like a credential.',
    message: (f) =>
      `capabilities.env.allow '${f.name}' looks like a credential: every guest sees its value, and it cannot be withdrawn${f.clause === null ? '' : `; ${f.clause}`}`,
    remedy: 'decide whether guests should have it, and use the narrowest credential there is',
    explanation:
      'The name survives the backstop and is shaped like one that holds a secret. Names alone are looked at.',
  }),
  warningEntry({
    code: 'W-SEC-025',
    stage: 'staging-before-workdir',
    fields: { entry: text, artifact: text },
    summary: 'A network entry opens the way round a gateway.',
    message: (f) =>
      `network entry '${f.entry}' matches the gateway endpoint of '${f.artifact}': the gateway does not need it, it only grants direct access without the key`,
    remedy: 'remove it unless something else needs it',
    explanation: 'Requests through the gateway do not pass network.allow.',
  }),
  warningEntry({
    code: 'W-SEC-027',
    stage: 'staging-before-workdir',
    fields: { artifact: text, origin: text },
    summary: 'A key can only be read at launch.',
    message: (f) =>
      `the gateway key of '${f.artifact}' comes from ${f.origin} and is read at launch only: a new key will not reach this capsule`,
    remedy: 'store it as credentials.<NAME> in the configuration',
    explanation: 'Keys in the configuration are read again when a provider refuses them; others are not.',
  }),
  warningEntry({
    code: 'W-SEC-028',
    fields: { path: text, mode: text },
    summary: 'A file with secrets can be read by others.',
    message: (f) => `'${f.path}' holds secrets and has mode ${f.mode}`,
    remedy: (f) => `chmod go= '${f.path}'`,
    explanation: 'Only the owner should have any access.',
  }),
  warningEntry({
    code: 'W-SEC-030',
    stage: 'staging-before-workdir',
    fields: { artifact: text },
    summary: 'A gateway is not metered.',
    message: (f) => `the gateway of '${f.artifact}' is not metered: no spend ceiling covers it`,
    remedy: 'bound the key at the provider',
    explanation: 'Only the configured http driver is counted.',
  }),
  warningEntry({
    code: 'W-SEC-031',
    stage: 'turn',
    fields: { auth: text },
    summary: 'The harness is not using a subscription.',
    message: (f) => `the harness reports auth '${f.auth}': what it spends may be billed to a key`,
    remedy: 'sign in on the plan, or bound the key at the provider',
    explanation: 'The ceiling of a plan does not apply where a key is used.',
  }),
  warningEntry({
    code: 'W-SEC-032',
    emitter: null,
    stage: 'staging-before-workdir',
    fields: { address: text, methods: textList, discloses: textList },
    summary: 'The door is open to others without authentication.',
    message: (f) =>
      `the door at ${f.address} takes calls from anybody: ${f.methods.join(', ')}; its card discloses ${f.discloses.join(', ')}`,
    remedy: 'declare network.authentication, put TLS in front of it, or bind to loopback',
    explanation: 'Whoever reaches the address can give the capsule tasks.',
  }),
  warningEntry({
    code: 'W-SEC-035',
    stage: 'staging-before-workdir',
    fields: { entry: text, location: text },
    summary: 'A host_paths entry reaches a place where credentials are kept.',
    message: (f) => `host_paths entry '${f.entry}' reaches ${f.location}, where credentials are kept`,
    remedy: 'narrow the entry',
    explanation: 'What a harness can read it can also send to whatever it may connect to.',
  }),
] as const;
