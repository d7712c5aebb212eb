import { randomFillSync } from 'node:crypto';
import { hrtime } from 'node:process';
import { InputStream, OutputStream, Pollable, Resource } from './streams.js';

/** `wasi:cli`, `wasi:clocks`, `wasi:random`: no environment, no arguments, no terminal; time and chance are real. */

class TerminalInput extends Resource {}
class TerminalOutput extends Resource {}

/** Leaving is the end of the instance, so it is a trap like any other. */
function exit(): never {
  throw new Error('the component asked to exit');
}

function randomBytes(length: bigint): Uint8Array {
  return randomFillSync(new Uint8Array(Number(length)));
}

function randomU64(): bigint {
  return randomFillSync(new BigUint64Array(1))[0] ?? 0n;
}

function monotonicNow(): bigint {
  return hrtime.bigint();
}

function wallClockNow(): { seconds: bigint; nanoseconds: number } {
  const ms = Date.now();
  return { seconds: BigInt(Math.floor(ms / 1000)), nanoseconds: (ms % 1000) * 1_000_000 };
}

export const wasiSystem = {
  'wasi:cli/environment': { getEnvironment: () => [], getArguments: () => [], initialCwd: () => undefined },
  'wasi:cli/exit': { exit, exitWithCode: exit },
  'wasi:cli/stdin': { getStdin: () => new InputStream() },
  'wasi:cli/stdout': { getStdout: () => new OutputStream() },
  'wasi:cli/stderr': { getStderr: () => new OutputStream() },
  'wasi:cli/terminal-input': { TerminalInput },
  'wasi:cli/terminal-output': { TerminalOutput },
  'wasi:cli/terminal-stdin': { getTerminalStdin: () => undefined },
  'wasi:cli/terminal-stdout': { getTerminalStdout: () => undefined },
  'wasi:cli/terminal-stderr': { getTerminalStderr: () => undefined },
  'wasi:clocks/monotonic-clock': {
    now: monotonicNow,
    resolution: () => 1n,
    subscribeInstant: (atNs: bigint) => new Pollable(atNs),
    subscribeDuration: (durationNs: bigint) => new Pollable(monotonicNow() + durationNs),
  },
  'wasi:clocks/wall-clock': {
    now: wallClockNow,
    resolution: () => ({ seconds: 0n, nanoseconds: 1_000_000 }),
  },
  'wasi:random/random': { getRandomBytes: randomBytes, getRandomU64: randomU64 },
  'wasi:random/insecure': { getInsecureRandomBytes: randomBytes, getInsecureRandomU64: randomU64 },
  'wasi:random/insecure-seed': { insecureSeed: () => [randomU64(), randomU64()] },
};
