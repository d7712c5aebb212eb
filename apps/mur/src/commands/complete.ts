import { type RootCommand, ShellCompDirective } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { catalog } from '@murmur/errors';
import type { Command } from 'commander';
import { BASH_COMPLETION } from '../bash-completion.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** Options and arguments that name a file or directory: the shell completes those itself. */
const PATHS: readonly (readonly [command: string, name: string])[] = [
  ['run', 'manifest'],
  ['run', 'task'],
  ['run', 'workdir'],
  ['build', 'source'],
  ['build', 'output'],
  ['install', 'path'],
];

/**
 * Adds `complete`: `mur complete <shell>` prints the script for that shell, and the script asks
 * `mur complete -- <words>` what could come next. Commands, flags and choices are read off the parser.
 */
export function addCompletion(program: Command): void {
  const root = tab(program);
  const codes = [...new Map(catalog.map(({ code, summary }) => [code, summary]))];
  root.commands.get('explain')?.argument('code', (complete) => {
    for (const [code, summary] of codes) complete(code, summary);
  });
  root.commands.get('complete')?.argument('shell', (complete) => {
    for (const shell of SHELLS) complete(shell, '');
  });
  leavePathsToTheShell(root);
  const setUp = root.setup.bind(root);
  root.setup = (name, executable, shell) => {
    if (shell === 'bash') process.stdout.write(BASH_COMPLETION);
    else setUp(name, executable, shell);
  };
}

/** The library tells the shell never to complete files; where a path is asked for, it shall. */
function leavePathsToTheShell(root: RootCommand): void {
  let wantsPath = false;
  const path = (): void => {
    wantsPath = true;
  };
  for (const [name, what] of PATHS) {
    const command = root.commands.get(name);
    const option = command?.options.get(what);
    if (option === undefined) command?.argument(what, path);
    else option.handler = path;
  }
  let directive = root.directive;
  Object.defineProperty(root, 'directive', {
    get: () => (wantsPath ? ShellCompDirective.ShellCompDirectiveDefault : directive),
    set: (value: number) => {
      directive = value;
    },
  });
}
