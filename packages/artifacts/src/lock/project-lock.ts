import path from 'node:path';
import { openBeneath } from '@murmur/beneath';
import { MurmurError } from '@murmur/errors';
import {
  digestConflict,
  emptyLock,
  formatLock,
  type Lock,
  lockEntry,
  type Pin,
  parseLock,
  upsertLock,
} from '@murmur/manifest';
import { orNullWhenMissing } from '../store/place.js';
import { exclusively } from './exclusive.js';

const lockFile = 'murmur.lock';
const maxLockBytes = 1024 * 1024;

/** A pin that a running capsule had made and that an operator's write took over. */
export interface AdoptedPin {
  readonly name: string;
  readonly version: string;
  readonly session: string;
}

/** What a write to the lock did. */
export interface LockWrite {
  readonly file: string;
  /** False when the lock said all of it already: the file was left as it is. */
  readonly changed: boolean;
  readonly adopted: readonly AdoptedPin[];
}

/**
 * The lock of a project, or null when there is none. Throws `E-RUN-003` for a lock that cannot be used,
 * `E-IO-002`, `E-IO-003`, and `E-RUN-904` when it is a link. Implements `docs/spec/artifacts.md`, "The lock".
 */
export async function readLock(projectRoot: string): Promise<Lock | null> {
  const project = await orNullWhenMissing(openBeneath(projectRoot));
  if (project === null) return null;
  await using opened = project;
  const bytes = await orNullWhenMissing(opened.read(lockFile, { maxBytes: maxLockBytes }));
  return bytes === null ? null : parseLock(bytes, { file: path.join(projectRoot, lockFile) });
}

/**
 * Adds or renews pins, one after the other, in a project's lock; every other entry and every unknown key
 * stays. The file is replaced whole, beside other writers one at a time; what is already pinned is not
 * written again.
 *
 * `beforeWriting` runs when all pins are known to fit, while no other writer can come between.
 *
 * Throws `E-REG-005` when a pin disagrees with what the lock holds: another version, another digest, or one
 * digest for every host against one for each. Nothing is written then. Also `E-RUN-003` for a lock that
 * cannot be used, and the codes of `@murmur/beneath`.
 */
export async function writeLock(
  projectRoot: string,
  pins: readonly Pin[],
  options: { readonly beforeWriting?: () => Promise<void> } = {},
): Promise<LockWrite> {
  const file = path.join(projectRoot, lockFile);
  await using project = await openBeneath(projectRoot);
  return await exclusively(project, async () => {
    const bytes = await orNullWhenMissing(project.read(lockFile, { maxBytes: maxLockBytes }));
    let lock = bytes === null ? emptyLock : parseLock(bytes, { file });
    const adopted: AdoptedPin[] = [];
    for (const pin of pins) {
      refuseConflict(lock, pin);
      const { session } = lockEntry(lock, pin.name) ?? {};
      if (session !== undefined && pin.by === 'operator') {
        adopted.push({ name: pin.name, version: pin.version, session });
      }
      lock = upsertLock(lock, pin);
    }
    const text = formatLock(lock, { file });
    await options.beforeWriting?.();
    const changed = bytes?.toString('utf8') !== text;
    if (changed) await project.write(lockFile, text);
    return { file, changed, adopted };
  });
}

/**
 * Creates a missing lock with these pins, as a launch does; an existing lock is left alone, whatever it says.
 * Returns whether one was created.
 */
export async function createLock(projectRoot: string, pins: readonly Pin[]): Promise<boolean> {
  await using project = await openBeneath(projectRoot);
  return await exclusively(project, async () => {
    if ((await project.stat(lockFile)) !== null) return false;
    const lock = pins.reduce(upsertLock, emptyLock);
    await project.write(lockFile, formatLock(lock, { file: path.join(projectRoot, lockFile) }));
    return true;
  });
}

/** Throws `E-REG-005` when a pin of the lock says otherwise. */
export function refuseConflict(lock: Lock, pin: Pin): void {
  const { name, version } = pin;
  const present = lockEntry(lock, name);
  if (present === undefined) return;
  const refuse = (problem: string): never => {
    throw new MurmurError({ variant: null, code: 'E-REG-005', name, version, problem });
  };
  if (present.resolvedVersion !== version) refuse(`it pins version ${present.resolvedVersion}`);
  const conflict = digestConflict(present, pin.sha256);
  if (conflict === 'digest') refuse('it pins other bytes under this version');
  if (conflict === 'shape') {
    refuse(
      'any' in pin.sha256 ? 'it pins one digest for each platform' : 'it pins one digest for every platform',
    );
  }
}
