import { writeFile } from 'node:fs/promises';
import { inPieces } from '../mutate/harness-lines.js';
import { hostileTexts } from '../mutate/hostile-values.js';
import type { Random } from '../random.js';

/** Writes a script for the fake harness that prints these bytes, piece by piece, and ends in some way. */
export async function writeHarnessScript(file: string, output: Buffer, random: Random): Promise<void> {
  // Each piece is a write of its own; a few are as good as thousands here.
  const pieces = output.length > 200_000 ? inPieces(output, random).slice(0, 50) : [output];
  const stderr = [random.pick(hostileTexts.slice(0, -1)), random.bytes(20).toString('latin1')].join('\n');
  await writeFile(
    file,
    JSON.stringify([
      ...pieces.map((piece) => ({ print_bytes: piece.toString('hex') })),
      ...(random.oneIn(3) ? [{ stderr }] : []),
      random.oneIn(6) ? { kill_self: 'SIGKILL' } : { exit: random.pick([0, 0, 1, 2, 130]) },
    ]),
  );
}
