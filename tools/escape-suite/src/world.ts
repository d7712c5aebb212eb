import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const probes = fileURLToPath(new URL('../probes', import.meta.url));

/** A number that belongs to no account: whom the probes run as, in and outside, where the suite is root. */
const NOBODY_ELSE = 64_817;

/** What a probe may find on the host if its jail leaks: each is within reach of the same user outside a jail. */
export interface World {
  readonly base: string;
  /** The only writable directory of the jail. */
  readonly work: string;
  readonly outside: string;
  readonly bin: string;
  readonly uid: number;
  readonly gid: number;
  /** A process of the same user, which ignores SIGUSR1. */
  readonly victim: number;
  readonly abstractName: string;
  readonly socketPath: string;
  readonly port: number;
  readonly sharedMemoryKey: string;
}

export interface OpenWorld extends World, AsyncDisposable {}

/** Ignores SIGUSR1 and holds an abstract socket: Node would fill the rest of the name with zeros. */
const VICTIM = `
import signal, socket, sys, time
signal.signal(signal.SIGUSR1, signal.SIG_IGN)
held = socket.socket(socket.AF_UNIX)
held.bind('\\0' + sys.argv[1])
held.listen(64)
print('ready', flush=True)
time.sleep(3600)
`;

const listen = (server: Server, where: string | { port: number; host: string }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    if (typeof where === 'string') server.listen(where, resolve);
    else server.listen(where.port, where.host, resolve);
  });

function compileProbes(bin: string, only: readonly string[] | undefined): void {
  const wanted = (name: string): boolean =>
    only === undefined || only.includes(name) || name === 'shm-foreign';
  const sources = readdirSync(probes).filter((name) => name.endsWith('.c') && wanted(name.slice(0, -2)));
  for (const source of sources) {
    const program = path.join(bin, source.slice(0, -2));
    execFileSync('cc', ['-static', '-O1', '-std=gnu17', '-w', '-o', program, path.join(probes, source)]);
  }
  for (const script of readdirSync(probes).filter((name) => /\.(sh|py)$/.test(name)))
    execFileSync('install', ['-m', '755', path.join(probes, script), path.join(bin, script)]);
}

/** A directory that probes may change; made anew for every run of one. */
export function freshWork(world: World): void {
  rmSync(world.work, { recursive: true, force: true });
  for (const below of ['', 'p/d', 'tree']) mkdirSync(path.join(world.work, below), { recursive: true });
  writeFileSync(path.join(world.work, 'p/d/f'), 'a\n');
  execFileSync('install', ['-m', '755', '/usr/bin/true', path.join(world.work, 'tree/program')]);
  writeFileSync(path.join(world.outside, 'own'), 'own\n');
  own(world);
}

function own(world: World): void {
  if (process.getuid?.() !== 0) return;
  execFileSync('chown', ['-R', `${world.uid}:${world.gid}`, world.work, world.outside]);
}

/** Runs a program as the probes' user without any jail. */
export function runOutside(
  world: World,
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): string {
  const identity = process.getuid?.() === 0 ? { uid: world.uid, gid: world.gid } : {};
  const { stdout } = spawnSync(program, args, {
    cwd: world.work,
    env: { ...env, SECRET_OF_THE_HOST: '1' },
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    timeout: 20_000,
    encoding: 'utf8',
    ...identity,
  });
  return stdout;
}

/** @param only probes that will be run; all of them when it is left out */
export async function openWorld(only?: readonly string[]): Promise<OpenWorld> {
  const root = process.getuid?.() === 0;
  const uid = root ? NOBODY_ELSE : (process.getuid?.() ?? 0);
  const gid = root ? NOBODY_ELSE : (process.getgid?.() ?? 0);
  // Not below /tmp, which every jail has to itself: what is outside must be hidden by more than that.
  const base = mkdtempSync('/var/tmp/escape-suite-');
  chmodSync(base, 0o755);
  const at = (name: string): string => path.join(base, name);
  for (const name of ['work', 'outside', 'bin']) mkdirSync(at(name));
  compileProbes(at('bin'), only);
  writeFileSync(at('outside/secret'), 'secret\n', { mode: 0o600 });
  const identity = root ? { uid, gid } : {};
  const abstractName = `escape-suite-${process.pid}`;
  const victim: ChildProcess = spawn('/usr/bin/python3', ['-c', VICTIM, abstractName], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...identity,
  });
  if (victim.stdout !== null) await once(victim.stdout, 'data');
  const servers = [createServer(), createServer()] as const;
  for (const server of servers) server.on('connection', (socket) => socket.destroy());
  await listen(servers[0], at('outside/socket'));
  chmodSync(at('outside/socket'), 0o666);
  await listen(servers[1], { port: 0, host: '127.0.0.1' });
  const address = servers[1].address();
  const world: World = {
    base,
    work: at('work'),
    outside: at('outside'),
    bin: at('bin'),
    uid,
    gid,
    victim: victim.pid ?? 0,
    abstractName,
    socketPath: at('outside/socket'),
    port: typeof address === 'object' && address !== null ? address.port : 0,
    sharedMemoryKey: `0x${(0x4d550000 + (process.pid & 0xffff)).toString(16)}`,
  };
  if (root) chownSync(at('outside/secret'), uid, gid);
  freshWork(world);
  runOutside(world, path.join(world.bin, 'shm-foreign'), [world.sharedMemoryKey, 'create'], {});
  return {
    ...world,
    [Symbol.asyncDispose]: async () => {
      victim.kill('SIGKILL');
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
      spawnSync('ipcrm', ['-M', world.sharedMemoryKey], { stdio: 'ignore' });
      rmSync(base, { recursive: true, force: true });
    },
  };
}
