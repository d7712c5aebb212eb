/**
 * The program of a guest process: one component instance on the main thread, driven over two blocking pipes.
 *
 * The glue loaded here is hostile (docs/spec/components.md, "Trust"): it runs with everything a Node program has.
 * The jail around this process is the boundary. What is removed below only spares it the easy ways.
 */
import v8 from 'node:v8';
import { receiveFrame, sendFrame } from '../wire/blocking-channel.js';
import { type Frame, FrameTooLarge, frameKind } from '../wire/frames.js';
import { decodeValue, encodeValue } from '../wire/values.js';
import { loadGlue } from './load-glue.js';

type GuestFunction = (...args: unknown[]) => unknown;
type Instance = Record<string, unknown>;
interface StartMessage {
  readonly modules: readonly string[];
  readonly imports: readonly string[];
  readonly instances: number;
}

/** A module with `i32.add` in a constant expression, as components of the QuickJS toolchain have it. */
const EXTENDED_CONSTANTS = Uint8Array.from([
  0, 97, 115, 109, 1, 0, 0, 0, 2, 8, 1, 1, 97, 1, 98, 3, 127, 0, 6, 9, 1, 127, 0, 35, 0, 65, 1, 106, 11,
]);

/** Node 20 has the feature behind a switch; later versions print a complaint about the switch. */
function enableExtendedConstants(): void {
  if (!WebAssembly.validate(EXTENDED_CONSTANTS)) v8.setFlagsFromString('--experimental-wasm-extended-const');
}

/** Memories seen so far; their size tells an allocation that failed from any other trap. */
const memories = new Set<WebAssembly.Memory>();

function largestMemoryBytes(): number {
  let largest = 0;
  for (const memory of memories) largest = Math.max(largest, memory.buffer.byteLength);
  return largest;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function reportTrap(id: number, error: unknown): void {
  sendFrame(
    frameKind.trap,
    Buffer.from(
      encodeValue([id, { message: messageOf(error).slice(0, 4096), memoryBytes: largestMemoryBytes() }]),
    ),
  );
}

function expectFrame(kind: number): Buffer {
  const frame = receiveFrame();
  if (frame === null) process.exit(0);
  if (frame.kind !== kind) throw new Error(`frame ${frame.kind} where ${kind} was due`);
  return frame.body;
}

function compile(bytes: Buffer): WebAssembly.Module {
  return new WebAssembly.Module(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

async function start(): Promise<Instance> {
  const message = decodeValue(expectFrame(frameKind.start)) as StartMessage;
  const modules = new Map<string, WebAssembly.Module>();
  enableExtendedConstants();
  for (const name of message.modules) modules.set(name, compile(expectFrame(frameKind.module)));
  const glue = expectFrame(frameKind.glue).toString('utf8');
  const imports = message.imports.length === 0 ? {} : await loadEmptyHost();
  hideTheObvious();
  const instantiate = loadGlue(glue);
  let instances = 0;
  return instantiate(
    (file) => {
      const module = modules.get(file);
      if (module === undefined) throw new Error(`no core module ${file}`);
      return module;
    },
    imports,
    (module, coreImports) => {
      instances += 1;
      if (instances > message.instances) throw new Error(`more than ${message.instances} core instances`);
      const instance = new WebAssembly.Instance(module, coreImports);
      for (const exported of Object.values(instance.exports)) {
        if (exported instanceof WebAssembly.Memory) memories.add(exported);
      }
      return instance;
    },
  );
}

/** Most components import nothing and need not wait for the host to load. */
async function loadEmptyHost(): Promise<Record<string, unknown>> {
  const { emptyHost } = await import('../empty-host/empty-host.js');
  return emptyHost();
}

/** Takes away what generated code has no use for. Not a boundary: the jail is. */
function hideTheObvious(): void {
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator', 'process']) {
    Reflect.deleteProperty(globalThis, name);
  }
}

function toCamelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function findFunction(root: Instance, instance: string, func: string): GuestFunction {
  const owner = instance === '' ? root : Object.hasOwn(root, instance) ? root[instance] : undefined;
  const name = toCamelCase(func);
  const found =
    typeof owner === 'object' && owner !== null && Object.hasOwn(owner, name)
      ? (owner as Instance)[name]
      : undefined;
  if (typeof found !== 'function')
    throw new Error(`the component exports no function ${func} in ${instance}`);
  return found as GuestFunction;
}

/** The glue throws an error with a payload for the `err` of a `result`; all else that it throws is a trap. */
function isRefusal(error: unknown): error is Error & { payload: unknown } {
  return error instanceof Error && Object.hasOwn(error, 'payload');
}

function answerCall(root: Instance, frame: Frame): boolean {
  const [id, instance, func, args] = decodeValue(frame.body) as [number, string, string, unknown[]];
  let kind: number = frameKind.value;
  let result: unknown;
  try {
    result = findFunction(root, instance, func)(...args);
  } catch (error) {
    if (!isRefusal(error)) {
      reportTrap(id, error);
      return false;
    }
    kind = frameKind.refusal;
    result = error.payload;
  }
  try {
    sendFrame(kind, Buffer.from(encodeValue([id, result])));
    return true;
  } catch (error) {
    const reason = error instanceof FrameTooLarge ? 'the answer is too large' : messageOf(error);
    reportTrap(id, new Error(reason));
    return false;
  }
}

async function main(): Promise<void> {
  let root: Instance;
  try {
    root = await start();
  } catch (error) {
    sendFrame(
      frameKind.startFailed,
      Buffer.from(
        encodeValue({ message: messageOf(error).slice(0, 4096), memoryBytes: largestMemoryBytes() }),
      ),
    );
    return;
  }
  sendFrame(frameKind.ready);
  for (;;) {
    const frame = receiveFrame();
    // A closed pipe is the end of the run; a trapped instance must not be entered again.
    if (frame === null || frame.kind !== frameKind.call || !answerCall(root, frame)) return;
  }
}

void main();
