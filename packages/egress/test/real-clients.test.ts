// Real clients against what the decisions say: c-ares over UDP, fetch and raw sockets over TCP.
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bench, rules } from './support.js';

const open: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  await Promise.all(open.map((close) => close()));
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push(() => new Promise((closed) => server.close(closed)));
  return (server.address() as AddressInfo).port;
}

describe('c-ares', () => {
  const many = Array.from({ length: 16 }, (_, index) => `2606:4700::${(index + 1).toString(16)}`);
  const side = bench({
    rules: rules(
      'api.example.com',
      'v6.example',
      'many.example',
      'mute.example',
      'inside.example',
      `${'a'.repeat(60)}.example`,
    ),
    zone: {
      'api.example.com': ['1.1.1.1', '1.0.0.1', '2606:4700::1111'],
      'v6.example': ['2606:4700::1111'],
      'many.example': [...many, ...Array.from({ length: 40 }, (_, index) => `1.1.1.${index}`)],
      'mute.example': null,
      'inside.example': ['10.0.0.1', 'fd00::1'],
    },
  });
  let resolver: Resolver;
  let dropped = 0;

  beforeAll(async () => {
    const socket = createSocket('udp4');
    socket.on('message', async (datagram, peer) => {
      const reply = await side.egress.answerDns(datagram);
      if (reply === null) dropped += 1;
      else socket.send(reply, peer.port, peer.address);
    });
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
    open.push(() => new Promise<void>((closed) => socket.close(closed)));
    resolver = new Resolver({ timeout: 2_000, tries: 1 });
    resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  });

  test('gets addresses of both families', async () => {
    expect(await resolver.resolve4('api.example.com', { ttl: true })).toEqual([
      { address: '1.1.1.1', ttl: 60 },
      { address: '1.0.0.1', ttl: 60 },
    ]);
    expect(await resolver.resolve6('API.Example.COM.')).toEqual(['2606:4700::1111']);
    expect(await resolver.resolve6('many.example')).toEqual(many);
    expect(await resolver.resolve4('many.example')).toHaveLength(16);
  });

  test.each([
    ['unlisted.example', 'ENOTFOUND'],
    ['x.api.example.com', 'ENOTFOUND'],
    [`${'a'.repeat(60)}.example`, 'ENOTFOUND'],
    ['v6.example', 'ENODATA'],
    ['inside.example', 'ENODATA'],
    ['mute.example', 'ESERVFAIL'],
  ])('%s: %s', async (name, code) => {
    await expect(resolver.resolve4(name)).rejects.toMatchObject({ code });
  });

  test('gets no data for other types, and not found for unlisted names', async () => {
    for (const type of ['TXT', 'MX', 'SRV', 'NS', 'CAA', 'SOA', 'NAPTR', 'CNAME'] as const) {
      await expect(resolver.resolve('api.example.com', type)).rejects.toMatchObject({ code: 'ENODATA' });
      await expect(resolver.resolve('unlisted.example', type)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    }
    await expect(resolver.reverse('1.1.1.1')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(dropped).toBe(0);
  });
});

describe('connections', () => {
  test('go where the verdict says, and refusals are read as such', async () => {
    const upstream = createHttpServer((_, response) => response.end('hello'));
    const upstreamPort = await listen(upstream);

    // What will be done elsewhere, in small: accept, ask, dial or refuse, give back.
    const side = bench({ rules: rules(`http://127.0.0.1:${upstreamPort}`) });
    const closed: Promise<unknown>[] = [];
    const serve = async (destination: string, port: number) =>
      listen(
        createServer((socket: Socket) => {
          socket.on('error', () => {});
          const verdict = side.egress.decideConnection({ destination, port });
          const end = (): void => {
            if (verdict.connection === null) return;
            const { connection } = verdict;
            side.egress.endConnection({
              connection,
              sentBytes: socket.bytesRead,
              receivedBytes: socket.bytesWritten,
            });
          };
          closed.push(new Promise<void>((done) => socket.on('close', done)).then(end));
          if (verdict.kind === 'dial') {
            const out = connect({ host: verdict.address, port: verdict.port, family: verdict.family });
            out.on('error', () => socket.destroy());
            socket.pipe(out).pipe(socket);
          } else if (verdict.how === 'http-403') {
            socket.once('data', () => socket.end(verdict.bytes));
          } else {
            socket.resetAndDestroy();
          }
        }),
      );

    const allowed = await serve('127.0.0.1', upstreamPort);
    const response = await fetch(`http://127.0.0.1:${allowed}/`, { headers: { connection: 'close' } });
    expect([response.status, await response.text()]).toEqual([200, 'hello']);

    const told = await serve('8.8.8.8', 80);
    for (const method of ['GET', 'POST', 'HEAD']) {
      const refused = await fetch(`http://127.0.0.1:${told}/path`, {
        method,
        ...(method === 'POST' ? { body: 'x' } : {}),
      });
      expect(refused.status).toBe(403);
      expect(refused.headers.get('x-murmur-code')).toBe('E-CAP-901');
      const text = await refused.text();
      if (method !== 'HEAD')
        expect(text).toMatch(/^E-CAP-901: .*8\.8\.8\.8:80.*capabilities\.network\.allow/);
    }

    const reset = await serve('8.8.8.8', 443);
    await expect(fetch(`http://127.0.0.1:${reset}/`)).rejects.toMatchObject({
      cause: { code: 'ECONNRESET' },
    });

    await Promise.all(closed);
    const kinds = side.events.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'connection-ended')).toHaveLength(4);
    expect(side.events.find(({ kind }) => kind === 'connection-ended')).toMatchObject({
      sentBytes: expect.any(Number),
    });
  });
});
