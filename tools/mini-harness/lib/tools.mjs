import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

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
  const real = existsSync(full)
    ? realpathSync(full)
    : join(realpathSync(dirname(full)), full.slice(dirname(full).length));
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
