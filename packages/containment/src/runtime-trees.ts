import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { JailEntry } from './jail-wire.js';

/** Where programs and libraries lie; what is a link on the host is the same link inside. */
const TREES = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/**
 * Directories of programs carry no right at all: a program that may be read could be started through the loader.
 * The listed programs have a rule of their own.
 */
const PROGRAM_DIRECTORIES = new Set(['bin', 'sbin', 'games']);

/** Of `/etc` only what programs need to start and to check certificates; never a private key. */
const CONFIGURATION = [
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'alternatives',
  'ssl/certs',
  'ssl/cert.pem',
  'ssl/openssl.cnf',
  'pki/tls/certs',
  'pki/tls/cert.pem',
  'pki/ca-trust/extracted',
  'ca-certificates',
  'ca-certificates.conf',
  'localtime',
  'timezone',
  'terminfo',
  'os-release',
  'debian_version',
  'services',
  'protocols',
].map((name) => `/etc/${name}`);

function readableBelow(directory: string): string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !PROGRAM_DIRECTORIES.has(name) && name !== 'local')
      .map((name) => path.join(directory, name));
  } catch {
    return [];
  }
}

/** Whether a canonical path lies in what every jail has. */
export const isInRuntimeTrees = (file: string): boolean => TREES.some((tree) => file.startsWith(`${tree}/`));

/** What every jail sees of the host, at both classes. A view of the host has it in place already. */
export function runtimeMounts(sealed: boolean): readonly JailEntry[] {
  if (!sealed) return [];
  return [
    ...TREES.map((tree) => ({ access: 'execute', path: tree, optional: true }) as const),
    ...CONFIGURATION.map((file) => ({ access: 'read', path: file, optional: true }) as const),
  ];
}

/** What of it may be read. */
export function runtimeRules(): readonly JailEntry[] {
  const readable = [
    ...readableBelow('/usr'),
    ...readableBelow('/usr/local'),
    ...TREES.filter((tree) => tree.startsWith('/lib')),
    ...CONFIGURATION,
  ];
  return readable.map((file) => ({ access: 'read', path: file, optional: true }) as const);
}
