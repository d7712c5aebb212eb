import { parseEnv } from 'node:util';
import { MurmurError } from '@murmur/errors';
import { decodeUtf8 } from './yaml/decode.js';

/**
 * Reads a `.env` file as `util.parseEnv` does: quotes, comments, `export`, values over several lines, no
 * replacement of variables. That function drops or merges what it cannot read; here every line must be blank,
 * a comment or an assignment to a usable name, else the file is refused (`E-IO-003`) with the line.
 * Spec: manifest, env files.
 */
export function parseEnvFile(
  input: string | Uint8Array,
  options: { file: string },
): Readonly<Record<string, string>> {
  const decoded = typeof input === 'string' ? { text: input } : decodeUtf8(input);
  if ('problem' in decoded) throw refusal(options.file, decoded.problem.line, decoded.problem.reason);
  const text = decoded.text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  if (text.includes('\0')) throw refusal(options.file, lineAt(text, text.indexOf('\0')), 'holds a NUL byte');

  const names = new Map<string, number>();
  for (let at = 0; at < text.length; ) {
    const lineEnd = endOfLine(text, at);
    const line = text.slice(at, lineEnd);
    if (line.trim() === '' || line.trimStart().startsWith('#')) {
      at = lineEnd + 1;
      continue;
    }
    const number = lineAt(text, at);
    const assignment = /^\s*(?:export\s+)?([^=]*?)\s*=[ \t]*/.exec(line);
    if (assignment === null) throw refusal(options.file, number, 'has no =');
    const name = assignment[1] ?? '';
    // Runtimes differ in what becomes of __proto__; no environment needs it.
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name === '__proto__') {
      throw refusal(options.file, number, 'does not start with a usable name (letters, digits and _)');
    }
    names.set(name, number);
    const valueAt = at + assignment[0].length;
    const quote = text[valueAt] ?? '';
    if (quote !== '' && `"'\``.includes(quote)) {
      const closing = text.indexOf(quote, valueAt + 1);
      if (closing === -1) throw refusal(options.file, number, `opens a ${quote} that is never closed`);
      at = endOfLine(text, closing) + 1;
    } else {
      at = lineEnd + 1;
    }
  }

  const values = parseEnv(text);
  const variables: Record<string, string> = {};
  for (const [name, line] of names) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw refusal(options.file, line, 'cannot be read');
    variables[name] = value;
  }
  for (const name of Object.keys(values)) {
    if (!names.has(name)) throw refusal(options.file, null, 'holds an assignment that cannot be placed');
  }
  return Object.freeze(variables);
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Names the line and never what stands in it: the file holds secrets. */
function refusal(file: string, line: number | null, problem: string): MurmurError {
  const reason = line === null ? `the file ${problem}` : `line ${line} ${problem}`;
  return new MurmurError({ variant: null, code: 'E-IO-003', operation: 'read', path: file, reason });
}
