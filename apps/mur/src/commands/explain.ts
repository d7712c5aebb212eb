import { catalogJson, explain } from '@murmur/errors';
import type { Command } from 'commander';

/** `mur explain <CODE>`: what a code means and what to do; `--json` prints entries as data. */
export function explainCommand(
  code: string | undefined,
  flags: { json?: boolean },
  program: Command,
): number {
  const wanted = code?.trim().toUpperCase();
  if (flags.json === true) {
    const rows = catalogJson().filter((row) => wanted === undefined || row.code === wanted);
    if (wanted !== undefined && rows.length === 0) program.error(unknownCode(wanted));
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return 0;
  }
  if (wanted === undefined)
    program.error("error: missing required argument 'code' (or pass --json for the whole catalog)");
  const text = explain(wanted);
  if (text === null) program.error(unknownCode(wanted));
  process.stdout.write(`${text}\n`);
  return 0;
}

function unknownCode(code: string): string {
  return `error: no such code: ${code} (mur explain --json lists them all)`;
}
