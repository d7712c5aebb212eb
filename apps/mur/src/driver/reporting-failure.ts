import { isMurmurError } from '@murmur/errors';
import { failureText } from '../failure.js';

/**
 * Runs a command of this bundle; what it throws is told here, since another bundle does not know its errors. The kit
 * tells an author's mistakes (a recording that cannot be read, source that cannot be bundled) as plain errors.
 */
export async function reportingFailure(command: () => Promise<number>): Promise<number> {
  try {
    return await command();
  } catch (error) {
    const isPlain = error instanceof Error && !isMurmurError(error);
    process.stderr.write(`${isPlain ? `error: ${printable(error.message)}` : failureText(error)}\n`);
    return 1;
  }
}

/** What a compiler or a harness says may hold more than text. */
function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, '\ufffd');
}
