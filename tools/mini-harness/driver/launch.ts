import {
  countMember,
  type DriverFile,
  encodeUtf8,
  type JsonObject,
  type LaunchPlan,
  type LaunchRequest,
  pathOfFile,
  readDriverConfig,
  stringMember,
  wantedModel,
} from '@murmur/driver-sdk';

const CONFIG_KEYS = ['base_url', 'home', 'max_retries', 'max_steps'] as const;

/** Plans `mini-agent run`. @throws Error for a configuration that cannot be used. */
export function planLaunch(request: LaunchRequest): LaunchPlan {
  const config = readDriverConfig(request, CONFIG_KEYS);
  const systemPrompt: DriverFile = { name: 'system-prompt.txt', contents: request.systemPrompt };
  const withPrompt = request.systemPrompt.trim() !== '';
  const model = wantedModel(request);
  const maxSteps = countKey(config, 'max_steps');
  const maxRetries = countKey(config, 'max_retries');
  return {
    args: [
      'run',
      ...(request.session.mode === 'new'
        ? ['--session', request.session.id]
        : ['--resume', request.session.id]),
      ...(model === undefined ? [] : ['--model', model]),
      ...(withPrompt ? ['--system-prompt-file', pathOfFile(systemPrompt)] : []),
      ...(maxSteps === undefined ? [] : ['--max-steps', String(maxSteps)]),
    ],
    envSet: [
      ...variable('MINI_BASE_URL', textKey(config, 'base_url')),
      ...variable('MINI_HOME', textKey(config, 'home')),
      ...variable('MINI_MAX_RETRIES', maxRetries === undefined ? undefined : String(maxRetries)),
    ],
    files: withPrompt ? [systemPrompt] : [],
    stdin: line({ type: 'task', text: request.task }),
    keepStdinOpen: true,
    interruptStdin: line({ type: 'interrupt' }),
  };
}

function line(message: JsonObject): Uint8Array {
  return encodeUtf8(`${JSON.stringify(message)}\n`);
}

function variable(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

function textKey(config: JsonObject, key: string): string | undefined {
  return usable(config, key, stringMember(config, key), 'text');
}

function countKey(config: JsonObject, key: string): number | undefined {
  return usable(config, key, countMember(config, key), 'a whole number');
}

function usable<Value>(
  config: JsonObject,
  key: string,
  value: Value | undefined,
  wanted: string,
): Value | undefined {
  if (value === undefined && Object.hasOwn(config, key))
    throw new Error(`inference.driver.config.${key} must be ${wanted}`);
  return value;
}
