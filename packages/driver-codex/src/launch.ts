import { encodeUtf8, type LaunchPlan, type LaunchRequest, wantedModel } from '@murmur/driver-sdk';
import { type CodexConfig, override, readCodexConfig } from './config.js';

/** The variable the bridge's token travels in: Codex takes it by name, so it never is an argument. */
const TOKEN_VARIABLE = 'MURMUR_BRIDGE_TOKEN';

/**
 * Features through which Codex acts by itself. A release that no longer knows one of them refuses to start, so a
 * renamed feature cannot come back unnoticed.
 */
const BUILT_IN_TOOLS = [
  'shell_tool',
  'unified_exec',
  'view_image',
  'multi_agent',
  'goals',
  'image_generation',
  'tool_suggest',
  'sleep_tool',
];

/** Features that call the provider's other hosts unasked, or run commands the person's configuration names. */
const BACKGROUND_FEATURES = ['plugins', 'apps', 'hooks'];

/** Plans `codex exec`. @throws Error when the manifest's driver configuration or the session id cannot be used. */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const config = readCodexConfig(request);
  return {
    args: [
      'exec',
      ...outputOptions(config),
      ...featureOptions(config),
      ...settings(request, config),
      ...sessionArguments(request),
      '-',
    ],
    envSet: [
      ...(config.configDir === undefined ? [] : [['CODEX_HOME', config.configDir] as const]),
      ...(request.bridge === undefined ? [] : [[TOKEN_VARIABLE, request.bridge.bearerToken] as const]),
    ],
    files: [],
    stdin: encodeUtf8(promptText(request)),
    // Codex reads the prompt to the end of its stdin.
    keepStdinOpen: false,
  };
}

function outputOptions(config: CodexConfig): readonly string[] {
  return [
    '--json',
    '--skip-git-repo-check',
    ...(config.profile === undefined ? [] : ['-p', config.profile]),
    ...(config.ignoreUserConfig ? ['--ignore-user-config'] : []),
  ];
}

function featureOptions(config: CodexConfig): readonly string[] {
  const off = config.builtInTools ? BACKGROUND_FEATURES : [...BACKGROUND_FEATURES, ...BUILT_IN_TOOLS];
  return off.flatMap((feature) => ['--disable', feature]);
}

function settings(request: LaunchRequest, config: CodexConfig): readonly string[] {
  const model = wantedModel(request);
  return [
    ...override(['analytics', 'enabled'], false),
    ...override(['check_for_update_on_startup'], false),
    // Nobody is there to answer a question.
    ...override(['approval_policy'], 'never'),
    ...override(['sandbox_mode'], config.sandboxMode),
    ...override(['web_search'], 'disabled'),
    // Instructions come from the manifest, not from a file that whoever wrote the workdir put there.
    ...override(['project_doc_max_bytes'], 0),
    ...(config.reasoningEffort === undefined
      ? []
      : override(['model_reasoning_effort'], config.reasoningEffort)),
    ...(config.reasoningSummary === undefined
      ? []
      : override(['model_reasoning_summary'], config.reasoningSummary)),
    ...bridgeSettings(request),
    ...config.overrides.flatMap((pair) => ['-c', pair]),
    ...(model === undefined ? [] : ['-m', model]),
  ];
}

function bridgeSettings(request: LaunchRequest): readonly string[] {
  if (request.bridge === undefined) return [];
  const server = ['mcp_servers', request.bridge.serverName];
  return [
    ...override([...server, 'url'], request.bridge.url),
    ...override([...server, 'bearer_token_env_var'], TOKEN_VARIABLE),
    // The runtime decides on every call; Codex must not ask a person that is not there.
    ...override([...server, 'default_tools_approval_mode'], 'approve'),
  ];
}

/** Codex mints the ids of new threads, so an offered one is not passed on. */
function sessionArguments(request: LaunchRequest): readonly string[] {
  if (request.session.mode === 'new') return [];
  const { id } = request.session;
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id))
    throw new Error('the session to resume has an id that Codex never gives');
  return ['resume', id];
}

/** Codex has no option for a system prompt: it goes in front of the task, marked as what it is. */
function promptText(request: LaunchRequest): string {
  const instructions = [
    request.systemPrompt.trim() === '' ? '' : request.systemPrompt,
    toolsSentence(request),
  ].filter((part) => part !== '');
  if (instructions.length === 0) return request.task;
  return `<system_instructions>\n${instructions.join('\n\n')}\n</system_instructions>\n\n${request.task}`;
}

/** Without being told, Codex gives up on files as soon as its own shell is missing. */
function toolsSentence(request: LaunchRequest): string {
  const names = request.bridge?.toolNames ?? [];
  if (request.bridge === undefined || names.length === 0) return '';
  return `Your tools are those of the MCP server "${request.bridge.serverName}" and no others: ${names.join(', ')}. Use them for everything that touches files, commands or the network.`;
}
