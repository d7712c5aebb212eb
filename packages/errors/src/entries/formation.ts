import { errorEntry } from '../define.js';
import { type FailedMember, listOf, prose, type StoppedMember, text, textList } from '../fields.js';
import { coordinate, quotedList, quotedOutput } from '../phrase.js';

/** Formations: several capsules launched together from a roster. */
export const formationErrors = [
  errorEntry({
    variant: 'FormationIdUnreadable',
    code: 'E-RUN-044',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'MURMUR_FORMATION_ID is set and is no formation id.',
    message: (f) => `MURMUR_FORMATION_ID is not a formation id: ${f.reason}`,
    remedy: 'unset MURMUR_FORMATION_ID to run the capsule alone',
    explanation:
      'A formation id is frm_ followed by 32 lower-case hexadecimal digits. The reason says whether the prefix, the length or a character is wrong; the value is not repeated.',
  }),
  errorEntry({
    variant: 'FormationPeersUnreadable',
    code: 'E-RUN-046',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'MURMUR_FORMATION_PEERS is set where it has no business.',
    message: (f) => `MURMUR_FORMATION_PEERS is set in the environment of mur: ${f.reason}`,
    remedy: 'unset MURMUR_FORMATION_PEERS',
    explanation: 'The variable exists only inside the components of a member and is never read from outside.',
  }),
  errorEntry({
    variant: 'FormationChannelUnreadable',
    code: 'E-RUN-046',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'MURMUR_FORMATION_CHANNEL carries no readable credentials.',
    message: (f) => `MURMUR_FORMATION_CHANNEL cannot be used: ${f.reason}`,
    remedy:
      "launch the roster with 'mur run --roster', or unset MURMUR_FORMATION_CHANNEL and MURMUR_FORMATION_ID",
    explanation:
      'A member receives what it needs to talk to its peers as one line through an inherited descriptor. The line is never quoted.',
  }),
  errorEntry({
    variant: 'FormationLifelineUnreadable',
    code: 'E-RUN-046',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: "MURMUR_FORMATION_LIFELINE does not name this member's lifeline.",
    message: (f) => `MURMUR_FORMATION_LIFELINE cannot be used: ${f.reason}`,
    remedy: 'the variable is set by the launcher of a roster only: unset it to run the capsule alone',
    explanation:
      'A member ends when its launcher does, which it notices at the read end of a pipe. The variable must name that descriptor.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-045',
    stage: 'launch',
    fields: {
      members: listOf<FailedMember>('FailedMember', ['name', 'capsule', 'version', 'reason', 'stderr']),
      stopped: listOf<StoppedMember>('StoppedMember', ['name', 'pid']),
    },
    summary: 'A member of the formation did not come up.',
    message: (f) =>
      'the formation did not come up' +
      f.members
        .map((m) => `\n'${m.name}' (${m.capsule}@${m.version}): ${m.reason}${quotedOutput([...m.stderr])}`)
        .join('') +
      `\nstopped again: ${f.stopped.length === 0 ? 'none' : f.stopped.map((s) => `${s.name} (pid ${s.pid})`).join(', ')}`,
    remedy: (f) =>
      `fix ${quotedList(f.members.map((m) => m.name))} first; a member can be run alone with --capsule and --capsule-version`,
    explanation:
      'A formation starts whole or not at all. The members that had started were stopped and waited for.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-046',
    stage: 'parse',
    fields: { variable: text, reason: prose },
    summary: '`mur run --roster` was called from inside a member.',
    message: (f) => `--roster cannot be used here, ${f.variable} is set: ${f.reason}`,
    remedy: (f) => `unset ${f.variable}, or launch the roster from outside the formation`,
    explanation: 'A member of a formation does not launch a formation of its own.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-047',
    stage: 'launch',
    fields: { name: text, version: text, expected: text, found: text },
    summary: "A member's bytes changed after the roster was admitted.",
    message: (f) =>
      `${coordinate(f)} changed since the roster was admitted: sha256 ${f.expected} was admitted, ${f.found} is installed`,
    remedy: 'launch again, so that the roster is admitted with what is installed now',
    explanation: 'Admission binds the digest of every member, and each is compared again before it starts.',
  }),
] as const;

/** Rules of `roster.yaml`. */
export const rosterErrors = [
  errorEntry({
    variant: null,
    code: 'E-ROS-001',
    stage: 'parse',
    fields: { key: text, problem: prose },
    summary: 'roster.yaml is missing, unreadable or malformed.',
    message: (f) => `roster.yaml: ${f.key}: ${f.problem}`,
    remedy: (f) => `correct ${f.key} in roster.yaml`,
    explanation:
      'The file does not parse, has a key that no rule knows, lacks a field, or holds a value of the wrong kind. Inside a member the key names the member.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-002',
    stage: 'parse',
    fields: { members: textList },
    summary: 'Not exactly one member is the entry.',
    message: (f) =>
      f.members.length === 0
        ? 'roster.yaml: no member has entry: true'
        : `roster.yaml: several members have entry: true: ${quotedList(f.members)}`,
    remedy: 'mark exactly one member of roster.yaml with entry: true',
    explanation: 'Tasks enter a formation through one member.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-003',
    stage: 'parse',
    fields: { name: text },
    summary: 'Two members share a name.',
    message: (f) => `roster.yaml: two members are called '${f.name}'`,
    remedy: 'rename one of them; several members may use the same capsule',
    explanation: 'Rules refer to members by name.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-004',
    stage: 'parse',
    fields: { rule: text, name: text },
    summary: 'A rule names a member that does not exist.',
    message: (f) => `roster.yaml: ${f.rule} names '${f.name}', which is no member`,
    remedy: (f) => `add a member called '${f.name}', or correct the name`,
    explanation: 'Every name in reachability must be declared under members.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-005',
    stage: 'parse',
    fields: { rule: text, name: text },
    summary: 'A rule calls a member that accepts no tasks of peers.',
    message: (f) => `roster.yaml: ${f.rule} calls '${f.name}', whose capsule does not accept tasks of peers`,
    remedy: (f) =>
      `declare exports.peer_tasks.accept: true in the capsule of '${f.name}', or drop it from to`,
    explanation: 'A capsule has to declare that it takes tasks from the other members of a formation.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-006',
    stage: 'parse',
    fields: { members: textList },
    summary: 'Members may call each other and some do not authenticate.',
    message: (f) =>
      `roster.yaml: members call each other, and ${quotedList(f.members)} declare no network.authentication`,
    remedy:
      'declare network.authentication on every member, or remove the rules by which members call each other',
    explanation: 'Once members can call each other, each must be able to tell a member from a stranger.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-007',
    stage: 'parse',
    fields: { member: text, name: text, version: text, problem: prose },
    summary: "A member's capsule is not usable.",
    message: (f) =>
      `roster.yaml: member '${f.member}' uses ${coordinate(f)}, which cannot be used: ${f.problem}`,
    remedy: (f) => `run 'mur install ${coordinate(f)}', or name another version`,
    explanation: 'The capsule is not installed, fails its digest, or its manifest cannot be read.',
  }),
  errorEntry({
    variant: null,
    code: 'E-ROS-008',
    stage: 'parse',
    fields: { rule: text, name: text },
    summary: 'A rule lets a member call the entry member.',
    message: (f) => `roster.yaml: ${f.rule} lists the entry member '${f.name}' in to`,
    remedy: 'turn the rule around: the entry member calls the others',
    explanation: 'Tasks flow from the entry member outward.',
  }),
] as const;
