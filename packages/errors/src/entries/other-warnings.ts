import { warningEntry } from '../define.js';
import { number, prose, text, textList } from '../fields.js';
import { coordinate, quotedList } from '../phrase.js';

/** What happens while a capsule runs. */
export const runWarnings = [
  warningEntry({
    code: 'W-RUN-001',
    link: 'own line',
    stage: 'turn',
    fields: { cap: number },
    summary: 'An answer was cut at inference.max_tokens.',
    message: (f) => `the turn stopped at inference.max_tokens (${f.cap}): out/result.txt is a fragment`,
    remedy: 'raise inference.max_tokens, or split the task',
    explanation: 'The model ran into the cap. The session still ends ok.',
  }),
  warningEntry({
    code: 'W-RUN-002',
    link: 'own line',
    stage: 'launch',
    fields: { harness: text, detail: prose, tested: textList },
    summary: 'The harness version was not tested with this driver.',
    message: (f) =>
      `'${f.harness}': ${f.detail}; the driver was tested with ${f.tested.length === 0 ? 'no version' : f.tested.join(', ')}`,
    remedy: 'use a release of the driver that was tested with this version of the harness',
    explanation:
      'The output of a harness changes between versions. An untested one usually works; when it does not, look here first. The version may also be unreadable: the probe failed, printed nothing or did not answer in 10 seconds.',
  }),
  warningEntry({
    code: 'W-RUN-003',
    stage: 'staging-before-workdir',
    fields: { choice: text, driver: text, model: text, variable: text },
    summary: 'An alternate model has no credential.',
    message: (f) =>
      `inference.alternates '${f.choice}' (${f.driver}, ${f.model}) needs ${f.variable}, which is set nowhere: a switch to it will be refused`,
    remedy: (f) => `set ${f.variable} and start the capsule again`,
    explanation: 'Only the choice is affected; the capsule starts.',
  }),
  warningEntry({
    code: 'W-RUN-004',
    stage: 'turn',
    fields: { tool: text, half: text },
    summary: "A tool's input_schema is malformed.",
    message: (f) => `input_schema of '${f.tool}' is malformed (${f.half}): its calls run unchecked`,
    remedy: "the tool's author corrects it",
    explanation: 'The root must be an object and required must be a list of texts.',
  }),
  warningEntry({
    code: 'W-RUN-007',
    emitter: null,
    fields: { formation: text },
    summary: 'Nothing will end this member.',
    message: (f) =>
      `formation ${f.formation} has no lifeline here: nothing ends this capsule when its formation ends`,
    remedy: "launch it with 'mur run --roster', and end it with 'mur stop'",
    explanation: 'The capsule carries a formation id and was not started by a launcher.',
  }),
  warningEntry({
    code: 'W-RUN-008',
    fields: { caller: text, callee: text },
    summary: 'A member may call another and cannot reach it.',
    message: (f) =>
      `the roster lets '${f.caller}' call '${f.callee}', and its network.allow reaches no door on this host: every call will be refused`,
    remedy: (f) => `declare localhost in capabilities.network.allow of '${f.caller}'`,
    explanation: 'Calls between members go over loopback and are subject to network.allow.',
  }),
] as const;

