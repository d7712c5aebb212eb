import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * JavaScript engine inside a component. `quickjs`: small, quick to start, comes with the kit. `starlingmonkey`:
 * SpiderMonkey with the web's APIs, six times the size; its builder is installed beside the kit by whoever wants it.
 */
export type DriverEngine = 'quickjs' | 'starlingmonkey';

export const STARLINGMONKEY_PACKAGE = '@bytecodealliance/componentize-js';
export const STARLINGMONKEY_VERSION = '0.23.0';

/** The builder of StarlingMonkey components, as far as it is used. */
export interface StarlingMonkeyBuilder {
  componentize(
    source: string,
    options: {
      readonly witPath: string;
      readonly worldName: string;
      readonly disableFeatures: readonly string[];
    },
  ): Promise<{ readonly component: Uint8Array }>;
}

/** Name and version of an engine's builder, for the hash over what a build depends on. */
export function engineVersion(engine: DriverEngine, directory: string): string {
  const require = createRequire(import.meta.url);
  const manifest =
    engine === 'quickjs'
      ? (require('componentize-qjs/package.json') as { version: string })
      : readManifest(starlingMonkeyDirectory(directory));
  return `${engine} ${manifest.version}`;
}

/**
 * Loads the StarlingMonkey builder that is installed for a directory: there, above it, or beside this kit.
 *
 * @throws Error saying what to install
 */
export async function loadStarlingMonkey(directory: string): Promise<StarlingMonkeyBuilder> {
  const home = starlingMonkeyDirectory(directory);
  const { version, exports } = readManifest(home);
  if (version !== STARLINGMONKEY_VERSION)
    throw new Error(
      `${STARLINGMONKEY_PACKAGE} is ${version} here; this kit works with ${STARLINGMONKEY_VERSION}: ${INSTALL}`,
    );
  return (await import(pathToFileURL(join(home, exports.import)).href)) as StarlingMonkeyBuilder;
}

const INSTALL = `npm install --save-dev --save-exact ${STARLINGMONKEY_PACKAGE}@${STARLINGMONKEY_VERSION}`;

function starlingMonkeyDirectory(directory: string): string {
  for (const start of [directory, import.meta.dirname])
    for (let at = start; ; at = dirname(at)) {
      const home = join(at, 'node_modules', STARLINGMONKEY_PACKAGE);
      if (existsSync(join(home, 'package.json'))) return home;
      if (at === dirname(at)) break;
    }
  throw new Error(`the engine starlingmonkey needs ${STARLINGMONKEY_PACKAGE}: ${INSTALL}`);
}

function readManifest(home: string): {
  readonly version: string;
  readonly exports: { readonly import: string };
} {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as ReturnType<typeof readManifest>;
}
