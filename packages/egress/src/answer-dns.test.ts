import { describe, expect, test, vi } from 'vitest';
import { A, AAAA, ask, bench, query, rules } from '../test/support.js';

const TXT = 16;
const NXDOMAIN = 3;
const LISTED = rules('api.example.com', '[2a00::9]:443', '10.0.0.5:8080');

describe('names', () => {
  test('a listed name is answered and remembered', async () => {
    const { egress, events, asked } = bench({
      rules: LISTED,
      zone: { 'api.example.com': ['1.1.1.1', '2606:4700::1'] },
    });
    expect(await ask(egress, 'api.example.com')).toMatchObject({
      rcode: 0,
      addresses: ['1.1.1.1'],
      ttls: [60],
    });
    expect(await ask(egress, 'api.example.com', AAAA)).toMatchObject({
      rcode: 0,
      addresses: [expect.any(String)],
    });
    expect(asked).toEqual(['api.example.com 4', 'api.example.com 6']);
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 443 })).toMatchObject({
      kind: 'dial',
      names: ['api.example.com'],
      rule: 'api.example.com',
    });
    expect(egress.decideConnection({ destination: '2606:4700::1', port: 1 })).toMatchObject({ kind: 'dial' });
    expect(events[0]).toEqual({
      kind: 'name-answered',
      host: 'api.example.com',
      addresses: ['1.1.1.1'],
      rule: 'api.example.com',
      key: 'capabilities.network.allow',
    });
  });

  test('letter case and other types carry nothing outside', async () => {
    const { egress, asked } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    await ask(egress, 'aPi.ExAmPlE.cOm');
    for (const type of [TXT, 2, 5, 6, 15, 33, 65, 252, 255, 0]) {
      expect(await ask(egress, 'api.example.com', type)).toMatchObject({ rcode: 0, addresses: [] });
    }
    expect(asked).toEqual(['api.example.com 4']);
  });

  test.each([
    ...[
      'example.com',
      'x.api.example.com',
      'api.example.co',
      'xapi.example.com',
      'com',
      '',
      '10.0.0.5',
      '2a00::9',
    ],
    ...['localhost', 'secret-payload.attacker.example', 'api-example.com'],
  ])('%j is unlisted: at once, and nobody outside is asked', async (name) => {
    const resolve = vi.fn();
    const { egress, events } = bench({ rules: LISTED, resolve });
    for (const type of [A, AAAA, TXT]) {
      expect(await ask(egress, name, type)).toMatchObject({ rcode: NXDOMAIN, addresses: [] });
    }
    expect(resolve).not.toHaveBeenCalled();
    expect(events).toHaveLength(3);
    expect(events[0]).toMatchObject({
      kind: 'name-refused',
      port: null,
      rule: null,
      key: 'capabilities.network.allow',
      how: 'nxdomain',
      reason: 'unlisted',
    });
  });

  test('a label that hides a dot is not the name it looks like', async () => {
    const { egress, asked, events } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    const reply = await ask(egress, { name: [Buffer.from('api.example'), Buffer.from('com')] });
    expect(reply.rcode).toBe(NXDOMAIN);
    expect(asked).toEqual([]);
    expect(events[0]).toMatchObject({ host: 'api\\046example.com', remedy: null });
  });

  test.each([0, 2, 3, 4, 254, 255])('class %s is refused, and nobody outside is asked', async (other) => {
    const { egress, asked } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    expect(await ask(egress, { name: 'api.example.com', class: other })).toMatchObject({
      rcode: 5,
      addresses: [],
    });
    expect(asked).toEqual([]);
  });

  test('what the resolver says', async () => {
    const { egress, zone, clock } = bench({ rules: LISTED });
    expect((await ask(egress, 'api.example.com')).rcode).toBe(NXDOMAIN);
    zone['api.example.com'] = null;
    expect((await ask(egress, 'api.example.com')).rcode).toBe(2);
    zone['api.example.com'] = ['2606:4700::1'];
    expect(await ask(egress, 'api.example.com')).toMatchObject({ rcode: 0, addresses: [] });
    clock.ms += 60_000;
    zone['api.example.com'] = ['1.1.1.1'];
    expect(await ask(egress, 'api.example.com')).toMatchObject({ rcode: 0, addresses: ['1.1.1.1'] });
  });

  test('a resolver that throws, rejects or never answers is no answer', async () => {
    const failing = [
      () => {
        throw new Error('broken');
      },
      () => Promise.reject(new Error('broken')),
      () => new Promise<never>(() => {}),
    ];
    for (const resolve of failing) {
      const { egress } = bench({ rules: LISTED, resolve, limits: { resolveMs: 20 } });
      expect((await ask(egress, 'api.example.com')).rcode).toBe(2);
    }
  });

  test('the resolver is told when its time is over', async () => {
    const aborted = withResolvers();
    const { egress } = bench({
      rules: LISTED,
      limits: { resolveMs: 20 },
      resolve: (_name, _family, signal) => {
        signal.addEventListener('abort', () => aborted.resolve(undefined));
        return new Promise<never>(() => {});
      },
    });
    await ask(egress, 'api.example.com');
    await aborted.promise;
  });

  test('localhost, when listed, is loopback and asked nowhere', async () => {
    const { egress, asked } = bench({ rules: rules('localhost:11434'), zone: { localhost: ['6.6.6.6'] } });
    expect((await ask(egress, 'LOCALHOST')).addresses).toEqual(['127.0.0.1']);
    expect((await ask(egress, 'localhost', AAAA)).addresses).toEqual([
      '0000:0000:0000:0000:0000:0000:0000:0001',
    ]);
    expect(asked).toEqual([]);
    expect(egress.decideConnection({ destination: '127.0.0.1', port: 11434 }).kind).toBe('dial');
    expect(egress.decideConnection({ destination: '::1', port: 11434 }).kind).toBe('dial');
    expect(egress.decideConnection({ destination: '127.0.0.1', port: 22 }).kind).toBe('refuse');
    expect(egress.decideConnection({ destination: '127.0.0.2', port: 11434 }).kind).toBe('refuse');
  });
});

