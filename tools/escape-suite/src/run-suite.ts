import path from 'node:path';
import { text } from 'node:stream/consumers';
import { type ContainmentOptions, type ExitRecord, openJail } from '@murmur/containment';
import { CASES, type Case, type Verdict } from './cases.js';
import { freshWork, openWorld, runOutside, type World } from './world.js';

/** What scripts among the probes need. */
const TOOLS = [
  'cat',
  'chmod',
  'cp',
  'date',
  'dirname',
  'grep',
  'head',
  'install',
  'ln',
  'mv',
  'python3',
  'rm',
  'sed',
  'sh',
  'tail',
  'true',
  'wc',
].map((name) => `/usr/bin/${name}`);

/** One probe at one class. */
export interface Cell {
  readonly probe: string;
  readonly class: 'scoped' | 'sealed';
  readonly uid: number;
  /** First line that the probe printed inside. */
  readonly inside: string;
  /** First line outside, or why there is no control. */
  readonly outside: string;
  readonly expected: Verdict;
  /** The jail answered as it has to, and the control shows that this means something. */
  readonly holds: boolean;
}

const ENVIRONMENT = { PATH: '/usr/bin:/bin' };

const firstLine = (output: string): string => output.split('\n', 1)[0] ?? '';

function commandOf({ probe, args }: Case, world: World): readonly [program: string, args: readonly string[]] {
  const file = path.join(world.bin, probe);
  const given = args?.(world) ?? [];
  if (probe.endsWith('.sh')) return ['/bin/sh', [file, ...given]];
  if (probe.endsWith('.py')) return ['/usr/bin/python3', [file, ...given]];
  return [file, given];
}

function control(probe: Case, world: World): { readonly shown: string; readonly proves: boolean } {
  if (typeof probe.control === 'object') return { shown: `no control: ${probe.control.none}`, proves: true };
  const [program, args] = commandOf(probe, world);
  freshWork(world);
  const shown =
    probe.control === 'same-user'
      ? runOutside(world, program, args, ENVIRONMENT)
      : runOutside(world, '/usr/bin/unshare', ['-Urm', program, ...args], ENVIRONMENT);
  return { shown: firstLine(shown), proves: shown.startsWith('ALLOWED') };
}

async function runInside(
  probe: Case,
  jailClass: Cell['class'],
  world: World,
  containment: ContainmentOptions,
): Promise<{ readonly output: string; readonly exit: ExitRecord }> {
  const [program, args] = commandOf(probe, world);
  freshWork(world);
  await using jail = await openJail(
    {
      class: jailClass,
      label: probe.probe,
      grants: {
        readWrite: [world.work],
        readOnly: [
          path.join(world.work, 'p/d'),
          ...(probe.probe.includes('.') ? [path.join(world.bin, probe.probe)] : []),
        ],
        executables: [...TOOLS, ...(probe.probe.includes('.') ? [] : [program])],
        executableTrees: [path.join(world.work, 'tree')],
        identity: { uid: world.uid, gid: world.gid },
      },
    },
    containment,
  );
  const jailed = await jail.spawn({
    program,
    args,
    env: ENVIRONMENT,
    cwd: world.work,
    stdin: 'null',
    stdout: 'pipe',
    stderr: 'null',
    ...(probe.limits === undefined ? {} : { limits: probe.limits }),
  });
  const timer = setTimeout(() => void jailed.kill(), 30_000);
  const [output, exit] = await Promise.all([
    jailed.stdout === null ? '' : text(jailed.stdout),
    jailed.exited,
  ]);
  clearTimeout(timer);
  return { output, exit };
}

async function runCell(
  probe: Case,
  jailClass: Cell['class'],
  world: World,
  containment: ContainmentOptions,
): Promise<Cell> {
  const { shown, proves } = control(probe, world);
  const { output, exit } = await runInside(probe, jailClass, world, containment);
  const expected = probe[jailClass] ?? 'REFUSED';
  const inside = output === '' ? `nothing (exit ${exit.code}, signal ${exit.signal})` : firstLine(output);
  const holds = proves && inside.startsWith(expected);
  return {
    probe: probe.probe,
    class: jailClass,
    uid: process.getuid?.() ?? -1,
    inside,
    outside: shown,
    expected,
    holds,
  };
}

export interface SuiteOptions {
  /** Names of the probes to run; all of them when it is left out. */
  readonly only?: readonly string[];
  /** Another warden than the built one. */
  readonly wardenPath?: string;
}

/** Probes at one class, as the calling user. */
export async function runSuite(
  jailClass: Cell['class'],
  options: SuiteOptions = {},
): Promise<readonly Cell[]> {
  const { only, wardenPath } = options;
  await using world = await openWorld(only);
  const containment = wardenPath === undefined ? {} : { wardenPath };
  const cells: Cell[] = [];
  for (const probe of CASES.filter((candidate) => only === undefined || only.includes(candidate.probe)))
    cells.push(await runCell(probe, jailClass, world, containment));
  return cells;
}
