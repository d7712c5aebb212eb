import { type JailPlan, jailFields } from './jail-wire.js';
import type { ProcessLimits } from './types.js';

/** What is to be run, as the wire carries it. */
export interface LaunchSpec {
  readonly program: string;
  /** The program's own name first. */
  readonly argumentList: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** What stands behind descriptor 0, 1, 2, … */
  readonly descriptors: readonly DescriptorKind[];
  readonly limits: ProcessLimits;
  /** A root of its own; absent at `advisory`. */
  readonly jail?: JailPlan;
}

export type DescriptorKind = 'null' | 'programReads' | 'programWrites';

const SPEC_VERSION = 2;
export const SPEC_MAX_BYTES = 4 * 1024 * 1024;
/** More than everything of a specification that is no text takes. */
export const SPEC_FRAMING_BYTES = 1024;
export const SPEC_MAX_CHANNELS = 16;
export const SPEC_MAX_ARGUMENTS = 4096;
export const SPEC_MAX_VARIABLES = 1024;
export const SPEC_MAX_PATH_BYTES = 4096;

const KIND_ONE_SHOT = 1;
const DESCRIPTOR_CODES = { null: 0, programReads: 1, programWrites: 2 } as const;

/** In the order of their tags, from 16 on. */
const LIMIT_TAGS = {
  openFiles: 16,
  processes: 17,
  fileSizeBytes: 18,
  cpuSeconds: 19,
  dataBytes: 20,
} as const satisfies Record<keyof ProcessLimits, number>;

function field(tag: number, payload: Buffer): Buffer[] {
  const header = Buffer.alloc(8);
  header.writeUInt16LE(tag, 0);
  header.writeUInt32LE(payload.length, 4);
  return [header, payload];
}

const closedByNul = (strings: readonly string[]): Buffer =>
  Buffer.from(strings.map((text) => `${text}\0`).join(''), 'utf8');

function limitFields(limits: ProcessLimits): Buffer[] {
  return Object.entries(LIMIT_TAGS).flatMap(([name, tag]) => {
    const value = limits[name as keyof ProcessLimits];
    if (value === undefined) return [];
    const payload = Buffer.alloc(8);
    payload.writeBigUInt64LE(BigInt(value));
    return field(tag, payload);
  });
}

/**
 * The bytes of a launch specification (`docs/spec/containment.md`, "Launch specification").
 * @throws Error when they are more than the warden accepts
 */
export function encodeSpec(spec: LaunchSpec): Buffer {
  const fields = [
    ...field(1, closedByNul([spec.program])),
    ...field(2, closedByNul(spec.argumentList)),
    ...field(3, closedByNul(Object.entries(spec.env).map(([name, value]) => `${name}=${value}`))),
    ...field(4, closedByNul([spec.cwd])),
    ...field(5, Buffer.from(spec.descriptors.map((kind) => DESCRIPTOR_CODES[kind]))),
    ...limitFields(spec.limits),
    ...(spec.jail === undefined
      ? []
      : jailFields(spec.jail).flatMap(([tag, payload]) => field(tag, payload))),
  ];
  const header = Buffer.alloc(16);
  const totalBytes = fields.reduce((total, part) => total + part.length, header.length);
  if (totalBytes > SPEC_MAX_BYTES) throw new Error(`spawn request: more than ${SPEC_MAX_BYTES} bytes in all`);
  header.write('MURW', 0, 'latin1');
  header.writeUInt16LE(SPEC_VERSION, 4);
  header.writeUInt16LE(KIND_ONE_SHOT, 6);
  header.writeUInt32LE(totalBytes, 8);
  return Buffer.concat([header, ...fields]);
}
