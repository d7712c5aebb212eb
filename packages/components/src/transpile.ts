import type { Jail } from '@murmur/containment';
import { isCompiledFileName } from './cache/cache-manifest.js';
import type { CompiledFiles } from './cache/compiled-cache.js';
import { ComponentFailure } from './failures.js';
import { defaults } from './limits.js';
import { plainText } from './text-tail.js';
import { type FramedChild, spawnFramedChild } from './wire/child-process.js';
import { type Frame, frameKind } from './wire/frames.js';

export interface TranspileOptions {
  readonly openJail: (label: string) => Promise<Jail>;
  readonly nodePath: string;
  /** The program run in the child. */
  readonly entry: string;
  readonly timeoutMs: number;
}

/** Adds one file of the output. The child read a hostile component: its words are checked like those of a guest. */
function acceptFile(files: Map<string, Uint8Array>, body: Buffer): void {
  const nameBytes = body.length >= 2 ? body.readUInt16LE(0) : Number.POSITIVE_INFINITY;
  if (nameBytes > body.length - 2) throw new ComponentFailure('protocol', 'the transpiler sent a cut file');
  const name = body.subarray(2, 2 + nameBytes).toString('utf8');
  if (!isCompiledFileName(name) || files.has(name)) {
    throw new ComponentFailure('protocol', `the transpiler sent a file named ${plainText(name, 80)}`);
  }
  files.set(name, new Uint8Array(body.subarray(2 + nameBytes)));
  let totalBytes = 0;
  for (const content of files.values()) totalBytes += content.length;
  if (totalBytes > defaults.compiledBytes || files.size > defaults.compiledFiles) {
    throw new ComponentFailure('invalid', 'the compiled form of the component is too large');
  }
}

function receiveFiles(child: FramedChild): Promise<CompiledFiles> {
  const files = new Map<string, Uint8Array>();
  return new Promise((resolve, reject) => {
    child.listen({
      onFrame(frame: Frame): void {
        if (frame.kind === frameKind.file) acceptFile(files, frame.body);
        else if (frame.kind === frameKind.done) resolve(files);
        else if (frame.kind === frameKind.rejected) {
          throw new ComponentFailure('invalid', plainText(frame.body.toString('utf8')));
        } else throw new ComponentFailure('protocol', 'the transpiler sent an unknown message');
      },
      onFault: (error) =>
        reject(error instanceof ComponentFailure ? error : new ComponentFailure('protocol', String(error))),
      onEnd: () => {
        child.finish().then(({ text }) => {
          reject(new ComponentFailure('transpile-crash', `the transpiler ${text}`));
        }, reject);
      },
    });
  });
}

/**
 * Turns a component into core modules and JavaScript, in a process of its own that is gone afterwards. Nothing in
 * the result has been checked.
 *
 * @throws ComponentFailure `invalid`, `transpile-timeout`, `transpile-crash`, `protocol`
 */
export async function transpile(bytes: Uint8Array, options: TranspileOptions): Promise<CompiledFiles> {
  await using jail = await options.openJail('transpile');
  const child = await spawnFramedChild(jail, {
    program: options.nodePath,
    args: [options.entry],
    env: {},
    limits: { dataBytes: defaults.transpileDataBytes },
  });
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new ComponentFailure('transpile-timeout', `not transpiled within ${options.timeoutMs} ms`));
    }, options.timeoutMs);
  });
  try {
    const files = receiveFiles(child);
    child.send(frameKind.component, bytes);
    return await Promise.race([files, timeout]);
  } finally {
    clearTimeout(timer);
    await child.process.kill();
  }
}
