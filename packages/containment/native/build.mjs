// Compiles the warden into a platform package's bin/ folder. Called by the build scripts of
// @murmur/containment-linux-x64 and -arm64; the sources live here, beside the package that speaks to the binary.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const sources = fileURLToPath(new URL('./src/', import.meta.url));

const FLAGS = [
  ['-std=c17', '-O2', '-Wall', '-Wextra', '-Werror', '-Wconversion'],
  [
    '-fstack-protector-strong',
    '-U_FORTIFY_SOURCE',
    '-D_FORTIFY_SOURCE=2',
    '-static',
    '-s',
    '-Wl,-z,relro,-z,now',
  ],
].flat();

/** Whether a compiler of this name exists and can link a static program. */
function links(compiler) {
  const program = ['-x', 'c', '-static', '-o', '/dev/null', '-'];
  const result = spawnSync(compiler, program, {
    input: 'int main(void) { return 0; }\n',
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  return result.status === 0;
}

/** Newest change among the sources, to leave a finished binary alone. */
function newestSourceMs() {
  const files = readdirSync(sources).map((name) => statSync(path.join(sources, name)).mtimeMs);
  return Math.max(statSync(fileURLToPath(import.meta.url)).mtimeMs, ...files);
}

/**
 * Builds `bin/warden` below `packageDirectory` with the first compiler that works.
 * @returns {{built: boolean, message: string, failed: boolean}} what happened, in words for the terminal
 */
export function buildWarden({ packageDirectory, compilers, native }) {
  const target = path.join(packageDirectory, 'bin', 'warden');
  if (existsSync(target) && statSync(target).mtimeMs >= newestSourceMs()) {
    return { built: false, failed: false, message: 'warden: up to date' };
  }
  const compiler = compilers.find(links);
  if (compiler === undefined) {
    if (!native)
      return {
        built: false,
        failed: false,
        message: `warden: none of ${compilers.join(', ')} is here; not built`,
      };
    if (existsSync(target))
      return {
        built: false,
        failed: false,
        message: 'warden: no C compiler; the binary that is there is kept',
      };
    return {
      built: false,
      failed: true,
      message: `warden: building it needs a C compiler and a static libc (tried ${compilers.join(', ')}). Install them with: apt-get install gcc libc6-dev`,
    };
  }
  mkdirSync(path.dirname(target), { recursive: true });
  const unfinished = `${target}.${process.pid}`;
  const files = readdirSync(sources)
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => path.join(sources, name));
  const result = spawnSync(compiler, [...FLAGS, '-o', unfinished, ...files], { encoding: 'utf8' });
  if (result.status !== 0) {
    return { built: false, failed: true, message: `warden: ${compiler} failed\n${result.stderr}` };
  }
  chmodSync(unfinished, 0o755);
  // Renamed into place: a running warden keeps its own file, and nobody starts a half-written one.
  renameSync(unfinished, target);
  return {
    built: true,
    failed: false,
    message: `warden: built with ${compiler}, ${statSync(target).size} bytes`,
  };
}
