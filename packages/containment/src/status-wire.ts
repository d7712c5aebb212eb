import type { ExitRecord } from './types.js';

export const RECORD_BYTES = 64;

/** Steps by the numbers that a failed record carries. */
const STAGES = [
  'none',
  'read the specification',
  'open the program',
  'open the working directory',
  'create pipes',
  'start the guardian',
  'fork',
  'start a session',
  'tie the program to its parent',
  'set process limits',
  'give up new privileges',
  'place descriptors',
  'reset signals',
  'execute the program',
  'keep the guardian alive',
  'make namespaces',
  'map the ids',
  'take the identity',
  'take what was granted',
  'start the root',
  'place devices',
  'place the process listing',
  'place the scratch space',
  'place what was granted',
  'place the accounts',
  'enter the root',
  'set up the loopback network',
  'end nested namespaces',
  'build the Landlock rules',
  'load the system call filter',
  'drop capabilities',
  'keep the first process alive',
] as const;

export type Stage = (typeof STAGES)[number];

/** Bit by bit, from the lowest on. */
const LAYERS = [
  'reaper',
  'lifeline',
  'session',
  'environment',
  'limits',
  'descriptors',
  'no-new-privileges',
  'tree-ended',
  'identity',
  'namespaces',
  'own-root',
  'hidden-host',
  'own-devices',
  'own-process-listing',
  'no-nested-namespaces',
  'no-capabilities',
  'landlock',
  'landlock-network',
  'system-call-filter',
] as const;

/** One record of the warden (`docs/spec/containment.md`, "Status records"). */
export type StatusRecord =
  /** Numbers of the runtime's pipe ends inside the warden; null where the program has `/dev/null`. */
  | { readonly kind: 'ready'; readonly runtimeEnds: readonly (number | null)[] }
  | { readonly kind: 'started'; readonly pid: number }
  /** `errno` is 0 when no system call failed. */
  | { readonly kind: 'failed'; readonly stage: Stage; readonly errno: number; readonly detail: number }
  | { readonly kind: 'exited'; readonly exit: ExitRecord };

function decodeReady(record: Buffer): StatusRecord {
  const count = record.readUInt32LE(16);
  if (count > 19) throw new Error(`a ready record with ${count} descriptors`);
  const numbers = Array.from({ length: count }, (_, index) => record.readUInt16LE(20 + 2 * index));
  return { kind: 'ready', runtimeEnds: numbers.map((number) => (number === 0xffff ? null : number)) };
}

function decodeExited(record: Buffer): StatusRecord {
  const code = record.readInt32LE(20);
  const signal = record.readInt32LE(24);
  const bits = record.readUInt32LE(56);
  const exit: ExitRecord = {
    code: code < 0 ? null : code,
    signal: signal === 0 ? null : signal,
    oomKilled: (record.readUInt32LE(28) & 1) !== 0,
    userTimeUs: Number(record.readBigUInt64LE(32)),
    systemTimeUs: Number(record.readBigUInt64LE(40)),
    maxRssBytes: Number(record.readBigUInt64LE(48)),
    layers: Object.freeze(LAYERS.filter((_, bit) => (bits & (1 << bit)) !== 0)),
  };
  return { kind: 'exited', exit: Object.freeze(exit) };
}

/** Decodes one record of exactly {@link RECORD_BYTES}; throws on anything the warden cannot have written. */
export function decodeRecord(record: Buffer): StatusRecord {
  if (record.length !== RECORD_BYTES || record.toString('latin1', 0, 4) !== 'MWST') {
    throw new Error('not a status record');
  }
  const version = record.readUInt16LE(4);
  if (version !== 1) throw new Error(`status record version ${version}`);
  const kind = record.readUInt16LE(6);
  switch (kind) {
    case 1:
      return decodeReady(record);
    case 2:
      return { kind: 'started', pid: record.readUInt32LE(20) };
    case 3: {
      const stage = STAGES[record.readUInt16LE(8)];
      if (stage === undefined) throw new Error(`unknown stage ${record.readUInt16LE(8)}`);
      return { kind: 'failed', stage, errno: record.readInt32LE(12), detail: record.readUInt32LE(16) };
    }
    case 4:
      return decodeExited(record);
    default:
      throw new Error(`unknown status record ${kind}`);
  }
}

/** Cuts a stream of bytes into records. */
export function recordReader(onRecord: (record: StatusRecord) => void): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (pending.length >= RECORD_BYTES) {
      const record = pending.subarray(0, RECORD_BYTES);
      pending = pending.subarray(RECORD_BYTES);
      onRecord(decodeRecord(record));
    }
  };
}

/** What the runtime may ask of a warden. */
export type Command =
  | { readonly kind: 'go' }
  | { readonly kind: 'kill' }
  | { readonly kind: 'signal'; readonly signal: number };

const COMMAND_CODES = { go: 1, signal: 2, kill: 3 } as const;

/** The eight bytes of a command (`docs/spec/containment.md`, "Commands"). */
export function encodeCommand(command: Command): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.write('C', 0, 'latin1');
  bytes.writeUInt8(COMMAND_CODES[command.kind], 1);
  if (command.kind === 'signal') bytes.writeUInt16LE(command.signal, 2);
  return bytes;
}
