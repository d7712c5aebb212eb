import type { Jail } from '@murmur/containment';
import { protocolFailure, readAnswer, readReady } from './answers.js';
import { GLUE_NAME } from './cache/cache-manifest.js';
import type { CompiledFiles } from './cache/compiled-cache.js';
import { ComponentFailure, GuestRefusal } from './failures.js';
import { defaults, type EffectiveLimits, memoryPages } from './limits.js';
import { plainText } from './text-tail.js';
import type { Guest } from './types.js';
import { type FramedChild, spawnFramedChild } from './wire/child-process.js';
import { type Frame, frameKind, MAX_FRAME_BYTES } from './wire/frames.js';
import { encodeValue } from './wire/values.js';

/** What a guest process is started with, whatever it will run. */
export interface GuestProcessStart {
  readonly nodePath: string;
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limits: EffectiveLimits;
}

/** What a guest process is to run. */
export interface InstanceStart {
  readonly limits: EffectiveLimits;
  readonly imports: readonly string[];
  readonly startTimeoutMs: number;
  /** Read while the process boots. */
  readonly files: Promise<CompiledFiles>;
}

/** A guest process that has not been told what to run yet. It ends itself when its channel is closed. */
export interface GuestProcess {
  readonly child: FramedChild;
  readonly talk: Conversation;
}

/** The one frame that is due; while nothing is due, nothing may arrive. */
interface Expectation {
  readonly settle: (frame: Frame) => void;
  readonly fail: (failure: ComponentFailure) => void;
}

function nodeArguments(limits: EffectiveLimits, entry: string): string[] {
  return [
    '--v8-pool-size=0',
    '--single-threaded-gc',
    `--wasm-max-mem-pages=${memoryPages(limits)}`,
    `--max-old-space-size=${defaults.guestHeapBytes / (1024 * 1024)}`,
    // The glue has no use for eval; this takes away one way from data to code, it is not the boundary.
    '--disallow-code-generation-from-strings',
    entry,
  ];
}

function sendCompiledForm(child: FramedChild, files: CompiledFiles, start: InstanceStart): void {
  const modules = [...files.keys()].filter((name) => name !== GLUE_NAME);
  const message = { modules, imports: start.imports, instances: start.limits.instances };
  child.send(frameKind.start, Buffer.from(encodeValue(message)));
  for (const name of modules) child.send(frameKind.module, files.get(name) ?? new Uint8Array());
  child.send(frameKind.glue, files.get(GLUE_NAME) ?? new Uint8Array());
}

/** A panic message, say, that went to stderr before the trap. */
function withPrinted(failure: ComponentFailure, printed: string): ComponentFailure {
  const telling =
    failure.kind === 'trap' || failure.kind === 'instantiate' || failure.kind === 'out-of-memory';
  if (!telling || printed === '' || failure.detail.includes(printed)) return failure;
  return new ComponentFailure(failure.kind, `${failure.detail} (it printed: ${printed})`);
}

/** One guest process and the conversation with it: a question, then exactly one answer. */
interface Conversation {
  /** Waits for the next frame. `read` throws GuestRefusal for a refusal, anything else ends the guest. */
  expect<T>(what: string, deadlineMs: number, read: (frame: Frame) => T): Promise<T>;
  /** Why the guest is over; null while it is not. */
  ended(): ComponentFailure | null;
  end(failure: ComponentFailure): Promise<void>;
}

