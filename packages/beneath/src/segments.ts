import { Refusal } from './failures.js';
import type { RelativePath } from './types.js';

const slash = 0x2f;

/** Text form of a path for messages and listings. */
export function pathText(relative: RelativePath): string {
  return typeof relative === 'string' ? relative : Buffer.from(relative).toString('utf8');
}

/** Splits a relative path into segments, refusing every form that could name something outside. */
export function parseSegments(relative: RelativePath): readonly Buffer[] {
  const bytes = Buffer.from(relative);
  if (bytes.length === 0) throw new Refusal('the path is empty', '');
  if (bytes[0] === slash) throw new Refusal('the path is absolute');
  const segments: Buffer[] = [];
  let start = 0;
  for (let index = 0; index <= bytes.length; index += 1) {
    if (index < bytes.length && bytes[index] !== slash) continue;
    const segment = bytes.subarray(start, index);
    const problem = segmentProblem(segment, process.platform === 'win32');
    if (problem !== null) throw new Refusal(problem, bytes.subarray(0, index).toString('utf8'));
    segments.push(segment);
    start = index + 1;
  }
  return segments;
}

/** As {@link parseSegments}, but `.` alone gives no segments: the directory itself. */
export function parseSegmentsOrSelf(relative: RelativePath): readonly Buffer[] {
  return pathText(relative) === '.' ? [] : parseSegments(relative);
}

/** Splits off the last segment. */
export function parseParentAndName(relative: RelativePath): { parent: readonly Buffer[]; name: Buffer } {
  const segments = parseSegments(relative);
  return { parent: segments.slice(0, -1), name: segments.at(-1) ?? Buffer.alloc(0) };
}

/** Segments as one text path, for messages. */
export function joined(segments: readonly Buffer[]): string {
  return segments.map((segment) => segment.toString('utf8')).join('/');
}

/** Why a segment may not be used, or null. Windows gives `\` and `:` a meaning inside a name. */
export function segmentProblem(segment: Buffer, windows: boolean): string | null {
  if (segment.length === 0) return 'a segment is empty';
  const text = segment.toString('latin1');
  if (text === '.' || text === '..') return `a segment is "${text}"`;
  if (segment.includes(0)) return 'a segment holds a NUL byte';
  if (windows && /[\\:]/.test(text)) return 'a segment holds a backslash or a colon';
  return null;
}
