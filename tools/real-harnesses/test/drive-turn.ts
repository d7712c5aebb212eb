import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { process as codexDriver } from '../../../packages/driver-codex/src/index.js';

export type Driver = typeof codexDriver;
export type DriverEvent = ReturnType<Driver['parse']>[number];
export type LaunchRequest = Parameters<Driver['launch']>[0];

export interface DrivenTurn {
  readonly driver: Driver;
  readonly binary: string;
  readonly home: string;
  readonly cwd: string;
  readonly request?: Partial<LaunchRequest>;
  /** Called with each event; `interrupt` stops the turn, by the driver's own way or by a signal. */
  readonly onEvent?: (event: DriverEvent, interrupt: (how: 'driver' | 'SIGINT') => void) => unknown;
}

/** Carries out a driver's plan with the real CLI, as the runtime does but without a jail. */
export async function driveTurn(turn: DrivenTurn): Promise<readonly DriverEvent[]> {
  const { driver } = turn;
  const plan = driver.launch({
    model: undefined,
    systemPrompt: 'Answer in one word.',
    config: undefined,
    bridge: undefined,
    session: { id: '01a22735-131a-7c40-89c2-297b2e974083', mode: 'new' },
    harnessVersion: undefined,
    task: 'When I say ping you say?',
    ...turn.request,
  });
  const filesDirectory = await mkdtemp(join(tmpdir(), 'driver-files-'));
  try {
    for (const file of plan.files) await writeFile(join(filesDirectory, file.name), file.contents);
    const placed = (text: string): string => text.replaceAll('{files_dir}', filesDirectory);
    await mkdir(turn.cwd, { recursive: true });
    const child = spawn(turn.binary, plan.args.map(placed), {
      cwd: turn.cwd,
      env: {
        HOME: turn.home,
        PATH: process.env.PATH ?? '',
        ...Object.fromEntries(plan.envSet.map(([name, value]) => [name, placed(value)])),
      },
    });
    const ended = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
      child.once('close', (code, signal) => resolve({ code, signal })),
    );
    let stderrTail = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderrTail = (stderrTail + chunk).slice(-4096);
    });
    // Who ended already reads no more.
    child.stdin.on('error', () => undefined);
    if (plan.stdin !== undefined) child.stdin.write(plan.stdin);
    if (!plan.keepStdinOpen) child.stdin.end();
    let interrupted = false;
    const interrupt = (how: 'driver' | 'SIGINT'): void => {
      interrupted = true;
      if (how === 'driver' && plan.interruptStdin !== undefined) child.stdin.write(plan.interruptStdin);
      else child.kill('SIGINT');
    };
    const events: DriverEvent[] = [];
    for await (const line of createInterface({ input: child.stdout }))
      for (const event of driver.parse([line])) {
        events.push(event);
        await turn.onEvent?.(event, interrupt);
        if (isTerminal(event)) child.stdin.end();
      }
    const { code } = await ended;
    if (!events.some(isTerminal))
      events.push(
        driver.classifyExit({
          code: code ?? undefined,
          signal: undefined,
          stderrTail,
          interrupted,
          sawTerminal: false,
        }),
      );
    return events;
  } finally {
    await rm(filesDirectory, { recursive: true, force: true });
  }
}

export const isTerminal = (event: DriverEvent): boolean =>
  event.tag === 'turn-end' || event.tag === 'turn-failed';

/** The id under which the harness says it runs; empty when it named none. */
export function sessionOf(events: readonly DriverEvent[]): string {
  const started = events.find((event) => event.tag === 'session-started');
  return started?.tag === 'session-started' ? started.val.id : '';
}
