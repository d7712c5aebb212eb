/**
 * The only file of the packages that starts processes. On Linux it starts nothing but the warden.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { LaunchSpec } from './spec-wire.js';

/** A warden on its way; the sockets are null when it could not be started, which `warden` then reports as `error`. */
export interface WardenProcess {
  readonly warden: ChildProcess;
  /** Takes the specification and the commands; its end is the lifeline. */
  readonly control: Writable | null;
  /** Gives status records. Both of the warden's processes hold it: its end means that neither is left. */
  readonly status: Readable | null;
}

/**
 * Starts the warden with an empty environment and no arguments: what it is to run travels over the socket, out of
 * sight of everybody who can list processes. `detached` gives it a session of its own, so that a terminal's Ctrl-C
 * reaches it through the runtime only.
 */
export function startWarden(wardenPath: string): WardenProcess {
  const warden = spawn(wardenPath, [], {
    argv0: 'warden',
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Out of descriptors, Node leaves `stdio` unset, whatever its type says.
  const stdio: readonly unknown[] | undefined = warden.stdio;
  const [, , , control, status] = (stdio ?? []) as readonly unknown[];
  return {
    warden,
    control: (control as Writable | undefined) ?? null,
    status: (status as Readable | undefined) ?? null,
  };
}

/** Starts a program directly, as the leader of its own process group: all that platforms without a warden offer. */
export function startPlainProcess(spec: LaunchSpec): ChildProcess {
  return spawn(spec.program, spec.argumentList.slice(1), {
    env: { ...spec.env },
    cwd: spec.cwd,
    detached: true,
    stdio: spec.descriptors.map((kind) => (kind === 'null' ? 'ignore' : 'pipe')),
  });
}
