import { warningEntry } from '../define.js';
import { number, optional, prose, text, textList } from '../fields.js';

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
