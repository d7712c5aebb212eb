#!/usr/bin/env node
// The entry of `mur`. Answers `--version` without loading anything, since scripts ask it often; every other
// command is loaded when it is named.
import { existsSync } from 'node:fs';
import nodeModule from 'node:module';
import { VERSION } from './version.js';

const [, , first, ...rest] = process.argv;
if (rest.length === 0 && (first === '--version' || first === '-V')) {
  process.stdout.write(`mur ${VERSION}\n`);
} else {
  keepCompiledCode();
  const { runCli } = await import('./cli.js');
  await runCli(process.argv.slice(2));
}

/**
 * Newer versions of Node can keep the compiled form of modules between runs; it is kept where compiled drivers are,
 * and only where that directory exists already.
 */
function keepCompiledCode(): void {
  const directory = `${process.env.HOME ?? ''}/.murmur/compiled`;
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (directory: string) => unknown };
  if (enableCompileCache !== undefined && existsSync(directory)) enableCompileCache(`${directory}/node`);
}
