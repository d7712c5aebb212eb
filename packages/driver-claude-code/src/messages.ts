import {
  booleanMember,
  cutText,
  type DriverEvent,
  isJsonObject,
  type JsonObject,
  joinContentBlocks,
  jsonText,
  listMember,
  note,
  objectMember,
  stringMember,
  thinking,
} from '@murmur/driver-sdk';
import type { ClaudeCodeState } from './state.js';
import { readCounts } from './turn-counts.js';

/** The model of messages that Claude Code wrote itself, such as the report of a failed request. */
const NO_MODEL = '<synthetic>';

/** Events of an `assistant` line: one block of a message, several lines to a message. `undefined` when it is none. */
export function assistantMessage(
  object: JsonObject,
  state: ClaudeCodeState,
): readonly DriverEvent[] | undefined {
  const message = objectMember(object, 'message');
  const id = stringMember(message, 'id');
  const blocks = listMember(message, 'content');
  if (id === undefined || blocks === undefined) return undefined;
  if (stringMember(message, 'model') === NO_MODEL) return ownWords(object, blocks, state);
  state.turn.told(id, readCounts(objectMember(message, 'usage')));
  // A message that was not streamed comes whole; of a streamed one the end is told elsewhere.
  if (stringMember(message, 'stop_reason') !== undefined) state.turn.closed();
  return blocks.filter(isJsonObject).flatMap((block) => contentBlock(id, block, state));
}

/** Not the model's: what went wrong is told by the result, and must never look like an answer. */
function ownWords(
  object: JsonObject,
  blocks: readonly unknown[],
  state: ClaudeCodeState,
): readonly DriverEvent[] {
  const errorClass = stringMember(object, 'error');
  if (errorClass === undefined) return [note(cutText(`Claude Code says: ${joinContentBlocks(blocks)}`, 512))];
  state.errorClass = errorClass;
  return [];
}

function contentBlock(messageId: string, block: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  switch (stringMember(block, 'type')) {
    case 'text':
      return state.text.block(messageId, stringMember(block, 'text') ?? '');
    case 'thinking': {
      const thought = stringMember(block, 'thinking') ?? '';
      return thought === '' ? [] : [thinking(thought)];
    }
    case 'tool_use': {
      const id = stringMember(block, 'id');
      const name = stringMember(block, 'name');
      if (id === undefined || name === undefined) return [note('a tool call without an id or a name')];
      // The text before it first: its result may come before the message ends.
      return [
        ...state.text.complete(),
        ...state.toolCalls.called(id, state.bareName(name), jsonText(block.input ?? {})),
      ];
    }
    default:
      return [];
  }
}

/** Events of a `user` line: results of tools. Anything else in it is Claude Code speaking to the model. */
export function userMessage(object: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  const blocks = listMember(objectMember(object, 'message'), 'content') ?? [];
  const results = blocks
    .filter(isJsonObject)
    .filter((block) => block.type === 'tool_result')
    .flatMap((block) => toolResult(block, state));
  return [...state.text.complete(), ...results];
}

function toolResult(block: JsonObject, state: ClaudeCodeState): readonly DriverEvent[] {
  const id = stringMember(block, 'tool_use_id');
  if (id === undefined || !state.toolCalls.isOpen(id))
    return [note('a result came for a tool call that was never reported')];
  const output = stringMember(block, 'content') ?? joinContentBlocks(listMember(block, 'content') ?? []);
  return state.toolCalls.answered(id, output, booleanMember(block, 'is_error') ?? false);
}
