/** One server-sent event, ready to be written; `piece` marks those that carry a piece of text. */
export interface WireEvent {
  readonly text: string;
  readonly piece: boolean;
}

/** An event with its name, as Anthropic and the Responses API send them: name and `type` are the same. */
export function namedEvent(data: { readonly type: string }, piece = false): WireEvent {
  return { text: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`, piece };
}

/** An event without a name, as Chat Completions sends them. */
export function dataEvent(data: unknown, piece = false): WireEvent {
  return { text: `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`, piece };
}

/** JSON text in a few parts, for streams that deliver arguments bit by bit. */
export function argumentParts(json: string): readonly string[] {
  const middle = Math.ceil(json.length / 2);
  return [json.slice(0, middle), json.slice(middle)].filter((part) => part !== '');
}
