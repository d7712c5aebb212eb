import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { A, AAAA, ask, bench, query, rules, type Zone } from '../test/support.js';
import { addressOfBytes, parseAddress } from './address.js';
import { classifyAddress } from './address-class.js';
import type { EgressRule, Verdict } from './types.js';

const KEY = 'capabilities.network.allow';

function textOf(verdict: Verdict): string {
  return verdict.kind === 'refuse' ? new TextDecoder().decode(verdict.bytes) : '';
}

describe('connections', () => {
  test('dial exactly what was decided, in its canonical form', () => {
    const { egress } = bench({ rules: rules('1.2.3.4:8080', '[2A00:0::1]:443') });
    for (const destination of ['1.2.3.4', '::ffff:1.2.3.4', '::FFFF:102:304']) {
      expect(egress.decideConnection({ destination, port: 8080 })).toMatchObject({
        kind: 'dial',
        address: '1.2.3.4',
        family: 4,
        port: 8080,
        rule: '1.2.3.4:8080',
      });
    }
    expect(egress.decideConnection({ destination: '2a00:0:0::1', port: 443 })).toMatchObject({
      kind: 'dial',
      address: '2a00::1',
      family: 6,
    });
    // The same peer by another road is another address.
    expect(egress.decideConnection({ destination: '64:ff9b::1.2.3.4', port: 8080 }).kind).toBe('refuse');
  });

  test.each([
    ...[
      '',
      'example.com',
      '01.2.3.4',
      '1.2.772',
      '16909060',
      '0x1.2.3.4',
      '1.2.3.4%0',
      '[1.2.3.4]',
      '1.2.3.4 ',
    ],
    ...['1.2.3.4\0', 'fe80::1%eth0', '::ffff:1.2.3.4%1', '1.2.3.4:8080', '１.2.3.4'],
  ])('%j is no destination', (destination) => {
    const { egress, events } = bench({ rules: rules('1.2.3.4', 'example.com', '[fe80::1]') });
    expect(egress.decideConnection({ destination, port: 80 })).toMatchObject({
      kind: 'refuse',
      how: 'reset',
      reason: 'not-an-address',
      connection: null,
      remedy: null,
    });
    expect(events).toHaveLength(1);
  });

  test.each([0, -1, 65_536, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%s is no port', (port) => {
    const { egress } = bench({ rules: rules('1.2.3.4') });
    expect(egress.decideConnection({ destination: '1.2.3.4', port })).toMatchObject({ kind: 'refuse' });
  });

  test('each refusal is an event that names rule, key and way', async () => {
    const { egress, events } = bench({
      rules: rules('a.example:443', '9.9.9.9:53'),
      zone: { 'a.example': ['1.1.1.1'] },
    });
    await ask(egress, 'a.example');
    events.length = 0;
    const at = (destination: string, port: number, originalName?: string) =>
      egress.decideConnection({ destination, port, ...(originalName === undefined ? {} : { originalName }) });
    at('1.1.1.1', 80);
    at('9.9.9.9', 443);
    at('8.8.8.8', 443, 'Dns.Google');
    at('10.0.0.1', 8080);
    at('0.0.0.0', 80);
    expect(events).toEqual(
      [
        {
          host: 'a.example',
          address: '1.1.1.1',
          port: 80,
          names: ['a.example'],
          rule: 'a.example:443',
          how: 'http-403',
          reason: 'port',
          remedy: 'a.example:80',
          originalName: null,
        },
        {
          host: null,
          address: '9.9.9.9',
          port: 443,
          names: [],
          rule: '9.9.9.9:53',
          how: 'reset',
          reason: 'port',
          remedy: '9.9.9.9:443',
          originalName: null,
        },
        {
          host: null,
          address: '8.8.8.8',
          port: 443,
          names: [],
          rule: null,
          how: 'reset',
          reason: 'unlisted',
          remedy: 'dns.google:443',
          originalName: 'dns.google',
        },
        {
          host: null,
          address: '10.0.0.1',
          port: 8080,
          names: [],
          rule: null,
          how: 'reset',
          reason: 'address-class',
          remedy: '10.0.0.1:8080',
          originalName: null,
        },
        {
          host: null,
          address: '0.0.0.0',
          port: 80,
          names: [],
          rule: null,
          how: 'http-403',
          reason: 'address-class',
          remedy: null,
          originalName: null,
        },
      ].map((event) => ({ kind: 'connection-refused', key: KEY, ...event })),
    );
  });

  test('what a program says of itself decides nothing and is not repeated raw', () => {
    const { egress, events } = bench({ rules: rules('good.example') });
    const verdict = egress.decideConnection({
      destination: '6.6.6.6',
      port: 80,
      originalName: 'good.example',
    });
    expect(verdict.kind).toBe('refuse');
    egress.decideConnection({ destination: '6.6.6.6', port: 80, originalName: 'a\r\n\u001b[2Jb' });
    expect(events[1]).toMatchObject({ originalName: null });
  });

  test('many names on one address: any of them opens it, each to its own port', async () => {
    const { egress } = bench({
      rules: rules('a.example:443', 'b.example:8080'),
      zone: { 'a.example': ['1.1.1.1'], 'b.example': ['1.1.1.1'] },
    });
    await ask(egress, 'a.example');
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 8080 }).kind).toBe('refuse');
    await ask(egress, 'b.example');
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 8080 })).toMatchObject({
      rule: 'b.example:8080',
    });
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 443 })).toMatchObject({
      rule: 'a.example:443',
    });
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 80 })).toMatchObject({
      kind: 'refuse',
      reason: 'port',
    });
  });

  test('unusable addresses are refused even when listed', () => {
    const listed = ['0.0.0.0', '224.0.0.1', '255.255.255.255', '[::]', '[ff02::1]', '[::2]'];
    const { egress } = bench({ rules: rules(...listed) });
    for (const destination of listed) {
      const verdict = egress.decideConnection({
        destination: destination.replace(/^\[|\]$/g, ''),
        port: 443,
      });
      expect(verdict).toMatchObject({ kind: 'refuse', reason: 'address-class', remedy: null });
    }
  });

  test('inside addresses are dialled when listed as such', () => {
    const listed = [
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[fd00::1]',
      '[::1]',
      '100.64.0.1',
      '198.18.0.1',
    ];
    const { egress } = bench({ rules: rules(...listed, '9.9.9.9'), hostAddresses: ['9.9.9.9'] });
    for (const destination of [...listed, '9.9.9.9']) {
      const bare = destination.replace(/^\[|\]$/g, '');
      expect(egress.decideConnection({ destination: bare, port: 443 })).toMatchObject({
        kind: 'dial',
        address: bare,
      });
    }
  });

  test('a decision function of the caller cannot open what lies inside through a name', async () => {
    const everything: EgressRule = { scheme: null, host: 'any', port: null };
    const { egress } = bench({
      rules: [],
      zone: { 'evil.example': ['10.0.0.1', '1.1.1.1'] },
      match: (host) => (parseAddress(host) === null ? everything : null),
    });
    expect((await ask(egress, 'evil.example')).addresses).toEqual(['1.1.1.1']);
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 25 }).kind).toBe('dial');
    expect(egress.decideConnection({ destination: '10.0.0.1', port: 25 }).kind).toBe('refuse');
  });
});

