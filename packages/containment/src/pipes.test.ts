import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { childrenOf } from '../test/support/processes.js';
import { openTestJail, request, run, textOf } from '../test/support/spawn.js';

const MEBIBYTE = 1024 * 1024;

describe('pipes', () => {
  it('can be opened by name, as scripts do', async () => {
    const { output } = await run(
      '/bin/sh',
      ['-c', 'echo one > /dev/stdout; echo two > /dev/fd/1; read line < /dev/stdin; echo "$line"'],
      {
        stdin: 'null',
      },
    );
    expect(output).toBe('one\ntwo\n\n');
  });

  it('close half by half: the program sees the end of its input and still answers', async () => {
    await using jail = await openTestJail();
    const jailed = await jail.spawn(
      request('/bin/sh', ['-c', 'n=$(wc -c); echo "$n"'], { stdin: 'pipe', stdout: 'pipe' }),
    );
    jailed.stdin?.end('x'.repeat(300_000));
    expect((await textOf(jailed.stdout)).trim()).toBe('300000');
    expect((await jailed.exited).code).toBe(0);
  });

  it('survive a program that closes its input early', async () => {
    await using jail = await openTestJail();
    const jailed = await jail.spawn(request('/bin/true', [], { stdin: 'pipe' }));
    jailed.stdin?.write(Buffer.alloc(8 * MEBIBYTE));
    expect((await jailed.exited).code).toBe(0);
  });

  it('carry 100 MiB intact to a reader that keeps stopping', async () => {
    await using jail = await openTestJail();
    const bytes = 100 * MEBIBYTE;
    const jailed = await jail.spawn(
      request('/bin/sh', ['-c', `head -c ${bytes} /dev/zero | tr '\\0' m`], {
        stdout: 'pipe',
        env: { PATH: '/usr/bin:/bin' },
      }),
    );
    const hash = createHash('sha256');
    let received = 0;
    for await (const chunk of jailed.stdout ?? []) {
      hash.update(chunk as Buffer);
      received += (chunk as Buffer).length;
      if (received % 7 === 0) await new Promise(setImmediate);
    }
    expect(received).toBe(bytes);
    expect(hash.digest('hex')).toBe(createHash('sha256').update(Buffer.alloc(bytes, 'm')).digest('hex'));
    expect((await jailed.exited).code).toBe(0);
  });

  it('hold a program back that nobody reads', async () => {
    await using jail = await openTestJail();
    const jailed = await jail.spawn(
      request('/usr/bin/head', ['-c', String(20 * MEBIBYTE), '/dev/zero'], { stdout: 'pipe' }),
    );
    let ended = false;
    void jailed.exited.then(() => {
      ended = true;
    });
    // Nothing but a full pipe can keep it: another program comes and goes meanwhile.
    for (let count = 0; count < 5; count += 1) await run('/bin/true');
    expect(ended).toBe(false);
    let received = 0;
    for await (const chunk of jailed.stdout ?? []) received += (chunk as Buffer).length;
    expect(received).toBe(20 * MEBIBYTE);
  });

  it('deliver what was written although the program ended long before it is read', async () => {
    await using jail = await openTestJail();
    const jailed = await jail.spawn(
      request('/bin/sh', ['-c', 'echo out; echo err >&2'], { stdout: 'pipe', stderr: 'pipe' }),
    );
    await jailed.exited;
    await jailed.kill();
    expect([await textOf(jailed.stdout), await textOf(jailed.stderr)]).toEqual(['out\n', 'err\n']);
  });

  it('pass channels straight through, blocking for the program', async () => {
    await using jail = await openTestJail();
    const script = 'while read -r line <&3; do echo "got $line" >&4; done; echo end >&4';
    const jailed = await jail.spawn(request('/bin/sh', ['-c', script], { channels: ['in', 'out'] }));
    const [input, output] = jailed.channels as [Writable, Readable];
    const answers = textOf(output);
    for (const line of ['a', 'b', 'c']) {
      input.write(`${line}\n`);
      await new Promise(setImmediate);
    }
    input.end();
    expect(await answers).toBe('got a\ngot b\ngot c\nend\n');
  });
});

describe('200 programs at once', () => {
  it('all run, and leave neither a process nor a descriptor', async () => {
    // The first run opens what Node keeps for good.
    await run('/bin/true');
    const open = (): number => readdirSync('/proc/self/fd').length;
    const before = open();
    const children = childrenOf(process.pid).length;
    await using jail = await openTestJail();
    const outputs = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const jailed = await jail.spawn(
          request('/bin/echo', [String(index)], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' }),
        );
        jailed.stdin?.end();
        const [output, error] = await Promise.all([
          textOf(jailed.stdout),
          textOf(jailed.stderr),
          jailed.exited,
        ]);
        return Number(output) === index && error === '';
      }),
    );
    expect(outputs.every(Boolean)).toBe(true);
    await jail.kill();
    expect(childrenOf(process.pid).length).toBe(children);
    await expect.poll(open).toBeLessThanOrEqual(before);
  });
});
