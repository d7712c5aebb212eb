import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const TOOL = {
  name: 'echo',
  description: 'Says it again.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: { readonly text?: string } };
}

/** The least MCP server that a harness accepts: one tool, plain JSON answers. */
export async function startMcpEcho(): Promise<{ readonly url: string; close(): void }> {
  const server = http.createServer(async (request, response) => {
    const call = JSON.parse((await text(request)) || '{"method":""}') as Call;
    const result = resultOf(call);
    if (call.id === undefined || result === null) {
      response.writeHead(call.id === undefined && call.method !== '' ? 202 : 405).end();
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function resultOf({ method, params }: Call): object | null {
  if (method === 'initialize') {
    const serverInfo = { name: 'echo', version: '1.0.0' };
    return { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo };
  }
  if (method === 'tools/list') return { tools: [TOOL] };
  if (method === 'tools/call')
    return { content: [{ type: 'text', text: `echo: ${params?.arguments?.text}` }] };
  return method === 'ping' ? {} : null;
}
