import { get } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { httpHost, tlsServerName } from './stated-name.js';

/** The first bytes that a real client sends to a server that says nothing. */
async function firstBytesOf(client: (port: number) => { destroy: () => unknown }): Promise<Buffer> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const bytes = new Promise<Buffer>((done) => {
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => {});
      socket.once('data', (data) => {
        socket.destroy();
        done(data);
      });
    });
  });
  const request = client((server.address() as AddressInfo).port);
  const first = await bytes;
  request.destroy();
  await new Promise((closed) => server.close(closed));
  return first;
}

const hello = await firstBytesOf((port) =>
  tlsConnect({ host: '127.0.0.1', port, servername: 'Api.Example.com' }).on('error', () => {}),
);
const request = await firstBytesOf((port) =>
  get({ host: '127.0.0.1', port, path: '/x', headers: { host: 'Api.Example.com:8080' } }).on(
    'error',
    () => {},
  ),
);

describe('the name that a client states', () => {
  test('in TLS', async () => {
    expect(tlsServerName(hello)).toBe('api.example.com');
    const nameless = await firstBytesOf((port) =>
      tlsConnect({ host: '127.0.0.1', port }).on('error', () => {}),
    );
    expect(tlsServerName(nameless)).toBeNull();
    expect(tlsServerName(request)).toBeNull();
  });

  test('in TLS, the hello cut into records', () => {
    const handshake = hello.subarray(5);
    const parts = [handshake.subarray(0, 1), handshake.subarray(1, 50), handshake.subarray(50)];
    const records = parts.map((part) =>
      Buffer.concat([Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]),
    );
    expect(tlsServerName(Buffer.concat(records))).toBe('api.example.com');
  });

  test('in TLS, a hello that is cut gives the whole name or none', () => {
    for (let length = 0; length <= hello.length; length += 1) {
      expect([null, 'api.example.com']).toContain(tlsServerName(hello.subarray(0, length)));
    }
  });

  test('in HTTP', () => {
    expect(httpHost(request)).toBe('api.example.com');
    expect(httpHost(hello)).toBeNull();
    expect(httpHost(Buffer.from('GET / HTTP/1.1\r\nHOST:\tExample.org \r\n\r\nhost: x'))).toBe('example.org');
  });

  test.each([
    'GET / HTTP/1.1\r\nhost: a.example\r\nHost: b.example\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a.example b\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: a\u001b[2J.example\r\n\r\n',
    'GET / HTTP/1.1\r\nhost: 10.0.0.1\r\n\r\n',
    'GET / HTTP/1.1\r\nhost:\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\nhost: a.example\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'host: a.example\r\n\r\n',
    '',
  ])('%j states none', (text) => {
    expect(httpHost(Buffer.from(text))).toBeNull();
  });

  test('whatever the bytes are, it is a canonical name or none', () => {
    const cut = fc.tuple(
      fc.constantFrom(hello, request),
      fc.nat(),
      fc.nat(),
      fc.uint8Array({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.oneof(cut, fc.uint8Array({ maxLength: 200 })), (each) => {
        let bytes: Uint8Array;
        if (each instanceof Uint8Array) bytes = each;
        else {
          const [whole, at, length, patch] = each;
          bytes = whole.subarray(0, length % (whole.length + 1)).slice();
          if (bytes.length > patch.length) bytes.set(patch, at % (bytes.length - patch.length));
        }
        for (const name of [tlsServerName(bytes), httpHost(bytes)]) {
          if (name !== null) expect(name).toMatch(/^[a-z0-9_.-]{1,253}$/);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('a hello whose lengths lie, and a megabyte of records', () => {
    const lying = Buffer.from(hello);
    for (let at = 5; at < lying.length - 1; at += 1) {
      const changed = Buffer.from(lying);
      changed[at] = 0xff;
      changed[at + 1] = 0xff;
      tlsServerName(changed);
    }
    const records = Buffer.alloc(1_048_576);
    for (let at = 0; at + 5 <= records.length; at += 5) records.set([22, 3, 1, 0, 0], at);
    expect(tlsServerName(records)).toBeNull();
  });
});
