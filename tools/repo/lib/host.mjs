// What the repository's tasks need to know of the host, and how they start programs.
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Absolute path of a program on `searchPath`, or null. */
export function findProgram(name, searchPath = '') {
  for (const directory of searchPath.split(path.delimiter)) {
    if (directory === '') continue;
    const candidate = path.join(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here; look in the next directory.
    }
  }
  return null;
}

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Error(`Node.js ${process.versions.node} is too old: install Node.js 20.19 or newer.`);
}

/** The containment helper is built from C. A published package carries it; a checkout needs a compiler. */
export function requireCompiler(alreadyBuilt) {
  if (process.platform !== 'linux' || alreadyBuilt) return;
  const found = ['musl-gcc', 'cc', 'gcc', 'clang'].some(
    (name) => findProgram(name, process.env.PATH) !== null,
  );
  if (found) return;
  throw new Error(
    'No C compiler on the PATH: the containment helper is built from source in a checkout.\n' +
      'Install one, for example: apt-get install gcc libc6-dev (Debian, Ubuntu), dnf install gcc glibc-static (Fedora), apk add gcc musl-dev (Alpine).',
  );
}

/**
 * The environment of every tool that a task starts: PATH, locale and proxy settings of the caller, and a home
 * inside the clone. A user's npm settings (registry, certificates) are still read from their own file.
 */
export function cleanEnvironment(root, env) {
  const home = path.join(root, '.cache/home');
  const kept = {};
  for (const name of [
    'PATH',
    'LANG',
    'LC_ALL',
    'TERM',
    'CI',
    'NO_COLOR',
    'FORCE_COLOR',
    'SSL_CERT_FILE',
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'no_proxy',
  ]) {
    if (env[name] !== undefined) kept[name] = env[name];
  }
  return {
    ...kept,
    HOME: home,
    npm_config_cache: path.join(root, '.cache/npm'),
    npm_config_update_notifier: 'false',
    ...(env.HOME === undefined || env.HOME === home
      ? {}
      : { npm_config_userconfig: path.join(env.HOME, '.npmrc') }),
    TURBO_TELEMETRY_DISABLED: '1',
    DO_NOT_TRACK: '1',
  };
}

/**
 * Runs a program to its end; rejects when it fails. With `quiet` its output is shown only on a terminal, or when it
 * failed.
 */
export function run(command, { quiet = false, ...options }) {
  const hidden = quiet && !process.stderr.isTTY;
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command[0], command.slice(1), {
      stdio: hidden ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      ...options,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      const how = signal === null ? `ended with ${code}` : `was ended by ${signal}`;
      const what = `${path.basename(command[0])} ${command.slice(1, 5).join(' ')} ${how}`;
      reject(Object.assign(new Error(`${output}${what}`), { exitCode: code ?? 1 }));
    });
  });
}