/** Building, installing, deploying. */
export const artifactWarnings = [
  warningEntry({
    code: 'W-REG-002',
    emitter: null,
    stage: 'any',
    fields: { capsules: textList },
    summary: 'Some capsules could not be opened, so the report is incomplete.',
    message: (f) =>
      `${f.capsules.length} of the capsules that this project can spawn could not be opened: ${f.capsules.join(', ')}; the report is incomplete`,
    remedy: 'install or pin them',
    explanation: 'They are not installed, ambiguous, or unreadable.',
  }),
  warningEntry({
    code: 'W-REG-003',
    emitter: null,
    stage: 'any',
    fields: { name: text, version: text, interface: text, served: text },
    summary: 'An installed artifact speaks an interface that is not served.',
    message: (f) => `${coordinate(f)} speaks '${f.interface}'; '${f.served}' is served`,
    remedy: 'install a release that matches',
    explanation: 'This project does not declare the artifact; one that it declares would be an error.',
  }),
  warningEntry({
    code: 'W-ROS-001',
    emitter: null,
    stage: 'any',
    fields: { member: text, callers: textList, holds: number, needed: number },
    summary: 'More members may call a member than it can hold.',
    message: (f) =>
      `${f.callers.join(', ')} may call '${f.member}', which holds ${f.holds} tasks; ${f.needed} would hold all`,
    remedy: 'raise lifecycle.queue_depth, or narrow the rules',
    explanation: 'Calls beyond what the lifecycle holds are refused.',
  }),
  warningEntry({
    code: 'W-BLD-001',
    emitter: null,
    link: 'after the fix',
    stage: 'parse',
    fields: { entry: text },
    summary: 'requires_files names a reserved entry.',
    message: (f) => `requires_files names '${f.entry}', which is packed anyway`,
    remedy: (f) => `remove '${f.entry}' from requires_files`,
    explanation: 'Some entries of the root have a fixed meaning and are always packed.',
  }),
  warningEntry({
    code: 'W-BLD-002',
    emitter: null,
    link: 'after the fix',
    stage: 'parse',
    fields: { files: textList },
    summary: 'Components are packed that never run.',
    message: (f) => `capsule.wasm is what runs; packed and never run: ${quotedList(f.files)}`,
    remedy: 'keep one *.wasm file in the root',
    explanation: 'capsule.wasm always wins over its neighbours.',
  }),
  warningEntry({
    code: 'W-BLD-003',
    emitter: null,
    link: 'after the fix',
    stage: 'parse',
    fields: { files: textList },
    summary: 'The archive holds inputs of the build.',
    message: (f) => `inputs of the build are packed: ${quotedList(f.files)}`,
    remedy: 'remove them from requires_files',
    explanation: 'A compiled artifact does not need what it was compiled from.',
  }),
  warningEntry({
    code: 'W-DEPLOY-001',
    emitter: null,
    stage: 'any',
    fields: { detail: prose },
    summary: 'The target did not precompile everything.',
    message: (f) => `the target did not precompile all artifacts: ${f.detail}`,
    remedy: 'use a newer release of mur on the target, or rebuild the artifacts',
    explanation: 'The first run compiles what is missing and takes longer.',
  }),
  warningEntry({
    code: 'W-DEPLOY-002',
    emitter: null,
    stage: 'any',
    fields: { here: text, there: text },
    summary: 'The ceiling on unpacked artifacts differs on the target.',
    message: (f) => `MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES is ${f.here} here and ${f.there} on the target`,
    remedy: (f) => `pass --env MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES=${f.here}`,
    explanation: 'An artifact that unpacks here may be refused there.',
  }),
  warningEntry({
    code: 'W-RUN-901',
    stage: 'parse',
    fields: { wanted: text, running: text },
    summary: 'The manifest was made for another version of mur.',
    message: (f) =>
      `mur_version names ${f.wanted} and this is mur ${f.running}: the capsule runs all the same`,
    remedy: 'use that version, or change mur_version when the capsule was tried with this one',
    explanation: 'The key says which release a capsule was made with. It never refuses a run.',
    provisional: true,
  }),
  warningEntry({
    code: 'W-RUN-902',
    stage: 'any',
    fields: { context: text, reason: prose },
    summary: 'A conversation cannot be remembered.',
    message: (f) => `the conversation '${f.context}' is not remembered: ${f.reason}`,
    remedy:
      'make the named place below ~/.murmur/conversations a plain file or directory that this user owns, or remove it',
    explanation:
      'Which harness session a conversation has is kept in a file. When it cannot be read or written the task runs all the same, in a session of its own: the next run with the same --context begins anew.',
    provisional: true,
  }),
] as const;
