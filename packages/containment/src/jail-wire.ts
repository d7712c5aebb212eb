/** A root of its own, as the wire carries it. */
export interface JailPlan {
  readonly class: 'scoped' | 'sealed';
  readonly hostUid: number;
  readonly hostGid: number;
  readonly insideUid: number;
  readonly insideGid: number;
  readonly network: 'none' | 'loopback';
  readonly home: string;
  readonly tmpBytes: number;
  readonly sharedMemoryBytes: number;
  /** In the order in which they are placed. */
  readonly mounts: readonly JailEntry[];
  /** What may be done with what is there. */
  readonly rules: readonly JailEntry[];
}

export interface JailEntry {
  /** `empty` is for mounts only. */
  readonly access: 'read' | 'write' | 'execute' | 'empty';
  readonly path: string;
  /** Left out where the host lacks it. */
  readonly optional?: boolean;
}

const CLASS_CODES = { scoped: 1, sealed: 2 } as const;
const NETWORK_CODES = { none: 0, loopback: 1 } as const;
const ACCESS_LETTERS = { read: 'r', write: 'w', execute: 'x', empty: 'e' } as const;

function entries(list: readonly JailEntry[]): Buffer {
  const texts = list.map(
    ({ access, path, optional }) => `${ACCESS_LETTERS[access]}${optional === true ? '?' : '!'}${path}\0`,
  );
  return Buffer.from(texts.join(''), 'utf8');
}

function identity(plan: JailPlan): Buffer {
  const payload = Buffer.alloc(16);
  [plan.hostUid, plan.hostGid, plan.insideUid, plan.insideGid].forEach((id, index) => {
    payload.writeUInt32LE(id, 4 * index);
  });
  return payload;
}

function sizes(plan: JailPlan): Buffer {
  const payload = Buffer.alloc(16);
  payload.writeBigUInt64LE(BigInt(plan.tmpBytes), 0);
  payload.writeBigUInt64LE(BigInt(plan.sharedMemoryBytes), 8);
  return payload;
}

/** Tag and payload of each field that describes the jail (`docs/spec/containment.md`, "Launch specification"). */
export function jailFields(plan: JailPlan): readonly (readonly [tag: number, payload: Buffer])[] {
  return [
    [32, Buffer.from([CLASS_CODES[plan.class]])],
    [33, identity(plan)],
    [34, Buffer.from([NETWORK_CODES[plan.network]])],
    [35, Buffer.from(`${plan.home}\0`, 'utf8')],
    [36, sizes(plan)],
    [37, entries(plan.mounts)],
    [38, entries(plan.rules)],
  ];
}
