import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { refuse } from './output.mjs';

const home = process.env.MINI_HOME ?? join(process.env.HOME ?? '.', '.mini-agent');

/** The stored key; null when nobody logged in. */
export function readLogin() {
  try {
    return JSON.parse(readFileSync(join(home, 'login.json'), 'utf8')).key ?? null;
  } catch {
    return null;
  }
}

const sessionPath = (id) => join(home, 'sessions', `${id}.json`);

export function saveSession(session) {
  const path = sessionPath(session.id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, JSON.stringify(session), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function openSession(options) {
  const id = options.resume ?? options.session ?? randomUUID();
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) refuse(`Not a session id: ${id}`);
  const stored = existsSync(sessionPath(id));
  if (options.resume !== undefined && !stored) refuse(`No session found with id ${id}`);
  if (options.resume === undefined && stored) refuse(`Session ${id} already exists`);
  const session = stored
    ? JSON.parse(readFileSync(sessionPath(id), 'utf8'))
    : { id, model: 'mini-1', messages: [] };
  if (options.model !== undefined) session.model = options.model;
  return session;
}
