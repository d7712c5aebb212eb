import {
  countMember,
  type DriverEvent,
  type JsonObject,
  objectMember,
  stringMember,
  thinkingDelta,
} from '@murmur/driver-sdk';
import type { ClaudeCodeState } from './state.js';
import { readCounts } from './turn-counts.js';

/** Events of the provider's stream, which `stream_event` lines repeat. */
export function streamEvent(event: JsonObject | undefined, state: ClaudeCodeState): readonly DriverEvent[] {
  switch (stringMember(event, 'type')) {
    case 'message_start':
      return messageStarted(objectMember(event, 'message'), state);
    case 'content_block_start':
      return blockStarted(event, state);
    case 'content_block_delta':
      return blockGrew(event, state);
    case 'message_delta':
      state.turn.told(state.streaming, readCounts(objectMember(event, 'usage')));
      return [];
    case 'message_stop':
      state.turn.closed();
      return state.text.complete();
    default:
      return [];
  }
}

function messageStarted(message: JsonObject | undefined, state: ClaudeCodeState): readonly DriverEvent[] {
  state.streaming = stringMember(message, 'id') ?? '';
  state.turn.told(state.streaming, readCounts(objectMember(message, 'usage')));
  state.toolCalls.newMessage();
  return state.text.complete();
}

function blockStarted(event: JsonObject | undefined, state: ClaudeCodeState): readonly DriverEvent[] {
  const block = objectMember(event, 'content_block');
  const index = countMember(event, 'index');
  const id = stringMember(block, 'id');
  const name = stringMember(block, 'name');
  if (stringMember(block, 'type') !== 'tool_use') return [];
  if (index === undefined || id === undefined || name === undefined) return [];
  return state.toolCalls.started(index, id, state.bareName(name));
}

function blockGrew(event: JsonObject | undefined, state: ClaudeCodeState): readonly DriverEvent[] {
  const delta = objectMember(event, 'delta');
  switch (stringMember(delta, 'type')) {
    case 'text_delta':
      return state.text.piece(state.streaming, stringMember(delta, 'text') ?? '');
    case 'thinking_delta': {
      const piece = stringMember(delta, 'thinking') ?? '';
      return piece === '' ? [] : [thinkingDelta(piece)];
    }
    case 'input_json_delta': {
      const index = countMember(event, 'index');
      return index === undefined
        ? []
        : state.toolCalls.inputPiece(index, stringMember(delta, 'partial_json') ?? '');
    }
    default:
      return [];
  }
}
