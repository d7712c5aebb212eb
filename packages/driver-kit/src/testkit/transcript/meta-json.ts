import type { Usage } from '@murmur/driver-sdk';
import type { TranscriptExit, TranscriptMeta } from './case.js';
import { readFields, TranscriptProblem } from './read-fields.js';

const USAGE_KEYS = [
  ['input', 'input'],
  ['output', 'output'],
  ['cacheRead', 'cache_read'],
  ['cacheCreation', 'cache_creation'],
  ['thinking', 'thinking'],
] as const;

export function readMeta(value: unknown, where: string): TranscriptMeta {
  const fields = readFields(value, where);
  fields.only(
    'harness',
    'version',
    'recorded_on',
    'command',
    'argv',
    'env_names',
    'session',
    'bridge',
    'redactions',
    'terminal_lines',
    'usage',
    'lossless',
    'exit_answers',
    'tool_inputs',
  );
  const session = fields.object('session');
  const bridge = fields.object('bridge');
  return {
    harness: fields.text('harness'),
    version: fields.text('version'),
    recordedOn: fields.text('recorded_on'),
    command: fields.oneOf('command', ['turn', 'login', 'version'], 'turn'),
    argv: fields.texts('argv'),
    envNames: fields.texts('env_names'),
    session:
      session === null ? null : { id: session.text('id'), mode: session.oneOf('mode', ['new', 'resume']) },
    bridge: bridge === null ? null : { server: bridge.text('server'), tools: bridge.texts('tools') },
    redactions: fields.texts('redactions'),
    terminalLines:
      fields.objects('terminal_lines')?.map((each) => {
        const line = each.whole('line');
        if (line === null || line < 1) throw new TranscriptProblem(`${where}: terminal_lines count from 1`);
        return { line, outcome: each.oneOf('outcome', ['answered', 'failed']) };
      }) ?? null,
    usage: readUsage(fields.object('usage')),
    lossless: fields.flag('lossless', true),
    exitAnswers: fields.flag('exit_answers', false),
    toolInputs: fields.texts('tool_inputs'),
  };
}

function readUsage(fields: ReturnType<typeof readFields> | null): Usage | null {
  if (fields === null) return null;
  const present = USAGE_KEYS.flatMap(([member, key]) => {
    const count = fields.whole(key);
    return count === null ? [] : [[member, count] as const];
  });
  fields.only(...USAGE_KEYS.map(([, key]) => key));
  return Object.fromEntries(present);
}

/** `meta.json` as text; members at their default are left out. */
export function metaValue(meta: TranscriptMeta): Readonly<Record<string, unknown>> {
  const { usage } = meta;
  return {
    harness: meta.harness,
    version: meta.version,
    recorded_on: meta.recordedOn,
    command: meta.command,
    argv: meta.argv,
    env_names: meta.envNames,
    session: meta.session,
    bridge: meta.bridge,
    redactions: meta.redactions,
    ...(meta.command === 'turn'
      ? {
          terminal_lines: meta.terminalLines,
          usage:
            usage === null
              ? null
              : Object.fromEntries(
                  USAGE_KEYS.flatMap(([member, key]) =>
                    usage[member] === undefined ? [] : [[key, usage[member]]],
                  ),
                ),
        }
      : {}),
    ...(meta.lossless ? {} : { lossless: false }),
    ...(meta.exitAnswers ? { exit_answers: true } : {}),
    ...(meta.toolInputs.length === 0 ? {} : { tool_inputs: meta.toolInputs }),
  };
}

export function readExit(value: unknown, where: string): TranscriptExit {
  const fields = readFields(value, where);
  fields.only('code', 'signal', 'interrupted');
  return {
    code: fields.whole('code'),
    signal: fields.whole('signal'),
    interrupted: fields.flag('interrupted', false),
  };
}
