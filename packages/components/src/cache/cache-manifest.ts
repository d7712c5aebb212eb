import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/** Name, size and hash of one file of a compiled form. */
export interface CachedFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

export const MANIFEST_NAME = 'manifest.json';
export const GLUE_NAME = 'component.js';
const FILE_NAME = /^component\.(?:js|core\d{0,5}\.wasm)$/;
const MAX_FILES = 4_096;

/** What the transpiler may name its output: nothing else is stored or read. */
export function isCompiledFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function authenticate(cacheKey: string, files: readonly CachedFile[], secret: Uint8Array): string {
  const text = JSON.stringify([cacheKey, files.map((file) => [file.name, file.sizeBytes, file.sha256])]);
  return createHmac('sha256', secret).update(text).digest('hex');
}

/** The manifest that makes a directory of files an entry of the cache under `cacheKey`. */
export function writeManifest(cacheKey: string, files: readonly CachedFile[], secret: Uint8Array): string {
  return `${JSON.stringify({ files, mac: authenticate(cacheKey, files, secret) })}\n`;
}

function isCachedFile(value: unknown): value is CachedFile {
  if (typeof value !== 'object' || value === null) return false;
  const { name, sizeBytes, sha256 } = value as Record<string, unknown>;
  return (
    typeof name === 'string' &&
    isCompiledFileName(name) &&
    typeof sizeBytes === 'number' &&
    Number.isSafeInteger(sizeBytes) &&
    sizeBytes >= 0 &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256)
  );
}

/**
 * The files a manifest lists, or null when it is not one that this cache wrote under this key: the code over it is
 * made with a secret of the cache, so an entry planted by whoever can only write there is not taken.
 */
export function readManifest(
  text: string,
  cacheKey: string,
  secret: Uint8Array,
): readonly CachedFile[] | null {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof parsed !== 'object' || parsed === null) return null;
  const { files, mac } = parsed as Record<string, unknown>;
  if (!Array.isArray(files) || files.length > MAX_FILES || !files.every(isCachedFile)) return null;
  if (typeof mac !== 'string') return null;
  const expected = Buffer.from(authenticate(cacheKey, files, secret));
  const found = Buffer.from(mac);
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) return null;
  return files;
}
