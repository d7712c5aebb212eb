import {
  cutText,
  type DriverEvent,
  type JsonObject,
  note,
  noteFor,
  objectMember,
  readJsonObject,
  stringMember,
  suggestedPrompt,
} from '@murmur/driver-sdk';
import { assistantMessage, userMessage } from './messages.js';
import { rateLimit } from './rate-limits.js';
import { turnResult } from './result.js';
import type { ClaudeCodeState } from './state.js';
import { streamEvent } from './stream-events.js';
import { systemLine } from './system-lines.js';

/** Events of one line of `claude --print --output-format stream-json`. */
export function readLine(line: string, state: ClaudeCodeState): readonly DriverEvent[] {
  if (line.trim() === '') return [];
  const object = readJsonObject(line);
  const type = stringMember(object, 'type');
  if (object === undefined || type === undefined) return [noteFor(line)];
  if (stringMember(object, 'parent_tool_use_id') !== undefined) {
    // What an agent below the main one does ends as the result of the call that started it.
    state.subAgents = true;
    return [];
  }
  switch (type) {
    case 'system':
      return systemLine(object, state);
    case 'stream_event':
      return streamEvent(objectMember(object, 'event'), state);
    case 'assistant':
      return assistantMessage(object, state) ?? [noteFor(line)];
    case 'user':
      return userMessage(object, state);
    case 'result':
      return turnResult(object, state);
    case 'rate_limit_event':
      return rateLimit(objectMember(object, 'rate_limit_info'), state);
    case 'prompt_suggestion':
      return suggestion(object, line);
    case 'control_response':
      return refusedRequest(objectMember(object, 'response'));
    // Signs of life, and summaries of what other lines tell in full.
    case 'keep_alive':
    case 'tool_progress':
    case 'tool_use_summary':
      return [];
    default:
      return [noteFor(line)];
  }
}

function suggestion(object: JsonObject, line: string): readonly DriverEvent[] {
  const prompt = stringMember(object, 'suggestion');
  return prompt === undefined ? [noteFor(line)] : [suggestedPrompt(prompt)];
}

/** The receipt of an interrupt comes before the interrupted turn ends. Only a refusal is worth a word. */
function refusedRequest(response: JsonObject | undefined): readonly DriverEvent[] {
  if (stringMember(response, 'subtype') !== 'error') return [];
  return [note(`Claude Code refused the interrupt: ${cutText(stringMember(response, 'error') ?? '', 200)}`)];
}
