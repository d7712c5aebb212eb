import http from 'node:http';

export interface RawAnswer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  /** The error that ended the body early; null when it came whole. */
  readonly broke: string | null;
}

/** Sends a request as it stands and collects whatever comes back, cut or not. */
export function send(
  url: string,
  body: unknown,
  options: { method?: string; signal?: AbortSignal } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'POST', signal } = options;
    const request = http.request(url, { method, ...(signal ? { signal } : {}) }, (response) => {
      let text = '';
      let broke: string | null = null;
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('error', (error: NodeJS.ErrnoException) => {
        broke = error.code ?? error.message;
      });
      response.on('close', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, broke }),
      );
    });
    request.on('error', reject);
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  });
}

export interface SentEvent {
  readonly name: string | null;
  readonly data: unknown;
}

/** Reads a stream of server-sent events; anything that is not `event:` and `data:` lines is a fault. */
export function eventsIn(text: string): SentEvent[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const match = /^(?:event: (.+)\n)?data: (.+)$/.exec(block);
      if (match === null) throw new Error(`not an event: ${block}`);
      const data = match[2] ?? '';
      return { name: match[1] ?? null, data: data === '[DONE]' ? data : JSON.parse(data) };
    });
}
