import type { DriverDescription, LaunchPlan, LaunchRequest, ToolBridge } from '@murmur/driver-sdk';
import { planProblem } from '@murmur/process-driver';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { same } from '../replay.js';
import { answerOf, DriverCallFailed, type TestDriver } from '../test-driver.js';
import { turnsOf } from '../transcript/case.js';

const CANARY = 'canary-bearer-token-91d3';

export const launches: Property = {
  id: 'P12',
  name: 'launch pure and safe',
  statement:
    'The same request gives the same plan, which can be carried out: plain file names, usable variables, no bridge token in an argument. A driver interrupted over stdin leaves it open and says what to write. Task and system prompt reach the harness byte for byte.',
  async check(driver, cases, options) {
    const turns = turnsOf(cases);
    if (turns.length === 0) return [];
    await driver.restart();
    const description = await answerOf(driver.describe());
    for (const { name, request } of turns) {
      const problem = await launchProblem(driver, description, request);
      if (problem !== null) return [finding(name, problem, null)];
    }
    const bridge: fc.Arbitrary<ToolBridge | undefined> = fc.option(
      fc.record({
        serverName: fc.constantFrom('murmur', 'mur'),
        url: fc.constantFrom('http://127.0.0.1:7777/bridge', 'http://127.0.0.1:65535/mcp'),
        bearerToken: fc.constant(CANARY),
        toolNames: fc.uniqueArray(fc.constantFrom('echo', 'read-file', 'shell_git', 'x'), { maxLength: 4 }),
      }),
      { nil: undefined },
    );
    const text = fc.oneof(
      fc.constantFrom(...HARD_TEXTS),
      fc.string({ unit: 'grapheme', maxLength: 60 }).map((each) => each.replaceAll('\0', '')),
    );
    const found = await falsify(
      fc.record({
        turn: fc.nat(turns.length - 1),
        bridge,
        model: fc.constantFrom(undefined, 'a-model', ' padded ', ''),
        task: text,
        systemPrompt: text,
      }),
      async ({ turn, ...more }) => {
        const base = turns[turn]?.request;
        return base === undefined ? null : launchProblem(driver, description, { ...base, ...more });
      },
      options,
    );
    if (found === null) return [];
    const { turn, ...request } = found.input;
    return [finding(turns[turn]?.name ?? null, found.problem, shortened(request))];
  },
};

const HARD_TEXTS: readonly string[] = [
  'plain words',
  '"double" \'single\' `back` $HOME $(id) %PATH% \\n \\ {files_dir}',
  'line one\nline two\r\n\ttabbed\n\n',
  'Grüße, 你好, \u{1f99c}\u200d\u{1f99c}, e\u0301, \u202eabc',
  '--option-like',
  '{"type":"user"}\n',
  '</system_instructions>',
  `${'é'.repeat(49_999)}e\n`,
];

async function launchProblem(
  driver: TestDriver,
  description: DriverDescription | undefined,
  request: LaunchRequest,
): Promise<string | null> {
  let plan: LaunchPlan;
  let again: LaunchPlan;
  try {
    plan = await driver.launch(request);
    again = await driver.launch(request);
  } catch (error) {
    if (error instanceof DriverCallFailed) return error.message;
    throw error;
  }
  if (!same(plan, again)) return 'the same request gives another plan the second time';
  const unusable = planProblem({
    ...plan,
    stdin: plan.stdin ?? null,
    interruptStdin: plan.interruptStdin ?? null,
  });
  if (unusable !== null) return unusable;
  const token = request.bridge?.bearerToken;
  if (token !== undefined && token !== '' && plan.args.some((argument) => argument.includes(token)))
    return "the bridge's token is in an argument, where every process of the machine can read it";
  if (
    description?.interrupt === 'stdin-message' &&
    !(plan.keepStdinOpen && (plan.interruptStdin?.length ?? 0) > 0)
  )
    return 'describe says that a message on stdin interrupts, but the plan closes stdin or has no such message';
  return textProblem(plan, 'task', request.task) ?? textProblem(plan, 'system prompt', request.systemPrompt);
}

function textProblem(plan: LaunchPlan, what: string, text: string): string | null {
  if (text.trim() === '') return null;
  return carriersOf(plan).some((carrier) => carrier.includes(text))
    ? null
    : `the ${what} does not reach the harness byte for byte: neither an argument, nor a variable, a file or stdin has it`;
}

/** Every text that a plan hands over, and every text inside it where it is JSON, whole or by lines. */
function carriersOf(plan: LaunchPlan): readonly string[] {
  const raw = [
    ...plan.args,
    ...plan.envSet.map(([, value]) => value),
    ...plan.files.map(({ contents }) => contents),
    ...(plan.stdin === undefined ? [] : [Buffer.from(plan.stdin).toString('utf8')]),
  ];
  return [
    ...raw,
    ...raw.flatMap((text) => [text, ...text.split('\n')].flatMap((part) => textsIn(parsed(part)))),
    // `key="…"` settings.
    ...raw.flatMap((text) => {
      const at = text.indexOf('="');
      return at < 0 ? [] : textsIn(parsed(text.slice(at + 1)));
    }),
  ];
}

function parsed(text: string): unknown {
  if (!/^\s*["[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function shortened(request: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(request).map(([key, value]) => [
      key,
      typeof value === 'string' && value.length > 200
        ? `${value.slice(0, 200)}… (${value.length} characters)`
        : value,
    ]),
  );
}

function finding(name: string | null, problem: string, counterexample: unknown): Finding {
  return { property: 'P12', case: name, problem, counterexample };
}
