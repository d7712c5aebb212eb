/**
 * The program of a transpile process: one component in, its compiled form out. It ends after one component,
 * because some inputs make the transpiler panic and leave it unusable.
 */
import { $init, generate } from '@bytecodealliance/jco-transpile/component';
import { receiveFrame, sendFrame } from '../wire/blocking-channel.js';
import { frameKind } from '../wire/frames.js';

function fileFrame(name: string, content: Uint8Array): Buffer {
  const nameBytes = Buffer.from(name);
  const head = Buffer.alloc(2);
  head.writeUInt16LE(nameBytes.length);
  return Buffer.concat([head, nameBytes, content]);
}

/** The transpiler throws an error with a payload when it read the component and refuses it. */
function refusalText(error: unknown): string | null {
  return error instanceof Error && 'payload' in error ? String(error.payload) : null;
}

function transpile(bytes: Uint8Array): readonly [string, Uint8Array][] {
  return generate(bytes, {
    name: 'component',
    instantiation: { tag: 'sync' },
    noTypescript: true,
    noNodejsCompat: true,
    // An `err` must be told from a trap: only the former gets a payload.
    noComponentErrorWrapping: false,
    // No core module may hide inside the JavaScript, out of reach of the checks.
    base64Cutoff: 0,
    validLiftingOptimization: false,
    multiMemory: false,
    tracing: false,
  }).files;
}

async function main(): Promise<void> {
  const frame = receiveFrame();
  if (frame === null || frame.kind !== frameKind.component) return;
  await $init;
  let files: readonly [string, Uint8Array][];
  try {
    files = transpile(frame.body);
  } catch (error) {
    const text = refusalText(error);
    if (text === null) throw error;
    sendFrame(frameKind.rejected, Buffer.from(text.slice(0, 4096)));
    return;
  }
  for (const [name, content] of files) sendFrame(frameKind.file, fileFrame(name, content));
  sendFrame(frameKind.done);
}

await main();
