import type { LaunchPlan, LaunchRequest } from '@murmur/driver-sdk';
import { readFields, TranscriptProblem } from './read-fields.js';

/** `request.json`: the launch request, its members named as in the SDK; absent options are left out. */
export function readRequest(value: unknown, where: string): LaunchRequest {
  const fields = readFields(value, where);
  fields.only('model', 'systemPrompt', 'config', 'bridge', 'session', 'harnessVersion', 'task');
  const optional = (key: string): string | undefined => (isAbsent(value, key) ? undefined : fields.text(key));
  const bridge = fields.object('bridge');
  const session = fields.object('session');
  if (session === null) throw new TranscriptProblem(`${where}: session is missing`);
  return {
    model: optional('model'),
    systemPrompt: fields.text('systemPrompt'),
    config: optional('config'),
    bridge:
      bridge === null
        ? undefined
        : {
            serverName: bridge.text('serverName'),
            url: bridge.text('url'),
            bearerToken: bridge.text('bearerToken'),
            toolNames: bridge.texts('toolNames'),
          },
    session: { id: session.text('id'), mode: session.oneOf('mode', ['new', 'resume']) },
    harnessVersion: optional('harnessVersion'),
    task: fields.text('task'),
  };
}

/** `plan.json`: the launch plan; bytes are text where they are UTF-8, else `{"base64": …}`. */
export function readPlan(value: unknown, where: string): LaunchPlan {
  const fields = readFields(value, where);
  fields.only('args', 'envSet', 'files', 'stdin', 'keepStdinOpen', 'interruptStdin');
  const pairs = (value as { envSet?: unknown }).envSet ?? [];
  if (!Array.isArray(pairs) || !pairs.every(isPair))
    throw new TranscriptProblem(`${where}: envSet must be a list of [name, value]`);
  const bytes = (key: string): Uint8Array | undefined => {
    if (isAbsent(value, key)) return undefined;
    const found = (value as Readonly<Record<string, unknown>>)[key];
    return typeof found === 'string'
      ? new Uint8Array(Buffer.from(found, 'utf8'))
      : new Uint8Array(Buffer.from(fields.object(key)?.text('base64') ?? '', 'base64'));
  };
  return {
    args: fields.texts('args'),
    envSet: pairs,
    files: (fields.objects('files') ?? []).map((file) => ({
      name: file.text('name'),
      contents: file.text('contents'),
    })),
    stdin: bytes('stdin'),
    keepStdinOpen: fields.flag('keepStdinOpen', false),
    interruptStdin: bytes('interruptStdin'),
  };
}

export function planValue(plan: LaunchPlan): Readonly<Record<string, unknown>> {
  return {
    args: plan.args,
    envSet: plan.envSet,
    files: plan.files,
    ...(plan.stdin === undefined ? {} : { stdin: bytesValue(plan.stdin) }),
    keepStdinOpen: plan.keepStdinOpen,
    ...(plan.interruptStdin === undefined ? {} : { interruptStdin: bytesValue(plan.interruptStdin) }),
  };
}

function bytesValue(bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes);
  const text = buffer.toString('utf8');
  return Buffer.from(text, 'utf8').equals(buffer) ? text : { base64: buffer.toString('base64') };
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

function isAbsent(value: unknown, key: string): boolean {
  const found = (value as Readonly<Record<string, unknown>>)[key];
  return found === undefined || found === null;
}
