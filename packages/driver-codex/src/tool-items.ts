import {
  cutText,
  type DriverEvent,
  type JsonObject,
  joinContentBlocks,
  jsonText,
  listMember,
  note,
  noteFor,
  objectMember,
  stringMember,
} from '@murmur/driver-sdk';
import type { CodexState } from './state.js';

/** Events of an `mcp_tool_call` item. Calls of the capsule's own bridge only; Codex spells those names bare. */
export function toolCallEvents(
  item: JsonObject | undefined,
  completed: boolean,
  line: string,
  state: CodexState,
): readonly DriverEvent[] {
  const id = stringMember(item, 'id');
  const name = stringMember(item, 'tool');
  const server = stringMember(item, 'server');
  if (id === undefined || name === undefined || server === undefined) return [noteFor(line)];
  if (server !== state.bridgeServer)
    return completed
      ? [note(`Codex called a tool of another MCP server: ${cutText(server, 80)}/${cutText(name, 80)}`)]
      : [];
  const input = jsonText(item?.arguments ?? {});
  if (!completed) return state.toolCalls.called(id, name, input);
  const failure = objectMember(item, 'error');
  const isError = failure !== undefined || stringMember(item, 'status') === 'failed';
  const output =
    failure === undefined
      ? joinContentBlocks(listMember(objectMember(item, 'result'), 'content') ?? [])
      : (stringMember(failure, 'message') ?? jsonText(failure));
  return state.toolCalls.answered(id, output, isError, { name, input });
}
