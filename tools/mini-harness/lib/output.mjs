export const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Ends the process before a run began. */
export function refuse(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** A run that cannot go on; `kind` is what the last line says. */
export class Failure extends Error {
  constructor(kind, message) {
    super(message);
    this.kind = kind;
  }
}
