import { decodeUtf8, type LaunchRequest } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { process as driver } from '../src/index.js';
import { bridge, requestOf } from './replay.js';

const plan = (more: Partial<LaunchRequest> & { settings?: unknown } = {}) => {
  const { settings, ...request } = more;
  return driver.launch({
    ...requestOf('plain'),
    ...(settings === undefined ? {} : { config: JSON.stringify(settings) }),
    ...request,
  });
};
const refusal = (settings: unknown) => {
  try {
    plan({ settings });
  } catch (error) {
    return error;
  }
  return undefined;
};
/** Values of `-c`, by key. */
const overrides = (args: readonly string[]) =>
  new Map(
    args.flatMap((argument, at) =>
      args[at - 1] === '-c' ? [argument.split(/=(.*)/s).slice(0, 2) as [string, string]] : [],
    ),
  );

test('a plain turn: safe settings, own tools off, prompt on stdin', () => {
  expect(plan({ bridge: undefined }).args).toEqual(
    [
      'exec --json --skip-git-repo-check',
      '--disable plugins --disable apps --disable hooks',
      '--disable shell_tool --disable unified_exec --disable view_image --disable multi_agent --disable goals',
      '--disable image_generation --disable tool_suggest --disable sleep_tool',
      '-c analytics.enabled=false -c check_for_update_on_startup=false -c approval_policy="never"',
      '-c sandbox_mode="read-only" -c web_search="disabled" -c project_doc_max_bytes=0 -',
    ]
      .join(' ')
      .split(' '),
  );
  expect(plan().keepStdinOpen).toBe(false);
});

test('the same request gives the same plan', () => {
  expect(plan({ settings: { profile: 'work' } })).toEqual(plan({ settings: { profile: 'work' } }));
});

test('model and session: given when wanted, an offered id of a new session is not passed on', () => {
  const args = plan({ model: ' gpt-x ', session: { id: 'abc-1', mode: 'resume' } }).args;
  expect(args.slice(-5)).toEqual(['-m', 'gpt-x', 'resume', 'abc-1', '-']);
  expect(plan({ model: '' }).args).not.toContain('-m');
  expect(plan().args.join(' ')).not.toContain(requestOf('plain').session.id);
  expect(() => plan({ session: { id: '--last', mode: 'resume' } })).toThrow('never gives');
});

test('the bridge: its token reaches Codex by a variable, never by an argument', () => {
  const made = plan();
  expect(made.envSet).toContainEqual(['MURMUR_BRIDGE_TOKEN', bridge.bearerToken]);
  expect(made.args.join('\n')).not.toContain(bridge.bearerToken);
  expect(decodeUtf8(made.stdin ?? new Uint8Array())).not.toContain(bridge.bearerToken);
  expect(overrides(made.args).get('mcp_servers.mur.bearer_token_env_var')).toBe('"MURMUR_BRIDGE_TOKEN"');
  expect(
    overrides(plan({ bridge: { ...bridge, serverName: 'a.b' } }).args).get('mcp_servers."a.b".url'),
  ).toBe(`"${bridge.url}"`);
});

test('task and system prompt reach Codex byte for byte', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"\'\\\n\r\n\t$(x)', 'é'.repeat(50_000)),
  );
  fc.assert(
    fc.property(text, text, (task, systemPrompt) => {
      const prompt = decodeUtf8(plan({ task, systemPrompt, bridge: undefined }).stdin ?? new Uint8Array());
      expect(prompt.endsWith(task)).toBe(true);
      if (systemPrompt.trim() === '') expect(prompt).toBe(task);
      else expect(prompt).toBe(`<system_instructions>\n${systemPrompt}\n</system_instructions>\n\n${task}`);
    }),
    { numRuns: 50 },
  );
});

test('every configuration key does its part', () => {
  const made = plan({
    settings: {
      config_dir: '/srv/codex',
      profile: 'work',
      ignore_user_config: true,
      built_in_tools: true,
      sandbox_mode: 'workspace-write',
      reasoning_effort: 'high',
      reasoning_summary: 'auto',
      overrides: {
        'model_providers.x.request_max_retries': 0,
        notify: ['a', 'b'],
        'shell.set': { A: 'b"c' },
        web_search: 'live',
      },
    },
  });
  expect(made.envSet).toContainEqual(['CODEX_HOME', '/srv/codex']);
  expect(made.args.join(' ')).toContain('-p work --ignore-user-config');
  expect(made.args).not.toContain('shell_tool');
  expect(made.args).toContain('plugins');
  const set = overrides(made.args);
  expect(set.get('sandbox_mode')).toBe('"workspace-write"');
  expect(set.get('model_reasoning_effort')).toBe('"high"');
  expect(set.get('model_reasoning_summary')).toBe('"auto"');
  expect(set.get('model_providers.x.request_max_retries')).toBe('0');
  expect(set.get('notify')).toBe('["a", "b"]');
  expect(set.get('shell.set')).toBe('{ A = "b\\"c" }');
  expect(set.get('web_search')).toBe('"live"');
});

test.each([
  [{ sandbox: 'off', modle: 'x' }, 'keys this driver does not know: sandbox, modle'],
  [{ sandbox_mode: 'none' }, 'sandbox_mode must be one of read-only, workspace-write, danger-full-access'],
  [{ config_dir: 'relative' }, 'config_dir must be an absolute path'],
  [{ profile: '--oss' }, 'profile must be a profile name'],
  [{ built_in_tools: 'yes' }, 'built_in_tools must be true or false'],
  [{ overrides: ['a'] }, 'overrides must be a mapping'],
  [{ overrides: { 'a=b': 1 } }, 'overrides.a=b must be a dotted key'],
  [{ overrides: { a: null } }, 'overrides.a must be text'],
])('the configuration %j is refused by name', (settings, reason) => {
  expect(refusal(settings)).toContain(reason);
});

test('describe is constant and names no more than Codex needs', () => {
  expect(driver.describe()).toEqual(driver.describe());
  expect(driver.describe()).toMatchObject({
    interrupt: 'signal-int',
    streamsText: false,
    reportsUsage: true,
    requiredEnv: ['HOME', 'PATH'],
  });
});