function converse(child: FramedChild, jail: Jail): Conversation {
  let expected: Expectation | null = null;
  let ended: ComponentFailure | null = null;
  let closing: Promise<void> | null = null;

  /** Whoever waits learns why once the process is gone; later callers learn it at once. */
  function end(failure: ComponentFailure): Promise<void> {
    if (closing !== null) return closing;
    ended = failure;
    const waiting = expected;
    expected = null;
    closing = child.process.kill().finally(() => jail[Symbol.asyncDispose]());
    const tell = (): void => waiting?.fail(withPrinted(failure, child.printed()));
    closing.then(tell, tell);
    return closing;
  }

  async function endWithExit(): Promise<void> {
    if (ended !== null) return;
    const { text, outOfMemory } = await child.finish();
    await end(new ComponentFailure(outOfMemory ? 'out-of-memory' : 'exited', `the guest process ${text}`));
  }

  child.listen({
    onFrame(frame) {
      if (expected === null) throw protocolFailure('the guest spoke without being asked');
      expected.settle(frame);
    },
    onFault(error) {
      const reason = error instanceof Error ? plainText(error.message) : '';
      const unreadable = protocolFailure(`the guest sent what cannot be read: ${reason}`);
      void end(error instanceof ComponentFailure ? error : unreadable);
    },
    onEnd: () => void endWithExit(),
  });

  function expect<T>(what: string, deadlineMs: number, read: (frame: Frame) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (ended !== null) {
        reject(ended);
        return;
      }
      const timer = setTimeout(() => {
        void end(new ComponentFailure('deadline', `${what} did not finish within ${deadlineMs} ms`));
      }, deadlineMs);
      expected = {
        settle(frame) {
          let settle: () => void;
          try {
            const value = read(frame);
            settle = () => resolve(value);
          } catch (error) {
            if (!(error instanceof GuestRefusal)) throw error;
            settle = () => reject(error);
          }
          expected = null;
          clearTimeout(timer);
          settle();
        },
        fail(failure) {
          clearTimeout(timer);
          reject(failure);
        },
      };
    });
  }

  return { expect, end, ended: () => ended };
}

/** Starts a guest process in a jail of its own. The process closes the jail. */
export async function openGuestProcess(start: GuestProcessStart, jail: Jail): Promise<GuestProcess> {
  try {
    const child = await spawnFramedChild(jail, {
      program: start.nodePath,
      args: nodeArguments(start.limits, start.entry),
      env: start.env,
      limits: { dataBytes: start.limits.memoryBytes + defaults.guestDataBytes },
    });
    return { child, talk: converse(child, jail) };
  } catch (error) {
    await jail[Symbol.asyncDispose]();
    throw error;
  }
}

async function instantiate({ child, talk }: GuestProcess, start: InstanceStart): Promise<void> {
  try {
    const files = await start.files;
    const ready = talk.expect('instantiation', start.startTimeoutMs, (frame) =>
      readReady(frame, start.limits),
    );
    sendCompiledForm(child, files, start);
    await ready;
  } catch (error) {
    await talk.end(new ComponentFailure('exited', 'the guest did not start'));
    throw error;
  }
}

/**
 * Hands a guest process its component and waits until its instance stands.
 *
 * @throws ComponentFailure `instantiate`, `out-of-memory`, `deadline`, `exited`, `protocol`, `invalid`
 */
export async function startGuest(guest: GuestProcess, start: InstanceStart): Promise<Guest> {
  const { child, talk } = guest;
  await instantiate(guest, start);
  let lastId = 0;
  let queue: Promise<unknown> = Promise.resolve();

  async function callNow(instance: string, func: string, args: readonly unknown[], deadlineMs: number) {
    const over = talk.ended();
    if (over !== null)
      throw new ComponentFailure('exited', `the guest is gone: ${over.detail}`, { cause: over });
    lastId += 1;
    const call = { id: lastId, func };
    const body = Buffer.from(encodeValue([call.id, instance, func, args]));
    if (body.length >= MAX_FRAME_BYTES)
      throw new RangeError(`the arguments of ${func} take ${body.length} bytes`);
    const answer = talk.expect(func, deadlineMs, (frame) => readAnswer(frame, call, start.limits));
    child.send(frameKind.call, body);
    return answer;
  }

  const kill = (): Promise<void> => talk.end(new ComponentFailure('exited', 'the guest was stopped'));
  return {
    pid: child.process.pid,
    call(instance, func, args, { deadlineMs }) {
      const result = queue.then(() => callNow(instance, func, args, deadlineMs));
      queue = result.catch(() => {});
      return result;
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}