describe('where a name may lead', () => {
  const inside = [
    '127.0.0.1',
    '10.0.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
  ];
  const inside6 = [
    '::1',
    'fd00:ec2::254',
    'fe80::1',
    'fc00::1',
    '64:ff9b::a9fe:a9fe',
    '2002:a00:1::',
    '::',
    'ff02::1',
  ];

  test.each([...inside, ...inside6, '9.9.9.9', '2620:fe::fe'])('not to %s', async (address) => {
    const { egress, events } = bench({
      rules: LISTED,
      zone: { 'api.example.com': [address] },
      hostAddresses: ['9.9.9.9', '2620:fe::fe', 'fe80::5%eth0'],
    });
    const reply = await ask(egress, 'api.example.com', address.includes(':') ? AAAA : A);
    expect(reply).toMatchObject({ rcode: 0, addresses: [] });
    expect(events).toEqual([
      expect.objectContaining({
        kind: 'name-refused',
        host: 'api.example.com',
        how: 'nodata',
        reason: 'address-class',
        addresses: [address],
        rule: 'api.example.com',
      }),
    ]);
    expect(egress.decideConnection({ destination: address, port: 443 }).kind).toBe('refuse');
  });

  test('what is public in a mixed answer stays', async () => {
    const { egress } = bench({
      rules: LISTED,
      zone: { 'api.example.com': ['10.0.0.1', '1.1.1.1', '127.0.0.1'] },
    });
    expect((await ask(egress, 'api.example.com')).addresses).toEqual(['1.1.1.1']);
    expect(egress.decideConnection({ destination: '10.0.0.1', port: 443 }).kind).toBe('refuse');
  });

  test('a mapped answer to an IPv6 question is no IPv6 address', async () => {
    const { egress } = bench({
      rules: LISTED,
      zone: { 'api.example.com': ['::ffff:1.1.1.1', '::ffff:10.0.0.1'] },
    });
    expect((await ask(egress, 'api.example.com', AAAA)).addresses).toEqual([]);
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 443 }).kind).toBe('refuse');
  });

  test('to an inside address that is itself listed, and then only to the listed port', async () => {
    const { egress } = bench({ rules: LISTED, zone: { 'api.example.com': ['10.0.0.5'] } });
    expect((await ask(egress, 'api.example.com')).addresses).toEqual(['10.0.0.5']);
    expect(egress.decideConnection({ destination: '10.0.0.5', port: 8080 })).toMatchObject({
      kind: 'dial',
      rule: '10.0.0.5:8080',
    });
    // The name's own rule has no port: it must not open all of them.
    expect(egress.decideConnection({ destination: '10.0.0.5', port: 22 })).toMatchObject({
      kind: 'refuse',
      // Only a line with the address would help, whatever name leads there.
      remedy: '10.0.0.5:22',
    });
  });

  test('never to an unusable address, listed or not', async () => {
    const { egress } = bench({
      rules: [...LISTED, ...rules('0.0.0.0', '[::]')],
      zone: { 'api.example.com': ['0.0.0.0', '::'] },
    });
    expect((await ask(egress, 'api.example.com')).addresses).toEqual([]);
    expect((await ask(egress, 'api.example.com', AAAA)).addresses).toEqual([]);
  });

  test('rebinding: an answer that turns inside closes nothing that was open and opens nothing', async () => {
    const { egress, zone, clock } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    await ask(egress, 'api.example.com');
    clock.ms += 60_000;
    zone['api.example.com'] = ['192.168.0.1'];
    expect((await ask(egress, 'api.example.com')).addresses).toEqual([]);
    expect(egress.decideConnection({ destination: '192.168.0.1', port: 80 }).kind).toBe('refuse');
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 80 }).kind).toBe('dial');
  });
});

