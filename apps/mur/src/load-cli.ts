import path from 'node:path';
import { distDirectory } from './child-programs.js';
import type * as cli from './cli.js';
import { loadProgram } from './compiled-code.js';

/**
 * Loads the bundled command line. Its compiled form is kept where compiled drivers are, once that directory exists,
 * and only after a command that succeeded: by then everything such a command needs has been compiled.
 */
export function loadCli(command: string | undefined): typeof cli {
  const home = process.env.HOME ?? '';
  const program = loadProgram({
    file: path.join(distDirectory(), 'cli.js'),
    directory: path.isAbsolute(home) ? path.join(home, '.murmur/compiled/node') : null,
    task: command !== undefined && /^[a-z]+$/.test(command) ? command : 'help',
  });
  process.once('exit', (code) => {
    if (code === 0) program.keep();
  });
  return program.exports as typeof cli;
}
