import { createRequire } from 'node:module';
import path from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { distDirectory } from '../child-programs.js';
import type * as tools from '../driver/driver-tools.js';
import { readHost } from '../host.js';

/** What driver authors run lies in a bundle of its own: no other command pays for it. */
function driverTools(): typeof tools {
  const require = createRequire(path.join(distDirectory(), 'cli.js'));
  return require('./driver-tools.js') as typeof tools;
}

/** Adds `mur driver build|check|test|record`. */
export function addDriverCommands(program: Command, exit: (code: number) => void): void {
  const driver = program.command('driver').description('build, check, test and record for drivers');

  driver
    .command('build')
    .description('build a driver from source to archive')
    .argument('[dir]', "the driver's directory, with murmur.yaml", '.')
    .addOption(
      new Option('--engine <name>', 'the JavaScript engine inside').choices(['quickjs', 'starlingmonkey']),
    )
    .action(async (directory, flags) => exit(await driverTools().driverBuild(directory, flags, readHost())));

  driver
    .command('check')
    .description('load a built driver as a run would')
    .argument('<driver>', 'a .mur.zip, a component, or the directory of a driver that is built')
    .option('--json', 'print one JSON document')
    .action(async (target, flags) => exit(await driverTools().driverCheck(target, flags, readHost())));

  driver
    .command('test')
    .description('judge a built driver by its recordings')
    .argument('<driver>', 'a .mur.zip, a component, or the directory of a driver that is built')
    .option('--transcripts <dir>', 'the recordings (default: test/transcripts of the directory)')
    .option('--seed <n>', 'seed of the generated inputs', wholeNumber, 1)
    .option('--runs <n>', 'generated inputs per property', positiveNumber, 200)
    .option('--only <ids>', 'properties to try, such as P1,P2,goldens', commaSeparated)
    .option('--write-goldens', 'write plan.json and events.json as the driver makes them, for review')
    .option('--json', 'print one JSON document')
    .action(async (target, flags) => {
      if (flags.transcripts === undefined && /\.(zip|wasm)$/.test(target))
        program.error(
          "error: option '--transcripts <dir>' is needed where no directory of a driver is named",
        );
      exit(await driverTools().driverTest(target, flags, readHost()));
    });

  driver
    .command('record')
    .description('run a real CLI against a model server and keep what it prints as a recording')
    .argument('<cli...>', 'behind --: the CLI and its arguments; {model_url} stands for the URL of --model')
    .requiredOption('--out <dir>', 'directory of the recording')
    .option('--model <url>', 'URL of the model server')
    .option('--harness <name>', 'name of the harness (default: that of the CLI)')
    .option('--harness-version <text>', 'its version', 'unknown')
    .addOption(
      new Option('--command <kind>', 'what is recorded')
        .choices(['turn', 'login', 'version'])
        .default('turn'),
    )
    .option('--request <file>', 'the launch request it is to be replayed with (request.json)')
    .option(
      '--env <pair...>',
      'NAME=VALUE, or NAME to pass on; PATH is passed on, HOME is an empty directory',
    )
    .option('--stdin <file>', 'file written to its stdin')
    .option('--keep-stdin-open', 'close stdin only when the CLI has fallen silent')
    .option('--interrupt-after-lines <n>', 'SIGINT after so many lines', positiveNumber)
    .option('--interrupt-stdin <text>', 'interrupt by this line on stdin instead')
    .option('--kill-after-lines <n>', 'SIGKILL after so many lines', positiveNumber)
    .option('--timeout <seconds>', 'stop a CLI that hangs', positiveNumber, 120)
    .action(async (cli, flags) => exit(await driverTools().driverRecord(cli, flags, readHost())));
}

function wholeNumber(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text) | 0;
}

function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.');
  return Number(text);
}

function commaSeparated(text: string): readonly string[] {
  const ids = text.split(',').map((each) => each.trim());
  const wrong = ids.find((id) => !/^(P([1-9]|1[0-7])|goldens)$/.test(id));
  if (wrong !== undefined) throw new InvalidArgumentError(`There is no property ${wrong}.`);
  return ids;
}
