import type { ServerResponse } from 'node:http';

const KNOWN: Readonly<Record<string, unknown>> = {
  '/': { ok: true },
  '/v1/messages/count_tokens': { input_tokens: 100 },
};

/** Answers what harnesses ask beside inference: reachability, token counts. */
export function serveOther(response: ServerResponse, endpoint: string, problem: string | null): void {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  const known = problem === null ? KNOWN[endpoint] : undefined;
  if (known !== undefined) {
    send(200, known);
    return;
  }
  const message = problem ?? `nothing is served at ${endpoint}`;
  // One body that both families of clients can read.
  send(404, { type: 'error', error: { type: 'not_found_error', message, param: null, code: null } });
}
