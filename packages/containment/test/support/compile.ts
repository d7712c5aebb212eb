import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const packageDirectory = fileURLToPath(new URL('../..', import.meta.url));
const native = path.join(packageDirectory, 'native', 'src');

const FLAGS = ['-std=c17', '-O1', '-Wall', '-Wextra', '-Werror', '-I', native];

/** Compiles a fixture program, together with sources of the warden when it tests those; returns its path. */
export function compileFixture(
  directory: string,
  name: string,
  options: { readonly wardenSources?: readonly string[]; readonly flags?: readonly string[] } = {},
): string {
  const target = path.join(directory, name);
  const sources = [
    path.join(packageDirectory, 'test', 'fixtures', `${name}.c`),
    ...(options.wardenSources ?? []).map((source) => path.join(native, source)),
  ];
  execFileSync('cc', [...FLAGS, ...(options.flags ?? []), '-o', target, ...sources], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return target;
}

/** Compiles the warden itself with other settings than it is shipped with. */
export function compileWarden(directory: string, name: string, flags: readonly string[]): string {
  const target = path.join(directory, name);
  const sources = readdirSync(native)
    .filter((file) => file.endsWith('.c'))
    .map((file) => path.join(native, file));
  execFileSync('cc', [...FLAGS, ...flags, '-o', target, ...sources], { stdio: ['ignore', 'ignore', 'pipe'] });
  return target;
}
