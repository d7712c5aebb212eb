import {
  type DriverFile,
  encodeUtf8,
  type LaunchPlan,
  type LaunchRequest,
  mcpConfigFile,
  pathOfFile,
  wantedModel,
} from '@murmur/driver-sdk';
import { type ClaudeCodeConfig, readClaudeCodeConfig } from './config.js';
import { bridgePermission } from './tool-names.js';
import { knowsPromptSnapshots } from './version.js';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Calls to other hosts that nobody asked for, and what a task's text could set off besides being read. */
const QUIET: readonly (readonly [string, string])[] = [
  ['CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC', '1'],
  ['DISABLE_AUTOUPDATER', '1'],
  ['DISABLE_ERROR_REPORTING', '1'],
  ['DISABLE_TELEMETRY', '1'],
  ['CLAUDE_CODE_DISABLE_FILE_MENTIONS', '1'],
];

/** Plans `claude --print`. @throws Error when the manifest's driver configuration or the session id cannot be used. */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const config = readClaudeCodeConfig(request);
  // In files: arguments are seen by every process of the machine, and one of them may hold 128 KiB at most.
  const prompt: DriverFile = { name: 'system-prompt.txt', contents: request.systemPrompt };
  const servers = request.bridge === undefined ? [] : [mcpConfigFile(request.bridge)];
  return {
    args: [
      ...['--print', '--verbose', '--include-partial-messages'],
      ...['--input-format', 'stream-json', '--output-format', 'stream-json'],
      ...['--setting-sources', config.userSettings ? 'user' : ''],
      ...['--strict-mcp-config', '--disable-slash-commands'],
      ...servers.flatMap((file) => ['--mcp-config', pathOfFile(file)]),
      ...toolOptions(request, config),
      ...['--system-prompt-file', pathOfFile(prompt)],
      // Else a resumed session would go on with the prompt that it began with, whatever the manifest says now.
      ...(knowsPromptSnapshots(request.harnessVersion) ? ['--system-prompt-snapshot', 'off'] : []),
      ...modelOptions(request, config),
      ...sessionOptions(request),
    ],
    envSet: environment(config),
    files: [prompt, ...servers],
    stdin: encodeUtf8(userMessage(request.task)),
    // An interrupt goes the same way.
    keepStdinOpen: true,
    interruptStdin: encodeUtf8(jsonLine({ ...INTERRUPT, request_id: `interrupt-${request.session.id}` })),
  };
}

const INTERRUPT = { type: 'control_request', request: { subtype: 'interrupt' } };

/** Whatever is not allowed here is refused without a question: nobody is there to answer one. */
function toolOptions(request: LaunchRequest, config: ClaudeCodeConfig): readonly string[] {
  const allowed = [
    ...(request.bridge === undefined ? [] : [bridgePermission(request.bridge)]),
    ...config.builtInTools,
  ];
  return [
    // An empty list turns all of Claude Code's own tools off; without the option they were on.
    ...['--tools', config.builtInTools.join(',')],
    ...(allowed.length === 0 ? [] : ['--allowedTools', allowed.join(',')]),
    // The mode that skips all questions is refused to root.
    ...['--permission-mode', 'dontAsk'],
  ];
}

function modelOptions(request: LaunchRequest, config: ClaudeCodeConfig): readonly string[] {
  const model = wantedModel(request);
  return [
    ...(model === undefined ? [] : ['--model', model]),
    ...(config.effort === undefined ? [] : ['--effort', config.effort]),
    ...(config.maxTurns === undefined ? [] : ['--max-turns', String(config.maxTurns)]),
  ];
}

/** Claude Code takes only UUIDs; of an offered id it could not use it mints one itself and says so. */
function sessionOptions({ session }: LaunchRequest): readonly string[] {
  if (UUID.test(session.id)) return [session.mode === 'resume' ? '--resume' : '--session-id', session.id];
  if (session.mode === 'resume')
    throw new Error('the session to resume has an id that Claude Code never gives');
  return [];
}

function environment(config: ClaudeCodeConfig): readonly (readonly [string, string])[] {
  return [
    ...QUIET,
    ...(config.configDir === undefined ? [] : [['CLAUDE_CONFIG_DIR', config.configDir] as const]),
    ...(config.baseUrl === undefined ? [] : [['ANTHROPIC_BASE_URL', config.baseUrl] as const]),
    ...(config.maxRetries === undefined
      ? []
      : [['CLAUDE_CODE_MAX_RETRIES', String(config.maxRetries)] as const]),
    ...(config.nonStreamingFallback ? [] : [['CLAUDE_CODE_DISABLE_NONSTREAMING_FALLBACK', '1'] as const]),
  ];
}

/**
 * The task as a message of two blocks, the second empty. Claude Code acts on the last block of a message before the
 * model sees it: a leading `/` runs one of its commands, an `@path` puts that file into the request, be it the
 * sign-in. An empty block is dropped after that, so the model reads the task as it is and nothing acts on it.
 */
function userMessage(task: string): string {
  const content = [task, ''].map((text) => ({ type: 'text', text }));
  return jsonLine({ type: 'user', message: { role: 'user', content } });
}

function jsonLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
