import type { LaunchPlan } from './contract.js';

function fileNameProblem(name: string): string | null {
  if (name === '') return 'is empty';
  if (name === '.' || name === '..') return 'names a directory';
  // A backslash separates paths on one of the platforms a driver may run on.
  if (/[/\\\0]/.test(name)) return 'is not a plain file name';
  return Buffer.byteLength(name) > 255 ? 'is too long' : null;
}

/** The first thing that makes a plan unusable, checked before anything touches the disk; null when it can be carried out. */
export function planProblem(plan: LaunchPlan): string | null {
  const names = new Set<string>();
  for (const { name } of plan.files) {
    const problem = names.has(name) ? 'is used twice' : fileNameProblem(name);
    if (problem !== null) return `launch() plans the file ${JSON.stringify(name)}, whose name ${problem}`;
    names.add(name);
  }
  for (const [name, value] of plan.envSet) {
    if (name === '' || /[=\0]/.test(name))
      return `launch() sets the variable ${JSON.stringify(name)}, which is no variable name`;
    if (value.includes('\0')) return `launch() sets ${name} to a value that holds a NUL character`;
  }
  const at = plan.args.findIndex((argument) => argument.includes('\0'));
  return at < 0 ? null : `launch() plans an argument (number ${at + 1}) that holds a NUL character`;
}
