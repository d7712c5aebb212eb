import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installLocal, openArtifact, openStore, readArchive } from '@murmur/artifacts';
import { readNames } from '@murmur/components';
import type { Generator } from '../generator.js';
import { mutateArchive } from '../mutate/mutate-archive.js';
import { honestRecords, type ZipFile, type ZipRecord } from '../mutate/zip-fields.js';
import { Fault, outcomeOf } from '../outcome.js';
import type { Random } from '../random.js';

const CEILING_BYTES = 256 * 1024;
const label = { name: 'thing', version: '1.0.0', maxDecompressedBytes: CEILING_BYTES };
const MANIFEST = 'name: thing\nversion: 1.0.0\nruntime: tool\nrequires_files: [docs/a.txt]\n';
/** Names are read from it, nothing runs it. */
const COMPONENT = Buffer.from([0, 0x61, 0x73, 0x6d, 0x0d, 0, 1, 0]);

function honestArchive(random: Random): ZipRecord[] {
  const make = (name: string, content: Buffer): ZipFile => ({
    name,
    content,
    deflated: !name.endsWith('/') && !random.oneIn(3),
    descriptor: !name.endsWith('/') && random.oneIn(4),
    zip64: random.oneIn(5),
  });
  const files = [
    make('murmur.yaml', Buffer.from(MANIFEST)),
    make('capsule.wasm', COMPONENT),
    ...(random.oneIn(2) ? [make('docs/', Buffer.alloc(0))] : []),
    make('docs/a.txt', Buffer.from('text '.repeat(random.skewed(400)))),
    // Unpacks to ten times the ceiling.
    ...(random.oneIn(60) ? [make('bomb', Buffer.alloc(CEILING_BYTES * 10))] : []),
  ];
  return honestRecords(files, {
    zip64: random.oneIn(4),
    comment: Buffer.from(random.oneIn(5) ? 'made by hand PK\u0005\u0006' : ''),
  });
}

/** Archives whose headers lie. */
export const archiveGenerator: Generator = {
  name: 'archive',
  title: 'archives: every header field of both headers, descriptors, directory ends and 64-bit records',
  share: 1,
  caseLimitMs: 20_000,
  async open() {
    return {
      tryCase(random) {
        const bytes = mutateArchive(honestArchive(random), random);
        return outcomeOf(async () => {
          const files = await readArchive(bytes, label);
          const total = [...files.values()].reduce((sum, content) => sum + content.length, 0);
          if (total > CEILING_BYTES) throw new Fault(`${total} bytes came out of an archive`);
          for (const name of files.keys())
            if (/^\/|\\|\0|(^|\/)\.{0,2}(\/|$)/.test(name))
              throw new Fault(`the name ${JSON.stringify(name)} was taken`);
          await openArtifact(bytes, label);
          return 'opened';
        });
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

/** Everything below a directory, by path. */
async function everythingBelow(directory: string): Promise<readonly string[]> {
  return (await readdir(directory, { recursive: true })).sort();
}

/** The same archives on their way into a store: what is refused leaves nothing behind. */
export const installGenerator: Generator = {
  name: 'install',
  title: 'the same archives installed: a refused one leaves no file behind',
  share: 0.05,
  caseLimitMs: 20_000,
  async open({ scratch }) {
    const root = join(scratch, 'store');
    const file = join(scratch, 'thing.mur.zip');
    return {
      async tryCase(random) {
        await rm(root, { recursive: true, force: true });
        await mkdir(root);
        await writeFile(file, mutateArchive(honestArchive(random), random));
        const store = openStore(root);
        const before = await everythingBelow(scratch);
        const outcome = await outcomeOf(async () => {
          await installLocal({
            ref: file,
            store,
            project: null,
            env: { MURMUR_MAX_ARTIFACT_DECOMPRESSED_BYTES: String(CEILING_BYTES) },
            readInterfaces: (bytes) => (readNames(bytes).kind === 'component' ? readNames(bytes) : null),
          });
          return 'installed';
        });
        const after = await everythingBelow(scratch);
        if (outcome === 'installed') {
          if ((await store.list()).length !== 1) throw new Fault('what was installed is not listed');
        } else if (after.join('\n') !== before.join('\n')) {
          throw new Fault(
            `${outcome} left behind: ${after.filter((path) => !before.includes(path)).join(', ')}`,
          );
        }
        return outcome;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};