describe('lifetimes and ceilings', () => {
  test.each([
    [undefined, 60],
    [0, 5],
    [-3, 5],
    [30.9, 30],
    [86_400, 60],
    [Number.NaN, 5],
    [Number.POSITIVE_INFINITY, 5],
  ])('a lifetime of %s seconds becomes %s', async (ttlSeconds, told) => {
    const { egress } = bench({
      rules: LISTED,
      resolve: async () => ({
        outcome: 'found',
        addresses: ['1.1.1.1'],
        ...(ttlSeconds === undefined ? {} : { ttlSeconds }),
      }),
    });
    expect((await ask(egress, 'api.example.com')).ttls).toEqual([told]);
  });

  test('an answer is kept for its lifetime, and told with what is left of it', async () => {
    const { egress, asked, clock } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    await ask(egress, 'api.example.com');
    clock.ms += 59_500;
    expect((await ask(egress, 'api.example.com')).ttls).toEqual([1]);
    expect(asked).toHaveLength(1);
    clock.ms += 500;
    expect((await ask(egress, 'api.example.com')).ttls).toEqual([60]);
    expect(asked).toHaveLength(2);
  });

  test('questions at once become one', async () => {
    const { egress, asked } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    await Promise.all(Array.from({ length: 50 }, () => ask(egress, 'api.example.com')));
    expect(asked).toHaveLength(1);
  });

  test('a binding ends', async () => {
    const { egress, clock } = bench({ rules: LISTED, zone: { 'api.example.com': ['1.1.1.1'] } });
    await ask(egress, 'api.example.com');
    clock.ms += 299_999;
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 443 }).kind).toBe('dial');
    clock.ms += 1;
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 443 }).kind).toBe('refuse');
  });

  test('the oldest binding gives way to a new one', async () => {
    const { egress, zone, clock } = bench({ rules: LISTED, limits: { bindings: 3 } });
    for (let index = 1; index <= 4; index += 1) {
      zone['api.example.com'] = [`1.1.1.${index}`];
      await ask(egress, 'api.example.com');
      clock.ms += 60_000;
    }
    const kinds = [1, 2, 3, 4].map(
      (index) => egress.decideConnection({ destination: `1.1.1.${index}`, port: 80 }).kind,
    );
    expect(kinds).toEqual(['refuse', 'dial', 'dial', 'dial']);
  });

  test('an answer has at most so many addresses', async () => {
    const zone = { 'api.example.com': Array.from({ length: 40 }, (_, index) => `1.1.1.${index}`) };
    const { egress } = bench({ rules: LISTED, zone });
    expect((await ask(egress, 'api.example.com')).addresses).toHaveLength(16);
    expect(egress.decideConnection({ destination: '1.1.1.16', port: 80 }).kind).toBe('refuse');
  });

  test('questions above the rate are dropped, which is told once a second', async () => {
    const { egress, events, clock } = bench({ rules: [] });
    const answered = async (count: number) => {
      const replies = await Promise.all(
        Array.from({ length: count }, () => egress.answerDns(query({ name: 'a.example' }))),
      );
      return replies.filter((reply) => reply !== null).length;
    };
    expect(await answered(250)).toBe(100);
    clock.ms += 100;
    expect(await answered(250)).toBe(10);
    expect(events.filter(({ kind }) => kind === 'questions-dropped')).toHaveLength(1);
    clock.ms += 60_000;
    expect(await answered(250)).toBe(100);
    expect(events.filter(({ kind }) => kind === 'questions-dropped')).toHaveLength(2);
    clock.ms -= 120_000;
    expect(await answered(1)).toBe(0);
  });

  test('questions that wait for the resolver are bounded', async () => {
    const gate = withResolvers();
    const { egress } = bench({
      rules: LISTED,
      limits: { pendingQuestions: 2 },
      resolve: async () => {
        await gate.promise;
        return { outcome: 'found', addresses: ['1.1.1.1'] };
      },
    });
    const waiting = [ask(egress, 'api.example.com'), ask(egress, 'api.example.com')];
    expect(await egress.answerDns(query({ name: 'api.example.com' }))).toBeNull();
    gate.resolve(undefined);
    expect((await Promise.all(waiting)).map(({ rcode }) => rcode)).toEqual([0, 0]);
    expect((await ask(egress, 'api.example.com')).rcode).toBe(0);
  });
});

