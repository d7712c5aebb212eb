import path from 'node:path';
import {
  type LaunchSpec,
  SPEC_MAX_ARGUMENTS,
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

function refuse(problem: string): never {
  throw new Error(`spawn request: ${problem}`);
}

function checkPath(what: string, value: string): void {
  if (!path.isAbsolute(value)) refuse(`${what} must be an absolute path`);
  if (value.includes('\0')) refuse(`${what} contains a NUL byte`);
  if (Buffer.byteLength(value) >= SPEC_MAX_PATH_BYTES)
    refuse(`${what} is longer than ${SPEC_MAX_PATH_BYTES} bytes`);
}

/** A name with `=` would let its value choose another variable's; a NUL would cut both. Values are not shown. */
function checkEnvironment(env: Readonly<Record<string, string>>): void {
  const entries = Object.entries(env);
  if (entries.length > SPEC_MAX_VARIABLES) refuse(`more than ${SPEC_MAX_VARIABLES} environment variables`);
  for (const [name, value] of entries) {
    if (name === '' || name.includes('=') || name.includes('\0'))
      refuse(`environment variable name ${JSON.stringify(name)}`);
    if (typeof value !== 'string' || value.includes('\0'))
      refuse(`the value of environment variable ${name} is not text without NUL bytes`);
  }
}

function checkLimits(limits: ProcessLimits): void {
  for (const name of LIMIT_NAMES) {
    const value = limits[name];
    if (value !== undefined && (!Number.isSafeInteger(value) || value < 0))
      refuse(`limit ${name} is not a whole number`);
  }
}

/**
 * Checks a request before anything is spawned and turns it into what the wire carries.
 * @throws Error, never a coded one: a bad request is a fault of the calling program
 */
export function toLaunchSpec(request: SpawnRequest): LaunchSpec {
  const channels = request.channels ?? [];
  checkPath('program', request.program);
  checkPath('cwd', request.cwd);
  checkEnvironment(request.env);
  checkLimits(request.limits ?? {});
  if (request.args.length >= SPEC_MAX_ARGUMENTS) refuse(`more than ${SPEC_MAX_ARGUMENTS - 1} arguments`);
  if (request.args.some((argument) => argument.includes('\0'))) refuse('an argument contains a NUL byte');
  if (channels.length > SPEC_MAX_CHANNELS) refuse(`more than ${SPEC_MAX_CHANNELS} channels`);
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
