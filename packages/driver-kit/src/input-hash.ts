import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);

/** One hash over everything a build depends on, so that an unchanged driver is not built again. */
export async function hashInputs(texts: readonly string[], witDirectory: string): Promise<string> {
  const hash = createHash('sha256');
  const add = (text: string) => hash.update(`${Buffer.byteLength(text)}:`).update(text);
  add(engineVersion());
  for (const name of (await readdir(witDirectory)).sort())
    add(name + (await readFile(join(witDirectory, name), 'utf8')));
  for (const text of texts) add(text);
  return hash.digest('hex');
}

function engineVersion(): string {
  const { version } = require('componentize-qjs/package.json') as { version: string };
  return `componentize-qjs ${version}`;
}