describe('ceilings', () => {
  test('one connection more than the ceiling is refused at once, and a place given back is used again', () => {
    const { egress, events } = bench({ rules: rules('1.1.1.1') });
    const attempt = { destination: '1.1.1.1', port: 80 };
    const open = Array.from({ length: 128 }, () => egress.decideConnection(attempt));
    expect(open.every(({ kind }) => kind === 'dial')).toBe(true);
    expect(new Set(open.map(({ connection }) => connection)).size).toBe(128);
    expect(egress.decideConnection(attempt)).toMatchObject({
      kind: 'refuse',
      how: 'reset',
      reason: 'too-many',
    });
    const [first] = open;
    const end = { connection: first?.connection ?? 0, sentBytes: 1, receivedBytes: 2 };
    egress.endConnection(end);
    egress.endConnection(end);
    egress.endConnection({ ...end, connection: 9_999 });
    expect(events.filter(({ kind }) => kind === 'connection-ended')).toEqual([
      { kind: 'connection-ended', ...end },
    ]);
    expect(egress.decideConnection(attempt).kind).toBe('dial');
    expect(egress.decideConnection(attempt).kind).toBe('refuse');
  });

  test('refusals in words have places of their own', () => {
    const { egress } = bench({ rules: rules('1.1.1.1'), limits: { connections: 1, toldRefusals: 2 } });
    const unlisted = { destination: '8.8.8.8', port: 80 };
    const told = [1, 2].map(() => egress.decideConnection(unlisted));
    expect(told).toMatchObject([{ how: 'http-403' }, { how: 'http-403' }]);
    expect(egress.decideConnection(unlisted)).toMatchObject({ how: 'reset', connection: null });
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 80 }).kind).toBe('dial');
    egress.endConnection({ connection: told[0]?.connection ?? 0, sentBytes: 0, receivedBytes: 0 });
    expect(egress.decideConnection(unlisted)).toMatchObject({ how: 'http-403' });
  });
});

