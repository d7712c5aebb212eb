import path from 'node:path';
import { type BeneathEntry, openBeneath } from '@murmur/beneath';
import { isMurmurError } from '@murmur/errors';
import { layout, PRIVATE_DIRECTORY_MODE, PRIVATE_FILE_MODE } from '@murmur/manifest';
import { warningRow } from './rows.js';
import type { DoctorRow } from './types.js';

/** Most entries with too wide a mode that are told of one directory. */
const MAX_FINDINGS = 20;
/** Most entries that are looked at below one directory. */
const MAX_ENTRIES = 20_000;

/**
 * The modes of `~/.murmur` and of what lies in it. Whatever may hold a key, a token or a conversation must be the
 * owner's alone, itself and everything below.
 */
export async function examineHome(home: string): Promise<DoctorRow[]> {
  const places = layout(home);
  const secret = [
    places.config,
    places.running,
    places.conversationsRoot,
    places.recordsRoot,
    places.sessionsRoot,
    places.stateRoot,
    places.spend,
    places.deployKeys,
  ];
  const other = [places.compiled, places.artifacts];
  const row = (status: DoctorRow['status'], name: string, message: string): DoctorRow => ({
    block: 'home',
    name,
    status,
    message,
  });
  const unreadable = (name: string, error: unknown): DoctorRow => {
    if (!isMurmurError(error)) throw error;
    const { code, message } = error.diagnostic;
    return row('info', name, code === 'E-IO-001' ? 'absent' : `unreadable: ${message}`);
  };

  try {
    await using inside = await openBeneath(places.root);
    const root = await inside.stat('.');
    const rows = root === null ? [] : [modeRow(places.root, root, true)];
    for (const place of [...secret, ...other]) {
      const name = path.relative(places.root, place);
      try {
        const entry = await inside.stat(name);
        if (entry === null) {
          rows.push(row('info', place, 'absent'));
          continue;
        }
        rows.push(modeRow(place, entry, secret.includes(place)));
        if (entry.kind !== 'directory' || !secret.includes(place)) continue;
        let found = 0;
        for await (const below of inside.walk(name, { maxEntries: MAX_ENTRIES })) {
          if (below.entry.kind === 'link' || !isWide(below.entry)) continue;
          rows.push(modeRow(path.join(place, below.path), below.entry, true));
          found += 1;
          if (found === MAX_FINDINGS) break;
        }
      } catch (error) {
        rows.push(unreadable(place, error));
      }
    }
    return rows;
  } catch (error) {
    return [unreadable(places.root, error)];
  }
}

function isWide({ mode }: BeneathEntry): boolean {
  return (mode & 0o077) !== 0;
}

function modeRow(file: string, entry: BeneathEntry, secret: boolean): DoctorRow {
  const mode = entry.mode.toString(8).padStart(4, '0');
  const base = { block: 'home', name: file } as const;
  if (entry.kind === 'link')
    return { ...base, status: 'info', message: 'a link; what it leads to is not looked at' };
  if (!secret) return { ...base, status: 'info', message: mode };
  if (!isWide(entry)) return { ...base, status: 'ok', message: mode };
  const wanted = entry.kind === 'directory' ? PRIVATE_DIRECTORY_MODE : PRIVATE_FILE_MODE;
  const row = warningRow('home', file, { code: 'W-SEC-028', path: file, mode });
  return { ...row, message: `${row.message}, wider than ${wanted.toString(8).padStart(4, '0')}` };
}
