import type { ServerResponse } from 'node:http';

/** Answers what harnesses ask beside inference: reachability, token counts, the list of models. */
export function serveOther(response: ServerResponse, endpoint: string, problem: string | null): void {
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (problem === null && endpoint === '/') return send(200, { ok: true });
  if (problem === null && endpoint === '/v1/messages/count_tokens') return send(200, { input_tokens: 100 });
  const message = problem ?? `nothing is served at ${endpoint}`;
  // One body that both families of clients can read.
  send(404, { type: 'error', error: { type: 'not_found_error', message, param: null, code: null } });
}
