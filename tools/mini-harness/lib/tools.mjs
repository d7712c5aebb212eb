import { lstatSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

export const TOOLS = [
  {
    name: 'read_file',
    description: 'Reads a text file below the working directory.',
    input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  },
  {
    name: 'write_file',
    description: 'Writes a text file below the working directory.',
    input_schema: {
      type: 'object',
      properties: { path: { type: 'string' }, text: { type: 'string' } },
      required: ['path', 'text'],
    },
  },
];

/** A path below the working directory, links followed; anything else is the model's mistake. */
function insideWorkingDirectory(path) {
  const root = realpathSync('.');
  const full = resolve(root, path);
  // A link that points nowhere is there all the same: writing through it would make its target.
  const isNew = lstatSync(full, { throwIfNoEntry: false }) === undefined;
  const real = isNew ? join(realpathSync(dirname(full)), basename(full)) : realpathSync(full);
  if (relative(root, real).startsWith('..')) throw new Error(`${path} lies outside the working directory`);
  return real;
}

export function runTool(name, input) {
  try {
    if (name === 'read_file')
      return { output: readFileSync(insideWorkingDirectory(input.path), 'utf8'), error: false };
    if (name === 'write_file') {
      writeFileSync(insideWorkingDirectory(input.path), input.text);
      return { output: `wrote ${input.path}`, error: false };
    }
    return { output: `no tool is called ${name}`, error: true };
  } catch (error) {
    return { output: error.message, error: true };
  }
}
