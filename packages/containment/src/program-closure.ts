import { closeSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';

const HEAD_BYTES = 64;
const MOST_INTERPRETERS = 8;
const SEGMENT_INTERPRETER = 3;
/** Where `#!/usr/bin/env name` looks inside a jail. */
const SEARCHED = ['/usr/local/bin', '/usr/bin', '/bin'];

function readAt(file: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
}

/** The loader that a 64-bit ELF program names; null for a static one and for anything else. */
function loaderOf(file: number, head: Buffer): string | null {
  if (head.length < HEAD_BYTES || head.toString('latin1', 0, 4) !== '\x7fELF' || head[4] !== 2) return null;
  const table = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  if (size < 56) return null;
  for (let index = 0; index < count; index += 1) {
    const segment = readAt(file, table + index * size, size);
    if (segment.length < size) return null;
    if (segment.readUInt32LE(0) !== SEGMENT_INTERPRETER) continue;
    const name = readAt(
      file,
      Number(segment.readBigUInt64LE(8)),
      Math.min(Number(segment.readBigUInt64LE(32)), 4096),
    );
    return name.toString('utf8').replace(/\0.*$/s, '');
  }
  return null;
}

function searched(name: string): string[] {
  return SEARCHED.flatMap((directory) => {
    try {
      return [realpathSync(path.join(directory, name))];
    } catch {
      return [];
    }
  }).slice(0, 1);
}

/** The interpreter of a script, and the program that `env` is to find. */
function interpretersOf(file: number): string[] {
  const line = readAt(file, 0, 512).toString('utf8').split('\n', 1)[0] ?? '';
  const [interpreter = '', ...words] = line.slice(2).trim().split(/\s+/);
  if (!path.isAbsolute(interpreter)) return [];
  if (path.basename(interpreter) !== 'env') return [interpreter];
  const name = words.find((word) => !word.startsWith('-') && !word.includes('='));
  return [interpreter, ...(name === undefined ? [] : path.isAbsolute(name) ? [name] : searched(name))];
}

function needsOf(program: string): string[] {
  const file = openSync(program, 'r');
  try {
    const head = readAt(file, 0, HEAD_BYTES);
    if (head.toString('latin1', 0, 2) === '#!') return interpretersOf(file);
    const loader = loaderOf(file, head);
    return loader === null ? [] : [loader];
  } finally {
    closeSync(file);
  }
}

/**
 * Everything that has to be executable for a program to start: itself, its loader, and for a script the whole chain
 * of interpreters. Real paths. Libraries are not among them; they are read and mapped.
 * @throws Error with the system's code for a program that cannot be read
 */
export function programClosure(program: string): readonly string[] {
  const closure = new Set<string>();
  const pending = [realpathSync(program)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (closure.has(next) || closure.size > MOST_INTERPRETERS) continue;
    closure.add(next);
    pending.push(...needsOf(next).map((needed) => realpathSync(needed)));
  }
  return [...closure];
}
