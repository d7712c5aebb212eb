import { errorEntry } from '../define.js';
import { number, oneOf, prose, text } from '../fields.js';

/** Spending, control, the door, delegation, and how a session ended. */
export const outcomeErrors = [
  errorEntry({
    variant: 'SpendLedgerUnavailable',
    code: 'E-RUN-026',
    stage: 'staging-before-workdir',
    fields: { path: text, message: prose },
    summary: 'The ledger of the daily spend ceiling cannot be used.',
    message: (f) => `the spend ledger '${f.path}' cannot be used: ${f.message}`,
    remedy:
      'make ~/.murmur/spend a directory that this user can write (mode 0700), or remove spend.machine_tokens_per_day',
    explanation:
      'A ceiling for the whole machine counts in a file that all capsules share. If it cannot be opened, the ceiling could not bind, so the run is refused before any request.',
  }),
  errorEntry({
    variant: 'ControlTokenUnwritable',
    code: 'E-RUN-041',
    stage: 'launch',
    fields: { reason: prose },
    summary: 'The control token cannot be stored.',
    message: (f) => `the control token cannot be stored: ${f.reason}`,
    remedy: 'make ~/.murmur/running writable for this user, or drop control from murmur.yaml',
    explanation:
      'A capsule with a control block is driven by whoever can read its token file. Without the file nobody could, so the launch is refused. The token is never printed.',
  }),
  errorEntry({
    variant: 'PortInUse',
    code: 'E-RUN-010',
    stage: 'launch',
    fields: { port: number },
    summary: 'The fixed port of the door is taken.',
    message: (f) => `network.internal_port ${f.port} is already in use`,
    remedy: 'choose another network.internal_port, or leave it out to have the system assign one',
    explanation: 'Another process listens on the port that the manifest fixes.',
  }),
  errorEntry({
    variant: 'SpawnRegistrationFailed',
    code: 'E-RUN-019',
    stage: 'launch',
    fields: { roost_url: text, reason: prose },
    summary: 'Registration with the spawn daemon failed.',
    message: (f) => `registration with mur-roost at '${f.roost_url}' failed: ${f.reason}`,
    remedy: 'start mur-roost and set MURMUR_ROOST_URL to its address, or drop capabilities.spawn.allow',
    explanation:
      'A capsule that may spawn others needs a referee. Without one the launch is refused; a capsule without spawn grants never connects.',
  }),
  errorEntry({
    variant: 'SpawnerHandleUnreadable',
    code: 'E-RUN-020',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'MURMUR_SPAWNER is set and is no spawner handle.',
    message: (f) => `MURMUR_SPAWNER cannot be read as a spawner handle: ${f.reason}`,
    remedy: "the variable is set by a parent's runtime: unset it to run the capsule directly",
    explanation:
      'A capsule that was delegated to learns of its parent through this variable. Its value would disclose the parent, so only what is wrong with it is said.',
  }),
  errorEntry({
    variant: 'SpawnerLifelineUnreadable',
    code: 'E-RUN-020',
    stage: 'staging-before-workdir',
    fields: { reason: prose },
    summary: 'MURMUR_SPAWNER_LIFELINE does not name an open pipe of this process.',
    message: (f) => `MURMUR_SPAWNER_LIFELINE cannot be used: ${f.reason}`,
    remedy: "the variable is set by a parent's runtime: unset it to run the capsule directly",
    explanation:
      'A delegated capsule ends when its parent does, which it notices at the read end of a pipe. The variable must name that descriptor.',
  }),
  errorEntry({
    variant: 'AgentLoopFailed',
    code: 'E-RUN-007',
    stage: 'turn',
    fields: { message: prose },
    summary: 'The agent loop itself broke.',
    message: (f) => `the agent loop failed: ${f.message}`,
    remedy: null,
    explanation:
      'Something the loop needs for itself failed: encoding a payload, reading what the driver returned, writing the trace or the result. The message says what it was doing.',
  }),
  errorEntry({
    variant: 'TaskDidNotComplete',
    code: 'E-RUN-040',
    stage: 'shutdown',
    fields: {
      exit_status: oneOf('failed', 'max_turns_reached', 'spend_ceiling_reached', 'canceled'),
      reason: prose,
    },
    summary: 'The session ended cleanly and its task did not complete.',
    message: (f) => `the task did not complete (${f.exit_status}): ${f.reason}`,
    remedy: 'the text of the result is in out/result.txt beside the trace, which gives the turn it ended on',
    explanation:
      'Everything was written and shut down in order; only the outcome is not a success. The first task that decides the outcome sets the status. Failures of the process transport are reported under their own codes instead.',
  }),
  errorEntry({
    variant: 'Runtime',
    code: 'E-IO-003',
    stage: 'any',
    fields: { message: prose },
    summary: 'A failure of the runtime without a class of its own.',
    message: (f) => `unclassified runtime failure: ${f.message}`,
    remedy: null,
    explanation:
      'Nothing more specific is known about this failure. When the cause is an import that nothing supplies, the code is E-RUN-002.',
  }),
] as const;
