import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MurmurError } from '@murmur/errors';
import type { ContainmentOptions } from './types.js';

const require = createRequire(import.meta.url);

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function fromPlatformPackage(): string[] {
  try {
    return [require.resolve(`@murmur/containment-linux-${process.arch}/bin/warden`)];
  } catch {
    // The package is optional: absent on platforms that it does not serve.
    return [];
  }
}

/** The workspace's own build, for a checkout whose platform package is not linked. */
const fromWorkspace = (): string =>
  fileURLToPath(new URL(`../../containment-linux-${process.arch}/bin/warden`, import.meta.url));

/**
 * Where the warden's binary lies: the option, else the platform package, else the workspace build.
 * @throws MurmurError `Runtime` (E-IO-003) when there is none that can be executed
 */
export function locateWarden(options: ContainmentOptions = {}): string {
  const candidates =
    options.wardenPath === undefined ? [...fromPlatformPackage(), fromWorkspace()] : [options.wardenPath];
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  throw new MurmurError({
    variant: 'Runtime',
    message:
      options.wardenPath === undefined
        ? `the containment helper for Linux ${process.arch} is missing; install @murmur/containment-linux-${process.arch}`
        : `the containment helper ${options.wardenPath} cannot be executed`,
  });
}
