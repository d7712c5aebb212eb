import type { TextProblem } from './problem.js';

/**
 * Turns a file's bytes into text. Bytes that are not UTF-8 are a problem with the place of the first bad one,
 * never replaced: a replaced byte would make two different files read the same.
 */
export function decodeUtf8(bytes: Uint8Array): { text: string } | { problem: TextProblem } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { problem: { path: null, ...firstBadByte(bytes), reason: 'the file is not UTF-8 text' } };
  }
}

function firstBadByte(bytes: Uint8Array): { line: number; column: number } {
  const lenient = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const encoded = new TextEncoder().encode(lenient);
  let at = 0;
  while (at < bytes.length && bytes[at] === encoded[at]) at += 1;
  const before = new TextDecoder().decode(bytes.subarray(0, at));
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: before.length - lineStart + 1 };
}
