import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANARY } from '../drivers/hostile-turn.js';
import type { Random } from '../random.js';
import { hostileTexts, nested } from './hostile-values.js';
import { mutateBytes } from './mutate-bytes.js';
import { mutateValue } from './mutate-value.js';

/** What real harnesses printed, one list of lines per run. */
export function recordedRuns(directory: string): readonly (readonly string[])[] {
  return readdirSync(directory).flatMap((name) => {
    try {
      const lines = readFileSync(join(directory, name, 'stdout.bin'), 'utf8').split('\n');
      const printed = lines.filter((line) => line !== '');
      return printed.length === 0 ? [] : [printed];
    } catch {
      return [];
    }
  });
}

function hostileLine(line: string, random: Random): string {
  switch (random.int(12)) {
    case 0:
      return random.pick(hostileTexts);
    case 1:
      return line.slice(0, random.int(line.length + 1));
    case 2:
      return `${line}${line}`;
    case 3:
      return line.replace(/"[a-z_]+":/, (key) => `${key}${key}`);
    case 4:
      return '['.repeat(1 + random.skewed(200_000));
    case 5:
      return JSON.stringify({
        type: 'item.completed',
        item: { type: 'mcp_tool_call', arguments: nested(random.skewed(3000), true) },
      });
    case 6:
      return line.replace(/:"[^"]*"/, `:${JSON.stringify(`${random.pick(hostileTexts)}${CANARY}`)}`);
    case 7:
      return line.replace(
        /:\d+/,
        `:${random.pick(['-1', '1e400', '9007199254740993', '1.5', '0e0', '1'.repeat(400)])}`,
      );
    default:
      try {
        return JSON.stringify(mutateValue(JSON.parse(line), random)) ?? '';
      } catch {
        return line;
      }
  }
}

/** The output of a run after changes, as bytes: lines changed, moved, left out, flooded, huge, or not UTF-8. */
export function hostileOutput(runs: readonly (readonly string[])[], random: Random): Buffer {
  const lines = [...random.pick(runs)];
  for (let left = 1 + random.int(4); left > 0; left -= 1) {
    const at = random.int(lines.length + 1);
    const line = lines[at] ?? '';
    switch (random.int(8)) {
      case 0:
        lines.splice(at, 1);
        break;
      case 1:
        lines.splice(random.int(lines.length + 1), 0, line);
        break;
      case 2:
        lines.splice(at, 0, ...random.pick(runs).slice(random.int(4)));
        break;
      default:
        lines[at] = hostileLine(line, random);
    }
  }
  // The rare and large: a flood of one line, and a line above what is kept.
  if (random.oneIn(500)) lines.push(...Array<string>(3000).fill(random.pick(random.pick(runs))));
  if (random.oneIn(4000)) lines.push('x'.repeat(17 * 1024 * 1024));
  const bytes = Buffer.from(lines.join(random.oneIn(20) ? '\r\n' : '\n') + (random.oneIn(4) ? '' : '\n'));
  return random.oneIn(3) ? mutateBytes(bytes, random) : bytes;
}

/** The same bytes in pieces, as reads of a pipe bring them. */
export function inPieces(bytes: Buffer, random: Random): readonly Buffer[] {
  if (bytes.length > 1024 * 1024) return [bytes.subarray(0, 65_537), bytes.subarray(65_537)];
  const pieces: Buffer[] = [];
  const most = random.pick([1, 7, 512, 65_536, bytes.length + 1]);
  const least = bytes.length / 2000;
  for (let at = 0; at < bytes.length; ) {
    const size = Math.ceil(Math.max(least, 1 + random.int(most)));
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}
