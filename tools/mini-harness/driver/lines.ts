import {
  booleanMember,
  countMember,
  createCumulativeView,
  createTextAssembler,
  createToolCallTracker,
  type DriverEvent,
  type FailureKind,
  type JsonObject,
  jsonText,
  noteFor,
  readJsonObject,
  retry,
  sessionStarted,
  stringMember,
  thinkingDelta,
  turnEnd,
  turnFailed,
  usage,
} from '@murmur/driver-sdk';

export function createMiniState() {
  return { texts: createTextAssembler(), toolCalls: createToolCallTracker(), totals: createCumulativeView() };
}

type MiniState = ReturnType<typeof createMiniState>;

/** Events of one line of `mini-agent run`. */
export function readLine(line: string, state: MiniState): readonly DriverEvent[] {
  const object = readJsonObject(line);
  return (object === undefined ? undefined : readObject(object, state)) ?? [noteFor(line)];
}

/** `undefined` for what is not understood. */
function readObject(object: JsonObject, state: MiniState): readonly DriverEvent[] | undefined {
  const text = (key: string) => stringMember(object, key);
  const [id, message, piece] = [text('id'), text('message'), text('text')];
  switch (text('type')) {
    case 'session':
      return id === undefined
        ? undefined
        : [sessionStarted({ id, auth: text('auth') ?? 'unknown', model: text('model') })];
    case 'delta':
      return message === undefined || piece === undefined ? undefined : state.texts.delta(message, piece);
    case 'message':
      return message === undefined || piece === undefined ? undefined : state.texts.whole(message, piece);
    case 'thinking':
      return piece === undefined ? undefined : [thinkingDelta(piece)];
    case 'tool_call': {
      const name = text('name');
      return id === undefined || name === undefined
        ? undefined
        : state.toolCalls.called(id, name, jsonText(object.input ?? {}));
    }
    case 'tool_result':
      return id === undefined
        ? undefined
        : state.toolCalls.answered(id, text('output') ?? '', booleanMember(object, 'error') ?? false);
    case 'retry':
      return [retry(countMember(object, 'attempt') ?? 0, text('reason') ?? 'unknown')];
    case 'usage':
      return usage(
        state.totals.take({
          input: countMember(object, 'input'),
          output: countMember(object, 'output'),
          cacheRead: countMember(object, 'cache_read'),
          cacheCreation: countMember(object, 'cache_write'),
        }),
      );
    case 'done':
      return [turnEnd(text('answer') ?? state.texts.latest() ?? '')];
    case 'failed':
      return [turnFailed(failureKind(text('kind')), message ?? 'the mini agent did not say why')];
    default:
      return undefined;
  }
}

function failureKind(kind: string | undefined): FailureKind {
  if (kind === 'auth' || kind === 'quota' || kind === 'max-turns' || kind === 'canceled') return kind;
  return 'harness-error';
}
