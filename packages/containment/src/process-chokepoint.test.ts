import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { compileWarden } from '../test/support/compile.js';
import { scratchDirectory } from '../test/support/scratch.js';
import { request } from '../test/support/spawn.js';
import { openJail } from './jail.js';
import { planJail } from './jail-plan.js';
import { startWarden, type WardenProcess } from './process-chokepoint.js';
import { toLaunchSpec } from './spawn-request.js';
import { encodeSpec } from './spec-wire.js';
import { encodeCommand, recordReader, type StatusRecord } from './status-wire.js';
import { locateWarden } from './warden-location.js';

const directory = scratchDirectory();
const marker = path.join(directory, 'ran');
const jailWork = path.join(directory, 'work');
mkdirSync(jailWork);
const touch = encodeSpec(toLaunchSpec(request('/usr/bin/touch', [marker])));
const go = encodeCommand({ kind: 'go' });

/** Talks to a warden without the runtime: `answer` gets each record and may write or end. */
async function talk(
  first: Buffer | null,
  answer: (record: StatusRecord, to: WardenProcess) => void,
  wardenPath = locateWarden(),
) {
  const started = startWarden(wardenPath);
  const records: StatusRecord[] = [];
  const read = recordReader((record) => {
    records.push(record);
    answer(record, started);
  });
  started.status?.on('data', read);
  // A warden that ends without having read everything resets the socket.
  for (const socket of [started.control, started.status]) socket?.on('error', () => {});
  if (first !== null) started.control?.write(first);
  const [code] = (await once(started.warden, 'close')) as [number | null];
  return { code, kinds: records.map(({ kind }) => kind) };
}

const specOf = (program: string): Buffer => encodeSpec(toLaunchSpec(request(program)));
const sleeps = encodeSpec(toLaunchSpec(request('/bin/sleep', ['60'])));

const goOn = (record: StatusRecord, { control }: WardenProcess): void => {
  if (record.kind === 'ready') control?.write(go);
};

describe('the warden', () => {
  it('runs the program after the command to go on, and only then', async () => {
    const ended = await talk(touch, (record, { control }) => {
      if (record.kind === 'ready') control?.end();
    });
    expect(ended).toEqual({ code: 14, kinds: ['ready'] });
    expect(existsSync(marker)).toBe(false);
    expect(await talk(touch, goOn)).toEqual({ code: 0, kinds: ['ready', 'started', 'exited'] });
    expect(existsSync(marker)).toBe(true);
  });

  it('has one exit code for each reason', async () => {
    const endAfter = (bytes: Buffer) => talk(bytes, () => {}, locateWarden());
    expect(await endAfter(Buffer.alloc(16))).toEqual({ code: 10, kinds: ['failed'] });
    const wrongCommand = (record: StatusRecord, { control }: WardenProcess): void => {
      if (record.kind === 'ready') control?.write(encodeCommand({ kind: 'signal', signal: 9 }));
    };
    expect(await talk(touch, wrongCommand)).toEqual({ code: 13, kinds: ['ready'] });
    expect(await talk(specOf('/nowhere'), goOn)).toEqual({ code: 15, kinds: ['failed'] });
    expect(await talk(specOf('/etc/passwd'), goOn)).toEqual({ code: 16, kinds: ['ready', 'failed'] });
    const cutLifeline = (record: StatusRecord, { control }: WardenProcess): void => {
      if (record.kind === 'ready') control?.write(go);
      if (record.kind === 'started') control?.end();
    };
    expect((await talk(sleeps, cutLifeline)).code).toBe(17);
  });

  it('ends the tree when a command cannot be understood', async () => {
    const nonsense = (record: StatusRecord, { control }: WardenProcess): void => {
      if (record.kind === 'ready') control?.write(go);
      if (record.kind === 'started') control?.write(Buffer.from('nonsense'));
    };
    expect(await talk(sleeps, nonsense)).toEqual({ code: 0, kinds: ['ready', 'started', 'exited'] });
  });

  it('is of no use without a runtime', () => {
    expect(spawnSync(locateWarden(), [], { stdio: 'ignore' }).status).toBe(19);
    expect(
      spawnSync(locateWarden(), ['--help'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] }).status,
    ).toBe(19);
  });

  it('does not wait for ever', async () => {
    const impatient = compileWarden(directory, 'impatient', ['-DWARDEN_PATIENCE_MS=1000']);
    expect(await talk(null, () => {}, impatient)).toEqual({ code: 12, kinds: [] });
    expect(await talk(touch.subarray(0, 40), () => {}, impatient)).toEqual({ code: 12, kinds: [] });
    expect(await talk(touch, () => {}, impatient)).toEqual({ code: 12, kinds: ['ready'] });
  });

  it('runs clean under the sanitizers', async () => {
    const sanitized = compileWarden(directory, 'sanitized', [
      '-fsanitize=address,undefined',
      '-fno-sanitize-recover=all',
      '-static-libasan',
    ]);
    const spec = encodeSpec(
      toLaunchSpec(
        request('/bin/sh', ['-c', '(setsid sleep 60 &) ; exit 3'], {
          env: { PATH: '/usr/bin:/bin', A: '1' },
          stdout: 'pipe',
          channels: ['in', 'out'],
          limits: { openFiles: 64, processes: 50 },
        }),
      ),
    );
    expect(await talk(spec, goOn, sanitized)).toEqual({ code: 0, kinds: ['ready', 'started', 'exited'] });
    expect(await talk(specOf('/etc/passwd'), goOn, sanitized)).toEqual({
      code: 16,
      kinds: ['ready', 'failed'],
    });
    expect((await talk(Buffer.alloc(64), goOn, sanitized)).code).toBe(10);
    for (const jailClass of ['scoped', 'sealed'] as const) {
      const jail = planJail(jailClass, { executables: ['/bin/sh', '/usr/bin/sleep'], readWrite: [jailWork] });
      const inside = request('/bin/sh', ['-c', '(sleep 60 &) ; exit 3'], {
        env: { PATH: '/usr/bin' },
        limits: { openFiles: 64, processes: 50 },
      });
      const jailed = encodeSpec({ ...toLaunchSpec(inside), jail });
      expect(await talk(jailed, goOn, sanitized)).toEqual({ code: 0, kinds: ['ready', 'started', 'exited'] });
      const nowhere = encodeSpec({ ...toLaunchSpec(request('/nowhere')), jail });
      expect(await talk(nowhere, goOn, sanitized)).toEqual({ code: 16, kinds: ['ready', 'failed'] });
    }
  });
});

describe('a warden that cannot be started', () => {
  it('is a coded error that keeps the cause', async () => {
    const wardenPath = path.join(directory, 'vanishing');
    copyFileSync(locateWarden(), wardenPath);
    const jail = await openJail({ class: 'advisory', label: 'test' }, { wardenPath });
    rmSync(wardenPath);
    await expect(jail.spawn(request('/bin/true'))).rejects.toMatchObject({
      condition: { variant: 'Runtime' },
      cause: { code: 'ENOENT' },
    });
    await jail.kill();
  });

  it('leaves the runtime usable when descriptors have run out', () => {
    const script = fileURLToPath(new URL('../test/fixtures/out-of-descriptors.mjs', import.meta.url));
    const command = `ulimit -n 60; exec "${process.execPath}" "${script}"`;
    const lines = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' }).trim().split('\n');
    expect(lines.length).toBe(5);
    expect(lines[0]).toBe('0 left: Runtime');
    expect(lines.at(-1)).toBe('0');
  });
});
