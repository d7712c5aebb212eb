/**
 * The only file of the packages that starts processes. On Linux it starts nothing but the warden.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import type { LaunchSpec } from './spec-wire.js';

/** Descriptor of the control socket inside the warden. */
export const CONTROL_DESCRIPTOR = 3;

/**
 * Starts the warden with an empty environment and no arguments: what it is to run travels over the socket, out of
 * sight of everybody who can list processes. `detached` gives it a session of its own, so that a terminal's Ctrl-C
 * reaches it through the runtime only.
 */
export function startWarden(wardenPath: string): ChildProcess {
  return spawn(wardenPath, [], {
    argv0: 'warden',
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
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
