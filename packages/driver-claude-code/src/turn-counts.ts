import { countMember, isJsonObject, type JsonObject, objectMember, type Usage } from '@murmur/driver-sdk';

const MEMBERS = ['input', 'output', 'cacheRead', 'cacheCreation', 'thinking'] as const;

/** Counts in the provider's spelling: of a message, a stream event or a result. Input there is without cache. */
export function readCounts(counts: JsonObject | undefined): Usage {
  return {
    input: countMember(counts, 'input_tokens'),
    output: countMember(counts, 'output_tokens'),
    cacheRead: countMember(counts, 'cache_read_input_tokens'),
    cacheCreation: countMember(counts, 'cache_creation_input_tokens'),
    thinking: countMember(objectMember(counts, 'output_tokens_details'), 'thinking_tokens'),
  };
}

/** The sum over a `modelUsage` mapping. A member that one of the models lacks is absent. */
export function readModelCounts(byModel: JsonObject | undefined): Usage {
  const models = Object.values(byModel ?? {}).map((value): Usage => {
    const counts = isJsonObject(value) ? value : undefined;
    return {
      input: countMember(counts, 'inputTokens'),
      output: countMember(counts, 'outputTokens'),
      cacheRead: countMember(counts, 'cacheReadInputTokens'),
      cacheCreation: countMember(counts, 'cacheCreationInputTokens'),
      thinking: countMember(counts, 'thinkingTokens'),
    };
  });
  return models.length === 0 ? {} : models.reduce(added);
}

function added(one: Usage, other: Usage): Usage {
  return combined(one, other, (a, b) => (a === undefined || b === undefined ? undefined : a + b));
}

/** Whether every count that `less` tells is reached. */
export function reaches(counts: Usage, less: Usage): boolean {
  return MEMBERS.every((member) => (counts[member] ?? 0) >= (less[member] ?? 0));
}

export function isAllZero(counts: Usage): boolean {
  return MEMBERS.every((member) => (counts[member] ?? 0) === 0);
}

/** What the messages of a turn told of themselves: the least that a right total of the turn can be. */
export interface TurnCounts {
  /** Counts of a message; told again, the larger ones stand. */
  told(messageId: string, counts: Usage): void;
  /** The message in progress is whole. */
  closed(): void;
  /** Sum over the whole messages. */
  least(): Usage;
  /** Whether the provider counted anything, for whole messages or for broken ones. */
  readonly any: boolean;
}

export function createTurnCounts(): TurnCounts {
  let whole: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  let current: { readonly id: string; counts: Usage; closed: boolean } | undefined;
  let any = false;
  const fold = (): void => {
    if (current?.closed === true) whole = sum(whole, current.counts);
    current = undefined;
  };
  return {
    told(messageId, counts) {
      if (current?.id !== messageId) {
        fold();
        current = { id: messageId, counts, closed: false };
      } else current.counts = combined(current.counts, counts, (a, b) => Math.max(a ?? 0, b ?? 0));
      any ||= !isAllZero(counts);
    },
    closed() {
      if (current !== undefined) current.closed = true;
    },
    least: () => (current?.closed === true ? sum(whole, current.counts) : whole),
    get any() {
      return any;
    },
  };
}

function sum(one: Usage, other: Usage): Usage {
  return combined(one, other, (a, b) => (a ?? 0) + (b ?? 0));
}

function combined(
  one: Usage,
  other: Usage,
  combine: (a: number | undefined, b: number | undefined) => number | undefined,
): Usage {
  return Object.fromEntries(MEMBERS.map((member) => [member, combine(one[member], other[member])]));
}
