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
/** What stands behind an option; `undefined` when the option is absent. */
const valueAfter = (args: readonly string[], option: string) =>
  args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
const fileOf = (made: ReturnType<typeof plan>, name: string) =>
  made.files.find((file) => file.name === name)?.contents;

test('a plain turn: own tools, settings, commands and questions off, prompts in files and on stdin', () => {
  const made = plan({ bridge: undefined });
  expect(made.args).toEqual([
    ...'--print --verbose --include-partial-messages'.split(' '),
    ...'--input-format stream-json --output-format stream-json'.split(' '),
    ...['--setting-sources', ''],
    ...'--strict-mcp-config --disable-slash-commands'.split(' '),
    ...['--tools', ''],
    ...'--permission-mode dontAsk --system-prompt-file {files_dir}/system-prompt.txt'.split(' '),
    ...'--session-id 11111111-2222-4333-8444-555555555555'.split(' '),
  ]);
  expect(made.keepStdinOpen).toBe(true);
  expect(Object.fromEntries(made.envSet)).toEqual({
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_TELEMETRY: '1',
  });
});

test('the same request gives the same plan', () => {
  expect(plan({ settings: { effort: 'low' } })).toEqual(plan({ settings: { effort: 'low' } }));
});

test('the interrupt is one line on stdin', () => {
  expect(decodeUtf8(plan().interruptStdin ?? new Uint8Array())).toBe(
    '{"type":"control_request","request":{"subtype":"interrupt"},"request_id":"interrupt-11111111-2222-4333-8444-555555555555"}\n',
  );
});

test('model and session: given when wanted, an id that is no UUID is not offered', () => {
  const args = plan({ model: ' opus ', session: { id: requestOf('plain').session.id, mode: 'resume' } }).args;
  expect(valueAfter(args, '--model')).toBe('opus');
  expect(valueAfter(args, '--resume')).toBe('11111111-2222-4333-8444-555555555555');
  expect(args).not.toContain('--session-id');
  expect(plan({ model: ' ' }).args).not.toContain('--model');
  expect(plan({ session: { id: 'abc', mode: 'new' } }).args).not.toContain('--session-id');
  expect(() => plan({ session: { id: '--continue', mode: 'resume' } })).toThrow('never gives');
});

test('the system prompt of now applies to a resumed session, wherever the option for it exists', () => {
  const option = (harnessVersion: string | undefined) =>
    valueAfter(plan({ harnessVersion }).args, '--system-prompt-snapshot');
  expect(option('2.1.332 (Claude Code)')).toBe('off');
  expect(option('2.1.278 (Claude Code)')).toBe('off');
  expect(option('3.0.0 (Claude Code)')).toBe('off');
  expect(option(undefined)).toBe('off');
  expect(option('2.1.197 (Claude Code)')).toBeUndefined();
  expect(option('2.0.999')).toBeUndefined();
});

test('the bridge: its token lies in a file, its tools need no question', () => {
  const made = plan();
  expect(valueAfter(made.args, '--mcp-config')).toBe('{files_dir}/mcp-config.json');
  expect(valueAfter(made.args, '--allowedTools')).toBe('mcp__mur');
  expect(fileOf(made, 'mcp-config.json')).toContain(`Bearer ${bridge.bearerToken}`);
  expect(made.args.join('\n')).not.toContain(bridge.bearerToken);
  expect(JSON.stringify(made.envSet)).not.toContain(bridge.bearerToken);
  expect(decodeUtf8(made.stdin ?? new Uint8Array())).not.toContain(bridge.bearerToken);
  const own = plan({ settings: { built_in_tools: ['Read', 'Grep'] } }).args;
  expect(valueAfter(own, '--tools')).toBe('Read,Grep');
  expect(valueAfter(own, '--allowedTools')).toBe('mcp__mur,Read,Grep');
});

test('task and system prompt reach Claude Code byte for byte, the task where nothing acts on it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"\'\\\n\r\n\t$(x)', '/clear', '@/etc/passwd', 'é'.repeat(100_000)),
  );
  fc.assert(
    fc.property(text, text, (task, systemPrompt) => {
      const made = plan({ task, systemPrompt });
      const stdin = decodeUtf8(made.stdin ?? new Uint8Array());
      expect(stdin.indexOf('\n')).toBe(stdin.length - 1);
      expect(JSON.parse(stdin)).toEqual({
        type: 'user',
        message: {
          role: 'user',
          content: [
            { type: 'text', text: task },
            { type: 'text', text: '' },
          ],
        },
      });
      expect(fileOf(made, 'system-prompt.txt')).toBe(systemPrompt);
    }),
    { numRuns: 50 },
  );
});

test('every configuration key does its part', () => {
  const made = plan({
    settings: {
      config_dir: '/srv/claude',
      base_url: 'http://127.0.0.1:8080/v',
      built_in_tools: ['Bash'],
      effort: 'high',
      max_retries: 0,
      max_turns: 3,
      non_streaming_fallback: false,
      user_settings: true,
    },
  });
  expect(Object.fromEntries(made.envSet)).toMatchObject({
    CLAUDE_CONFIG_DIR: '/srv/claude',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080/v',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK: '1',
  });
  expect(valueAfter(made.args, '--tools')).toBe('Bash');
  expect(valueAfter(made.args, '--effort')).toBe('high');
  expect(valueAfter(made.args, '--max-turns')).toBe('3');
  expect(valueAfter(made.args, '--setting-sources')).toBe('user');
});

test.each([
  [{ config: '/x', modle: 'x' }, 'keys this driver does not know: config, modle'],
  [{ config_dir: '~/.claude' }, 'config_dir must be an absolute path'],
  [{ base_url: 'localhost:80' }, 'base_url must be an http or https URL'],
  [{ base_url: 'https://user:key@host' }, 'base_url must be an http or https URL'],
  [{ built_in_tools: true }, 'built_in_tools must be a list of tool names'],
  [{ built_in_tools: ['Bash(rm *)'] }, 'built_in_tools must be a list of tool names'],
  [{ effort: 'most' }, 'effort must be one of low, medium, high, xhigh, max'],
  [{ max_retries: -1 }, 'max_retries must be a whole number from 0 to 100'],
  [{ max_turns: 0 }, 'max_turns must be a whole number from 1'],
  [{ non_streaming_fallback: 'no' }, 'non_streaming_fallback must be true or false'],
  [{ user_settings: 1 }, 'user_settings must be true or false'],
])('the configuration %j is refused by name', (settings, reason) => {
  expect(refusal(settings)).toContain(reason);
});

test('describe is constant and names no more than Claude Code needs', () => {
  expect(driver.describe()).toEqual(driver.describe());
  expect(driver.describe()).toMatchObject({
    interrupt: 'stdin-message',
    streamsText: true,
    reportsUsage: true,
    requiredEnv: ['HOME', 'PATH'],
    harnessNeeds: { paths: [{ path: '~/.claude', access: 'read-write' }] },
  });
});
