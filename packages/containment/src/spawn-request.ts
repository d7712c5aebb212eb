import path from 'node:path';
import {
  type LaunchSpec,
  SPEC_FRAMING_BYTES,
  SPEC_MAX_ARGUMENTS,
  SPEC_MAX_BYTES,
  SPEC_MAX_CHANNELS,
  SPEC_MAX_PATH_BYTES,
  SPEC_MAX_VARIABLES,
} from './spec-wire.js';
import type { ProcessLimits, SpawnRequest } from './types.js';

const LIMIT_NAMES: readonly (keyof ProcessLimits)[] = [
  'openFiles',
  'processes',
  'fileSizeBytes',
  'cpuSeconds',
  'dataBytes',
];

function pathProblem(what: string, value: string): string | null {
  if (!path.isAbsolute(value)) return `${what} must be an absolute path`;
  if (value.includes('\0')) return `${what} contains a NUL byte`;
  return Buffer.byteLength(value) >= SPEC_MAX_PATH_BYTES
    ? `${what} is longer than ${SPEC_MAX_PATH_BYTES} bytes`
    : null;
}

function argumentsProblem(args: readonly string[]): string | null {
  if (args.length >= SPEC_MAX_ARGUMENTS) return `more than ${SPEC_MAX_ARGUMENTS - 1} arguments`;
  return args.some((argument) => argument.includes('\0')) ? 'an argument contains a NUL byte' : null;
}

/** A name with `=` would let its value choose another variable's; a NUL would cut both. Values are not shown. */
function environmentProblem(env: Readonly<Record<string, string>>): string | null {
  const entries = Object.entries(env);
  if (entries.length > SPEC_MAX_VARIABLES) return `more than ${SPEC_MAX_VARIABLES} environment variables`;
  for (const [name, value] of entries) {
    if (name === '' || name.includes('=') || name.includes('\0'))
      return `environment variable name ${JSON.stringify(name)}`;
    if (typeof value !== 'string' || value.includes('\0'))
      return `the value of environment variable ${name} is not text without NUL bytes`;
  }
  return null;
}

function limitsProblem(limits: ProcessLimits): string | null {
  for (const name of LIMIT_NAMES) {
    const value = limits[name];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      return `limit ${name} is not a whole number`;
  }
  return null;
}

function sizeProblem({ program, args, env, cwd }: SpawnRequest): string | null {
  const texts = [program, program, cwd, ...args, ...Object.entries(env).flat()];
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, SPEC_FRAMING_BYTES);
  return bytes > SPEC_MAX_BYTES ? `more than ${SPEC_MAX_BYTES} bytes in all` : null;
}

/**
 * Why a request can be started nowhere, or null: what a caller asks first that passes on what somebody else planned.
 * Implements `docs/spec/containment.md`, "Launch specification".
 */
export function spawnRequestProblem(request: SpawnRequest): string | null {
  const channels = request.channels ?? [];
  return (
    pathProblem('program', request.program) ??
    pathProblem('cwd', request.cwd) ??
    environmentProblem(request.env) ??
    limitsProblem(request.limits ?? {}) ??
    argumentsProblem(request.args) ??
    (channels.length > SPEC_MAX_CHANNELS ? `more than ${SPEC_MAX_CHANNELS} channels` : null) ??
    sizeProblem(request)
  );
}

/**
 * Checks a request before anything is spawned and turns it into what the wire carries.
 * @throws Error, never a coded one: a bad request is a fault of the calling program
 */
export function toLaunchSpec(request: SpawnRequest): LaunchSpec {
  const channels = request.channels ?? [];
  const problem = spawnRequestProblem(request);
  if (problem !== null) throw new Error(`spawn request: ${problem}`);
  return {
    program: request.program,
    argumentList: [request.program, ...request.args],
    env: request.env,
    cwd: request.cwd,
    descriptors: [
      request.stdin === 'pipe' ? 'programReads' : 'null',
      request.stdout === 'pipe' ? 'programWrites' : 'null',
      request.stderr === 'pipe' ? 'programWrites' : 'null',
      ...channels.map((direction) => (direction === 'in' ? 'programReads' : 'programWrites')),
    ],
    limits: request.limits ?? {},
  };
}
