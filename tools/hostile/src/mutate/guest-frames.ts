import type { Random } from '../random.js';
import { hostileTexts } from './hostile-values.js';
import { mutateBytes } from './mutate-bytes.js';
import { hostileAnswer } from './raw-answers.js';

/** Kinds of frame that a guest may send, and what those of its calls are answered with. */
const kinds = { call: 0x04, ready: 0x81, value: 0x82, refusal: 0x83, trap: 0x84, startFailed: 0x85 } as const;

function frame(kind: number, body: string | Uint8Array, announced?: number): Buffer {
  const bytes = Buffer.from(body as Uint8Array);
  const head = Buffer.alloc(5);
  head.writeUInt32LE(announced ?? bytes.length + 1, 0);
  head.writeUInt8(kind, 4);
  return Buffer.concat([head, bytes]);
}

/** JSON as guests write values: what JSON cannot carry as tagged records, whose tags may lie. */
function written(value: unknown, random: Random): string {
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'bigint') return { $: 'bigint', v: String(part) };
    if (part instanceof Uint8Array) return { $: 'Uint8Array', v: Buffer.from(part).toString('base64') };
    return part;
  });
  if (!random.oneIn(6)) return text ?? 'null';
  const tag = random.pick([
    'bigint',
    'number',
    'Uint16Array',
    'BigInt64Array',
    'undefined',
    'Function',
    '__proto__',
    '',
  ]);
  const lie = JSON.stringify({ $: tag, v: random.pick(['', '1', '-0', 'AAA=', '9'.repeat(3000), 'NaN']) });
  return (text ?? 'null').replace(/"[^"]*"/g, (part) => (random.oneIn(8) ? lie : part));
}

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

/** What a guest sends, and whether it is gone after it. One that is owed more and stays would cost a deadline. */
export interface GuestReply {
  readonly bytes: Buffer | null;
  readonly ends: boolean;
}
const goesOn = (bytes: Buffer): GuestReply => ({ bytes, ends: false });
const isLast = (bytes: Buffer | null): GuestReply => ({ bytes, ends: true });

/** What a guest sends back for a call, given a valid answer to it. */
export function hostileReply(id: number, valid: unknown, random: Random): GuestReply {
  const honest = (value: unknown): Buffer => frame(kinds.value, `[${id},${written(value, random)}]`);
  switch (random.int(24)) {
    case 0:
      return isLast(null);
    case 1:
      return goesOn(
        frame(random.pick([...Object.values(kinds), 0, 255]), `[${id},${written(valid, random)}]`),
      );
    case 2:
      return goesOn(
        frame(kinds.value, `[${random.pick([id + 1, -1, 0, '"1"', 'null'])},${written(valid, random)}]`),
      );
    case 3:
      return goesOn(
        frame(kinds.refusal, `[${id},${written(random.pick([...hostileTexts, { a: 1 }, null]), random)}]`),
      );
    case 4: {
      const report = { message: random.pick(hostileTexts), memoryBytes: random.pick([0, -1, 1e12, 'x']) };
      return goesOn(frame(kinds.trap, `[${id},${written(report, random)}]`));
    }
    case 5:
      return goesOn(frame(kinds.value, `[${id},${deep(1 + random.skewed(100_000))}]`));
    case 6:
      return goesOn(Buffer.concat([honest(valid), random.oneIn(2) ? honest(valid) : frame(kinds.ready, '')]));
    case 7:
      // Announces what never comes.
      return isLast(frame(kinds.value, `[${id},`, random.pick([0, 1, 2 ** 20, 2 ** 26 + 1, 2 ** 32 - 1])));
    case 8:
      return isLast(mutateBytes(honest(valid), random));
    case 9:
      return isLast(frame(kinds.value, random.bytes(random.skewed(5000))));
    case 10:
    case 11:
    case 12:
      return goesOn(honest(hostileAnswer(valid, random)));
    default:
      return goesOn(honest(valid));
  }
}

/** How a guest says that it stands: mostly it does. */
export function readyReply(random: Random): GuestReply {
  switch (random.int(32)) {
    case 0:
      return isLast(null);
    case 1: {
      const report = { message: random.pick(hostileTexts), memoryBytes: 1e12 };
      return goesOn(frame(kinds.startFailed, written(report, random)));
    }
    case 2:
      return goesOn(Buffer.concat([frame(kinds.ready, ''), frame(kinds.ready, '')]));
    case 3:
      return isLast(mutateBytes(frame(kinds.ready, 'x'), random));
    default:
      return goesOn(frame(kinds.ready, ''));
  }
}

/** The id and function of a call frame that the host sent. */
export function readCall(body: string): { readonly id: number; readonly func: string } {
  const call: unknown = JSON.parse(body);
  if (!Array.isArray(call) || typeof call[0] !== 'number' || typeof call[2] !== 'string')
    throw new Error('the host sent a call that is none');
  return { id: call[0], func: call[2] };
}

export const CALL_KIND = kinds.call;
/** The last frame of what a guest is started with. */
export const GLUE_KIND = 0x03;