describe('looking up ahead', () => {
  test('says what became of each listed name, and ties what it found for good', async () => {
    const { egress, clock, asked } = bench({
      rules: rules(
        'a.example',
        'a.example:8080',
        'b.example:443',
        'gone.example',
        'mute.example',
        'in.example',
        '10.0.0.1',
      ),
      zone: {
        'a.example': ['1.1.1.1', '2606::1'],
        'b.example': ['1.1.1.1'],
        'mute.example': null,
        'in.example': ['10.0.0.9'],
      },
    });
    expect(await egress.lookUpListed()).toEqual([
      { name: 'a.example', outcome: 'found', addresses: ['1.1.1.1', '2606::1'] },
      { name: 'b.example', outcome: 'found', addresses: ['1.1.1.1'] },
      { name: 'gone.example', outcome: 'no-address', addresses: [] },
      { name: 'mute.example', outcome: 'failed', addresses: [] },
      { name: 'in.example', outcome: 'refused', addresses: [] },
    ]);
    expect(asked).toHaveLength(10);
    clock.ms += 86_400_000;
    expect(egress.decideConnection({ destination: '1.1.1.1', port: 22 })).toMatchObject({
      kind: 'dial',
      rule: 'a.example',
      names: ['a.example', 'b.example'],
    });
  });
});

function withResolvers() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
