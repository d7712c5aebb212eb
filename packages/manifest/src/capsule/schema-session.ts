import type { z } from 'zod';
import { manifestDefaults } from '../defaults.js';
import {
  block,
  choice,
  converted,
  described,
  duration,
  flag,
  fraction,
  listOf,
  namedBlocks,
  optionalText,
  rawText,
  shaped,
  size,
  text,
  textWhere,
  wholeNumber,
} from '../fields.js';
import { isWorkdirSubpath } from '../paths.js';
import { isReferenceName } from '../reference.js';

const { context, lifecycle, doneCheck, exports: exported } = manifestDefaults;

/** Bounds of what is kept, of which at least one is set. */
function boundedBlock<S extends z.ZodRawShape>(bounds: S) {
  const rule = { error: 'must set at least one bound, or be left out to keep everything' };
  return shaped(
    { minProperties: 1 },
    block(bounds).refine((retain) => Object.values(retain).some((bound) => bound !== undefined), rule),
  );
}

const onOff = converted<'on' | 'off'>(
  'on or off',
  (value) => {
    if (value === true || value === 'on') return 'on';
    return value === false || value === 'off' ? 'off' : undefined;
  },
  { enum: ['on', 'off', true, false] },
);

/** `context`. */
export const contextBlock = block({
  max_tokens: described(
    'Context size at which compaction is judged; absent = none.',
    wholeNumber(1).optional(),
  ),
  seed_budget: described(
    'Share of `max_tokens` that earlier messages may fill.',
    fraction().default(context.seedBudget),
  ),
  seed_overflow_margin: described(
    'Share of that budget that may be exceeded.',
    fraction().default(context.seedOverflowMargin),
  ),
  record: described('Whether the conversation is recorded.', onOff.default(context.record)),
  record_store: described('Name of the record; absent = the name of the capsule.', rawText().optional()),
  retain: described(
    'How long records are kept; absent = forever.',
    boundedBlock({
      max_messages: described('Messages of one conversation.', wholeNumber(1).optional()),
      max_age: described('Age of a conversation.', duration().optional()),
    }).optional(),
  ),
  images: described(
    'Images attached to a task.',
    block({ max_bytes: described('Size of one image.', size().optional()) }).optional(),
  ),
});

/** `lifecycle`. */
export const lifecycleBlock = block({
  task_acceptance: described(
    'Which tasks are taken.',
    choice(['none', 'single', 'queue']).default(lifecycle.taskAcceptance),
  ),
  after_task: described('What follows a task.', choice(['exit', 'sleep']).default(lifecycle.afterTask)),
  queue_depth: described('Waiting tasks.', wholeNumber(0).default(lifecycle.queueDepth)),
  input_timeout_secs: described('Wait for input, in seconds; absent = forever.', wholeNumber(0).optional()),
  conversation: described(
    'Whether a task continues the conversation of its context.',
    choice(['stateless', 'threaded']).default(lifecycle.conversation),
  ),
  max_task_reopens: described(
    'How often hooks may reopen a task.',
    wholeNumber(0).default(lifecycle.maxTaskReopens),
  ),
  shell_grace_secs: described(
    'Seconds before a command goes to the background.',
    wholeNumber(0).default(lifecycle.shellGraceSecs),
  ),
  delegation_deadline_secs: described(
    'Seconds given to a delegated task.',
    wholeNumber(0).default(lifecycle.delegationDeadlineSecs),
  ),
  deadline_notice_secs: described('How long before a deadline the agent is told.', wholeNumber(0).optional()),
  keep_working: described(
    'Continue a task past the end of a turn.',
    block({ limit: described('Continuations of one task.', wholeNumber(0)) }).optional(),
  ),
  done_check: described(
    'A command that decides whether the work is done.',
    block({
      command: described('The command; its program must be in `shell.allow`.', text()),
      limit: described('Reopens of one task.', wholeNumber(0).default(doneCheck.limit)),
      timeout_secs: described('Seconds given to the command.', wholeNumber(1).default(doneCheck.timeoutSecs)),
    }).optional(),
  ),
});

const DOOR_SCOPES = [
  'message/send',
  'message/stream',
  'stream/watch',
  'tasks/get',
  'tasks/cancel',
  'session/stop',
  'resources/files',
] as const;