describe('a refusal in words', () => {
  test('names code, target, rule, key and the line that would allow it', async () => {
    const { egress } = bench({ rules: rules('a.example:443'), zone: { 'a.example': ['1.1.1.1'] } });
    await ask(egress, 'a.example');
    expect(textOf(egress.decideConnection({ destination: '1.1.1.1', port: 80 }))).toMatchInlineSnapshot(`
      "HTTP/1.1 403 Forbidden
      content-type: text/plain; charset=utf-8
      content-length: 250
      cache-control: no-store
      x-murmur-code: E-CAP-901
      connection: close

      E-CAP-901: mur refused the connection to a.example:80 (1.1.1.1:80): 'a.example:443' in capabilities.network.allow is for another port
      if this capsule should reach it, add "a.example:80" to capabilities.network.allow in murmur.yaml and start it again
      "
    `);
    expect(textOf(egress.decideConnection({ destination: '2a00::1', port: 80 }))).toMatchInlineSnapshot(`
      "HTTP/1.1 403 Forbidden
      content-type: text/plain; charset=utf-8
      content-length: 219
      cache-control: no-store
      x-murmur-code: E-CAP-901
      connection: close

      E-CAP-901: mur refused the connection to [2a00::1]:80: no entry of capabilities.network.allow names it
      if this capsule should reach it, add "[2a00::1]:80" to capabilities.network.allow in murmur.yaml and start it again
      "
    `);
    expect(
      textOf(egress.decideConnection({ destination: '169.254.169.254', port: 80 })),
    ).toMatchInlineSnapshot(`
      "HTTP/1.1 403 Forbidden
      content-type: text/plain; charset=utf-8
      content-length: 313
      cache-control: no-store
      x-murmur-code: E-CAP-901
      connection: close

      E-CAP-901: mur refused the connection to 169.254.169.254:80: it is an address where a cloud host serves its metadata and credentials, which capabilities.network.allow must list as an address
      if this capsule should reach it, add "169.254.169.254:80" to capabilities.network.allow in murmur.yaml and start it again
      "
    `);
    expect(textOf(egress.decideConnection({ destination: '0.0.0.0', port: 80 }))).toMatchInlineSnapshot(`
      "HTTP/1.1 403 Forbidden
      content-type: text/plain; charset=utf-8
      content-length: 184
      cache-control: no-store
      x-murmur-code: E-CAP-901
      connection: close

      E-CAP-901: mur refused the connection to 0.0.0.0:80: it is no address of a single peer, whatever capabilities.network.allow holds
      no entry of capabilities.network.allow can allow this
      "
    `);
  });

  test('only where plain HTTP is spoken', () => {
    const { egress } = bench({ rules: rules('http://a.example:8080', 'b.example:9090') });
    const how = (port: number) => {
      const verdict = egress.decideConnection({ destination: '8.8.8.8', port });
      return verdict.kind === 'refuse' ? verdict.how : verdict.kind;
    };
    expect([80, 443, 8080, 9090].map(how)).toEqual(['http-403', 'reset', 'http-403', 'reset']);
  });

  test('following the line allows the connection', async () => {
    const zone: Zone = { 'a.example': ['1.1.1.1'] };
    const byte = fc.oneof(fc.constantFrom(0, 1, 10, 127, 169, 192, 224), fc.nat(255));
    const place = fc.oneof(
      fc
        .array(byte, { minLength: 4, maxLength: 4 })
        .map((bytes) => addressOfBytes(Uint8Array.from(bytes)).text),
      fc
        .array(byte, { minLength: 16, maxLength: 16 })
        .map((bytes) => addressOfBytes(Uint8Array.from(bytes)).text),
      fc.constant('1.1.1.1'),
    );
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 65_535 }), async (destination, port) => {
        const listed = rules('a.example:1');
        const before = bench({ rules: listed, zone });
        await ask(before.egress, 'a.example');
        const verdict = before.egress.decideConnection({ destination, port });
        if (verdict.kind === 'dial' || verdict.remedy === null) return;
        const after = bench({ rules: [...listed, ...rules(verdict.remedy)], zone });
        await ask(after.egress, 'a.example');
        expect(after.egress.decideConnection({ destination, port })).toMatchObject({
          kind: 'dial',
          rule: verdict.remedy,
          port,
        });
      }),
      { numRuns: 500 },
    );
  });
});

