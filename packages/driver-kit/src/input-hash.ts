import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** One hash over everything a build depends on, so that an unchanged driver is not built again. */
export async function hashInputs(texts: readonly string[], witDirectory: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (text: string) => hash.update(`${Buffer.byteLength(text)}:`).update(text);
  for (const name of (await readdir(witDirectory)).sort())
    add(name + (await readFile(join(witDirectory, name), 'utf8')));
  for (const text of texts) add(text);
  return hash.digest('hex');
}