/** `network`: the door. */
export const doorBlock = block({
  internal_port: described('Port of the door; absent = any free one.', wholeNumber(1, 65_535).optional()),
  authentication: described(
    'Tokens; absent = none are asked for.',
    block({
      scheme: described('Kind of token.', choice(['bearer'])),
      credentials: described(
        'Tokens narrower than the operator’s, by name.',
        namedBlocks(
          block({
            scopes: described(
              'What the token allows.',
              listOf(choice(DOOR_SCOPES)).superRefine((scopes, issues) => {
                if (scopes.length === 0) issues.addIssue({ code: 'custom', message: 'must not be empty' });
                noRepeats(scopes, issues);
              }),
            ),
          }),
        )
          .superRefine((credentials, issues) => {
            for (const name of Object.keys(credentials)) {
              if (/^[a-z][a-z0-9_-]{0,31}$/.test(name) && name !== 'operator') continue;
              const message =
                'is not a usable name: lowercase letters, digits, _ and -, at most 32, not `operator`';
              issues.addIssue({ code: 'custom', path: [name], message });
            }
          })
          .default({}),
      ),
    }).optional(),
  ),
});

const root = () => textWhere('a path that stays inside the workdir', (value) => isWorkdirSubpath(value));

/** `exports`. */
export const exportsBlock = block({
  files: described(
    'Files shown at the door.',
    block({
      root: described('Directory below the workdir.', root()),
      mode: described('How it is shown.', choice(['read-only'])),
      max_bytes: described('Size of a file that is handed out.', size().default(exported.maxBytes)),
    }).optional(),
  ),
  peer_files: described(
    'Files that may be shared with peers.',
    block({
      root: described('Directory below the workdir.', root()),
      max_ttl: described('How long a share holds.', duration({ days: false }).optional()),
      max_bytes: described('Size of a file that is handed out.', size().default(exported.maxBytes)),
    }).optional(),
  ),
  peer_tasks: described(
    'Tasks from peers.',
    block({ accept: described('Whether they are taken.', flag()) }).optional(),
  ),
});

const credentialName = () =>
  textWhere('a name of capitals, digits and _', isReferenceName, '^[A-Z_][A-Z0-9_]*$');

/** `control`. */
export const controlBlock = block({
  settings: described(
    'Settings an operator may change.',
    listOf(choice(['inference.max_tokens', 'inference.driver']))
      .superRefine(noRepeats)
      .default([]),
  ),
  secrets: described(
    'Keys supplied while the capsule runs.',
    listOf(credentialName()).superRefine(noRepeats).default([]),
  ),
  agent_settings: described(
    'Settings the model may change.',
    listOf(choice(['inference.driver']))
      .superRefine(noRepeats)
      .default([]),
  ),
});

/** `observability`. */
export const observabilityBlock = block({
  otel_endpoint: described('Where OpenTelemetry data goes; absent = nowhere.', optionalText()),
  eval: described(
    'How a run is scored.',
    block({
      dataset_id: described('Data set the run belongs to.', optionalText()),
      scorers: described(
        'The scorers.',
        listOf(
          block({
            type: described('`exit_ok`, `max_turns`, `max_tokens`, `tool_sequence` or `llm_judge`.', text()),
            name: described('Name in the result; absent = the type.', optionalText()),
            max: described('Bound of `max_turns` (10) or `max_tokens` (100000).', wholeNumber(0).optional()),
            expected: described('Order of tools for `tool_sequence`.', listOf(text()).default([])),
          }),
        ).default([]),
      ),
    }).optional(),
  ),
});

/** `trace`. */
export const traceBlock = block({
  capture: described(
    'How much a trace holds: nothing of the content, hashes, or the content itself.',
    choice(['none', 'meta', 'content']).optional(),
  ),
  include_tool_output: described(
    'Retired: `true` is `capture: content`, `false` is `capture: meta`.',
    flag().optional(),
  ),
  retain: described(
    'How long traces are kept; absent = forever.',
    boundedBlock({
      max_sessions: described('Sessions, the running one included.', wholeNumber(1).optional()),
      max_age: described('Age of a session.', duration().optional()),
    }).optional(),
  ),
}).superRefine((trace, issues) => {
  if (trace.capture === undefined || trace.include_tool_output === undefined) return;
  const message = 'cannot stand beside `capture`, which replaces it';
  issues.addIssue({ code: 'custom', path: ['include_tool_output'], message });
});

function noRepeats(list: readonly string[], issues: z.RefinementCtx): void {
  list.forEach((entry, index) => {
    if (list.indexOf(entry) === index) return;
    issues.addIssue({ code: 'custom', path: [index], message: 'is listed twice' });
  });
}
