import { PassThrough, Readable, Writable } from 'node:stream';
import type { ExitRecord, Jail, JailedProcess } from '@murmur/containment';
import {
  CALL_KIND,
  GLUE_KIND,
  type GuestReply,
  hostileReply,
  readCall,
  readyReply,
} from '../mutate/guest-frames.js';
import { inPieces } from '../mutate/harness-lines.js';
import type { Random } from '../random.js';

/** A valid answer to a call of a driver. */
export type ValidAnswer = (func: string) => unknown;

/** A guest that is nothing but its end of the wire: it answers frames with hostile bytes. No process is started. */
function wireGuest(random: Random, valid: ValidAnswer): JailedProcess {
  const fromChild = new PassThrough();
  let end: (record: ExitRecord) => void = () => undefined;
  const exited = new Promise<ExitRecord>((resolve) => {
    end = resolve;
  });
  const die = (code: number | null, signal: number | null): void => {
    end({
      code,
      signal,
      oomKilled: random.oneIn(8),
      userTimeUs: 0,
      systemTimeUs: 0,
      maxRssBytes: 0,
      layers: [],
    });
    fromChild.end();
  };
  const reply = ({ bytes, ends }: GuestReply): void => {
    if (bytes !== null) for (const piece of inPieces(bytes, random)) fromChild.write(piece);
    if (ends) die(random.oneIn(2) ? random.int(256) : null, random.oneIn(2) ? 9 : null);
  };
  let held = Buffer.alloc(0);
  const toChild = new Writable({
    write(chunk: Buffer, _encoding, done) {
      held = Buffer.concat([held, chunk]);
      while (held.length >= 5 && held.length >= 4 + held.readUInt32LE(0)) {
        const length = held.readUInt32LE(0);
        const kind = held.readUInt8(4);
        const body = held.toString('utf8', 5, 4 + length);
        held = held.subarray(4 + length);
        if (kind === GLUE_KIND) reply(readyReply(random));
        else if (kind === CALL_KIND) {
          const { id, func } = readCall(body);
          reply(hostileReply(id, valid(func), random));
        }
      }
      done();
    },
  });
  const printed = random.oneIn(4) ? [Buffer.from('panicked: \u001b[31m'), random.bytes(200)] : [];
  return {
    pid: 1,
    stdin: null,
    stdout: Readable.from([]),
    stderr: Readable.from(printed),
    channels: [fromChild, toChild],
    exited,
    signal: () => true,
    async kill() {
      die(null, 9);
      fromChild.destroy();
      toChild.destroy();
    },
  };
}

/** A jail that starts such guests. */
export function wireGuestJail(random: () => Random, valid: ValidAnswer): Jail {
  return {
    spec: { class: 'advisory', label: 'guest' },
    spawn: async () => wireGuest(random(), valid),
    kill: async () => undefined,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
