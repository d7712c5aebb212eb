#!/usr/bin/env node
// The entry of `mur`. Answers `--version` without loading anything, since scripts ask it often; every other
// command is loaded when it is named.
import { VERSION } from './version.js';

const [, , first, ...rest] = process.argv;
if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`mur ${VERSION}\n`);
} else {
  void import('./load-cli.js').then(({ loadCli }) => loadCli(first).runCli(process.argv.slice(2)));
}
