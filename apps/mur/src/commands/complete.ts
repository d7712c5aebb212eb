import { type RootCommand, ShellCompDirective } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import { catalog } from '@murmur/errors';
import type { Command } from 'commander';
import { BASH_COMPLETION } from '../bash-completion.js';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

/** How the help names a value that is a file or a directory: the shell completes those itself. */
const PATH_PLACEHOLDERS = new Set(['path', 'file', 'dir', 'source', 'driver', 'text-or-file']);

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
  leavePathsToTheShell(program, root);
  const setUp = root.setup.bind(root);
  root.setup = (name, executable, shell) => {
    if (shell === 'bash') process.stdout.write(BASH_COMPLETION);
    else setUp(name, executable, shell);
  };
}

/** The library tells the shell never to complete files; where a path is asked for, it shall. */
function leavePathsToTheShell(program: Command, root: RootCommand): void {
  let wantsPath = false;
  const path = (): void => {
    wantsPath = true;
  };
  const visit = (command: Command, words: readonly string[]): void => {
    const known = root.commands.get(words.join(' '));
    for (const { long, flags } of command.options) {
      const option = known?.options.get(long?.slice(2) ?? '');
      const placeholder = /[<[]([^>\].]+)/.exec(flags)?.[1];
      if (option !== undefined && PATH_PLACEHOLDERS.has(placeholder ?? '')) option.handler = path;
    }
    for (const argument of command.registeredArguments) {
      const name = argument.name();
      if (PATH_PLACEHOLDERS.has(name)) known?.argument(name, path, argument.variadic);
    }
    for (const below of command.commands) visit(below, [...words, below.name()]);
  };
  visit(program, []);
  let directive = root.directive;
  Object.defineProperty(root, 'directive', {
    get: () => (wantsPath ? ShellCompDirective.ShellCompDirectiveDefault : directive),
    set: (value: number) => {
      directive = value;
    },
  });
}