describe('matcher and dialler', () => {
  const names = ['a.example', 'b.example', 'c.example'];
  const places = ['1.1.1.1', '2.2.2.2', '10.0.0.1', '127.0.0.1', '2606::1', '64:ff9b::a00:1', '0.0.0.0'];
  const spellings = [
    '::ffff:1.1.1.1',
    '::ffff:10.0.0.1',
    '::ffff:127.0.0.1',
    '01.1.1.1',
    '1.1.257',
    'a.example',
  ];
  const ports = [80, 443, 8080];
  const rule = fc.record({
    scheme: fc.constantFrom(null, 'http', 'https'),
    host: fc.constantFrom(...names, 'A.EXAMPLE.', ...places, '::ffff:10.0.0.1', 'localhost'),
    port: fc.constantFrom(null, ...ports),
  });
  const step = fc.oneof(
    fc.record({ kind: fc.constant('zone'), name: fc.constantFrom(...names), to: fc.subarray(places) }),
    fc.record({
      kind: fc.constant('ask'),
      name: fc.constantFrom(...names, 'B.Example', 'd.example', 'localhost'),
      type: fc.constantFrom(A, AAAA),
    }),
    fc.record({ kind: fc.constant('wait'), ms: fc.constantFrom(1_000, 60_000, 299_999, 300_000) }),
    fc.record({
      kind: fc.constant('connect'),
      to: fc.constantFrom(...places, ...spellings),
      port: fc.constantFrom(...ports, 22),
    }),
  );

  test('agree with the rules as they are written down, whatever a program does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(rule, { maxLength: 4 }),
        fc.array(step, { maxLength: 40 }),
        async (listed, steps) => {
          const { egress, zone, clock, events } = bench({ rules: listed, limits: { connections: 1_000 } });
          // What was answered, as a program that keeps all replies would remember it.
          const answered: { name: string; address: string; at: number }[] = [];
          for (const each of steps) {
            if (each.kind === 'zone') zone[each.name] = each.to;
            if (each.kind === 'wait') clock.ms += each.ms;
            if (each.kind === 'ask') {
              const name = each.name.toLowerCase();
              const reply = await ask(egress, each.name, each.type);
              for (const raw of reply.addresses) {
                answered.push({ name, address: parseAddress(raw)?.text ?? '', at: clock.ms });
              }
              if (!listed.some(({ host }) => canonical(host) === name)) expect(reply.rcode).toBe(3);
            }
            if (each.kind === 'connect') {
              const seen = events.length;
              const verdict = egress.decideConnection({ destination: each.to, port: each.port });
              expect(events.length).toBe(seen + 1);
              const address = parseAddress(each.to);
              expect(verdict.kind).toBe(
                address !== null && allowedByHand(listed, answered, address.text, each.port, clock.ms)
                  ? 'dial'
                  : 'refuse',
              );
              if (verdict.kind === 'dial') {
                expect([verdict.address, verdict.port]).toEqual([address?.text, each.port]);
                expect(parseAddress(verdict.address)?.text).toBe(verdict.address);
              }
            }
          }
        },
      ),
      { numRuns: 1_500 },
    );
  });

  const canonical = (host: string) => parseAddress(host)?.text ?? host.toLowerCase().replace(/\.$/, '');

  function allowedByHand(
    listed: readonly EgressRule[],
    answered: readonly { name: string; address: string; at: number }[],
    address: string,
    port: number,
    now: number,
  ): boolean {
    const parsed = parseAddress(address);
    if (parsed === null) return false;
    const kind = classifyAddress(parsed);
    if (kind === 'unusable') return false;
    const opens = (host: string) =>
      listed.some((each) => {
        const bound = each.port ?? { http: 80, https: 443, none: null }[each.scheme ?? 'none'];
        return canonical(each.host) === host && (bound === null || bound === port);
      });
    if (opens(address)) return true;
    if ((address === '127.0.0.1' || address === '::1') && opens('localhost')) return true;
    return (
      kind === 'public' &&
      answered.some((each) => each.address === address && now - each.at < 300_000 && opens(each.name))
    );
  }
});

test('spelling games with a listed host never reach another one', async () => {
  const listed = 'api.example.com';
  const game = fc
    .tuple(
      fc.nat(listed.length),
      fc.constantFrom('', '.', '..', 'x', '-', '\0', ' ', '%', '\\', '\u00e9', 'xn--', '*', '@', '/'),
    )
    .map(([at, more]) => listed.slice(0, at) + more + listed.slice(at));
  await fc.assert(
    fc.asyncProperty(fc.oneof(game, fc.domain()), fc.boolean(), async (text, upper) => {
      const { egress, asked } = bench({ rules: rules(listed), zone: { [listed]: ['1.1.1.1'] } });
      const label = Buffer.from(upper ? text.toUpperCase() : text, 'latin1');
      const whole = label.length <= 63 ? await egress.answerDns(query({ name: [label] })) : null;
      if (whole !== null) expect((whole[3] ?? 0) & 0xf).toBe(3);
      const parts = label.toString('latin1').split('.');
      if (parts.every((part) => part.length < 64)) {
        const reply = await egress.answerDns(query({ name: label.toString('latin1') }));
        // The helper leaves empty labels out, so a doubled dot is the plain name.
        const same =
          parts
            .filter((part) => part !== '')
            .join('.')
            .toLowerCase() === listed;
        if (reply !== null) expect(((reply[3] ?? 0) & 0xf) === 0).toBe(same);
      }
      expect(asked.every((each) => each === `${listed} 4`)).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
