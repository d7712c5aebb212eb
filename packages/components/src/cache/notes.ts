import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Beneath } from '@murmur/beneath';
import { PRIVATE_FILE, readOrNull } from './private-files.js';

const MAX_NOTE_BYTES = 256 * 1024;
const NOTE_NAME = /^[a-z0-9-]{1,64}$/;

function pathOf(key: string, name: string): string {
  if (!NOTE_NAME.test(name)) throw new Error(`not a note's name: ${name}`);
  return `notes/${key}-${name}`;
}

/** Made with the cache's secret: a note that was planted, edited or moved to another entry is not taken. */
function authenticate(key: string, name: string, text: string, secret: Uint8Array): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['note', key, name, text]))
    .digest();
}

/** The text of a note, or null when there is none that this cache wrote for this entry under this name. */
export async function readNote(
  root: Beneath,
  key: string,
  name: string,
  secret: Uint8Array,
): Promise<string | null> {
  const bytes = await readOrNull(root, pathOf(key, name), MAX_NOTE_BYTES);
  if (bytes === null) return null;
  const content = bytes.toString('utf8');
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  const found = Buffer.from(content.slice(0, Math.max(0, end)), 'hex');
  const expected = authenticate(key, name, text, secret);
  return found.length === expected.length && timingSafeEqual(found, expected) ? text : null;
}

/** Writes a note whole, in place of an earlier one. A text above 256 KiB is not kept. */
export async function writeNote(
  root: Beneath,
  key: string,
  name: string,
  text: string,
  secret: Uint8Array,
): Promise<void> {
  const content = `${authenticate(key, name, text, secret).toString('hex')}\n${text}`;
  if (Buffer.byteLength(content) > MAX_NOTE_BYTES) return;
  await root.write(pathOf(key, name), content, { mode: PRIVATE_FILE });
}
