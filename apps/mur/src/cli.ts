import { Command, CommanderError, Option } from 'commander';
import { type Clock, systemClock } from './clock.js';
import { addDriverCommands } from './commands/driver.js';
import { failureText } from './failure.js';
import { readHost } from './host.js';
import { flush } from './terminal/lines.js';
import { VERSION } from './version.js';

const USAGE_EXIT = 2;

/**
 * Parses the arguments, runs the one command they name and ends the process with its exit code. The clock that runs
 * go by is the caller's to give; `mur` itself gives the machine's.
 */
export async function runCli(argv: readonly string[], clock: Clock = systemClock): Promise<void> {
  let exitCode = 0;
  const program = commands(clock, (code) => {
    exitCode = code;
  });
  try {
    // Read off the whole parser, and only when it is asked for.
    if (argv[0] === 'complete') (await import('./commands/complete.js')).addCompletion(program);
    else describeCompletion(program);
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) exitCode = error.exitCode === 0 ? 0 : USAGE_EXIT;
    else {
      process.stderr.write(`${failureText(error)}\n`);
      exitCode = 1;
    }
  }
  await Promise.all([flush(process.stdout), flush(process.stderr)]);
  process.exit(exitCode);
}

/** Stands in the help for what `addCompletion` adds. */
function describeCompletion(program: Command): void {
  program
    .command('complete')
    .description('print the completion script of a shell')
    .argument('<shell>', 'bash, zsh, fish or powershell');
}

function commands(clock: Clock, exit: (code: number) => void): Command {
  const program = new Command('mur')
    .description(
      'Runs packaged AI agents in isolation: one manifest declares everything a capsule may reach.',
    )
    .version(`mur ${VERSION}`, '-V, --version', 'print the version')
    .showSuggestionAfterError(true)
    .enablePositionalOptions()
    .exitOverride();

  program
    .command('run')
    .description('run the capsule of ./murmur.yaml')
    .option('--manifest <path>', 'the capsule manifest', './murmur.yaml')
    .option('--task <text-or-file>', 'the task: a file that exists is read, anything else is the text itself')
    .option('--system-prompt <text>', "replaces the manifest's system prompt; empty clears it")
    .option('--context <id>', 'the conversation this task belongs to (default: a fresh one)')
    .addOption(new Option('--forget-session', "drop the context's harness session first (needs --context)"))
    .option(
      '--workdir <dir>',
      'the directory the capsule works in (default: workdir/<session> beside the manifest)',
    )
    .option('--json', 'print the readiness line, then one event per line')
    .option('-v, --verbose', 'also print workdir, manifest and driver')
    .option('--no-env-file', 'do not read the .env file beside the manifest')
    .addOption(
      new Option('--containment <class>', 'the least class to accept; raises only').choices([
        'advisory',
        'scoped',
        'sealed',
      ]),
    )
    .action(async (flags) => {
      if (flags.forgetSession === true && flags.context === undefined)
        program.error("error: option '--forget-session' needs '--context <id>'");
      const { runCommand } = await import('./commands/run.js');
      exit(await runCommand(flags, readHost(), clock));
    });

  program
    .command('build')
    .description('pack a .mur.zip')
    .argument('[source]', 'directory with murmur.yaml', '.')
    .option('-o, --output <path>', 'file or directory to write (default: <source>/<name>-<version>.mur.zip)')
    .action(async (source, flags) => {
      const { buildCommand } = await import('./commands/build.js');
      exit(await buildCommand(source, flags, readHost()));
    });

  program
    .command('install')
    .description('put artifacts into a store and pin what the manifest declares')
    .argument(
      '[path]',
      'a .mur.zip file or an artifact directory (default: everything the manifest declares)',
    )
    .option('-g, --global', 'use the global store; pins nothing')
    .action(async (reference, flags) => {
      const { installCommand } = await import('./commands/install.js');
      exit(await installCommand(reference, flags, readHost()));
    });

  program
    .command('list')
    .description('list installed artifacts')
    .addOption(new Option('-g, --global', 'the global store').conflicts('all'))
    .option('--all', 'both stores')
    .option('--json', 'print a JSON array')
    .action(async (flags) => {
      const { listCommand } = await import('./commands/list.js');
      exit(await listCommand(flags, readHost()));
    });

  program
    .command('doctor')
    .description('look the project over: host, home, variables, harness, artifacts')
    .option('--json', 'print one JSON document')
    .action(async (flags) => {
      const { doctorCommand } = await import('./commands/doctor.js');
      exit(await doctorCommand(flags, readHost(), clock));
    });

  addDriverCommands(program, exit);

  program
    .command('explain')
    .description('explain an error or warning code')
    .argument('[code]', 'for example E-RUN-033')
    .option('--json', 'print the whole catalog as JSON, or the entries of one code')
    .action(async (code, flags) => {
      const { explainCommand } = await import('./commands/explain.js');
      exit(explainCommand(code, flags, program));
    });

  return program;
}
