import { ComponentFailure, GuestRefusal } from './failures.js';
import type { EffectiveLimits } from './limits.js';
import { plainText } from './text-tail.js';
import type { ComponentFailureKind } from './types.js';
import { type Frame, frameKind } from './wire/frames.js';
import { decodeValue } from './wire/values.js';

/** Reads what a guest answers. All of it is untrusted: the glue writes to the pipe as it likes. */

export function protocolFailure(what: string): ComponentFailure {
  return new ComponentFailure('protocol', what);
}

interface Report {
  readonly message: string;
  readonly memoryBytes: number;
}

function readReport(value: unknown): Report {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const { message, memoryBytes } = fields;
  return {
    message: plainText(typeof message === 'string' ? message : ''),
    memoryBytes: typeof memoryBytes === 'number' ? memoryBytes : 0,
  };
}

/**
 * An allocator that fails traps like anything else that fails. When memory had grown to three quarters of its cap
 * the next growth is the likeliest cause: allocators ask for more than the few pages that are left.
 */
function kindOf(
  report: Report,
  limits: EffectiveLimits,
  otherwise: ComponentFailureKind,
): ComponentFailureKind {
  return report.memoryBytes >= limits.memoryBytes * 0.75 ? 'out-of-memory' : otherwise;
}

/** @throws ComponentFailure | UnfitValue */
export function readReady(frame: Frame, limits: EffectiveLimits): void {
  if (frame.kind === frameKind.ready) return;
  if (frame.kind !== frameKind.startFailed) throw protocolFailure('the guest answered out of turn');
  const report = readReport(decodeValue(frame.body));
  const detail = report.message === '' ? 'instantiation failed' : report.message;
  throw new ComponentFailure(kindOf(report, limits, 'instantiate'), detail);
}

export interface PendingCall {
  readonly id: number;
  readonly func: string;
}

/** @throws GuestRefusal | ComponentFailure | UnfitValue */
export function readAnswer(frame: Frame, call: PendingCall, limits: EffectiveLimits): unknown {
  const { value, refusal, trap } = frameKind;
  if (frame.kind !== value && frame.kind !== refusal && frame.kind !== trap) {
    throw protocolFailure('the guest answered out of turn');
  }
  const answer = decodeValue(frame.body);
  if (!Array.isArray(answer) || answer.length !== 2 || answer[0] !== call.id) {
    throw protocolFailure('the guest answered another call');
  }
  const payload: unknown = answer[1];
  if (frame.kind === value) return payload;
  if (frame.kind === refusal) throw new GuestRefusal(payload);
  const report = readReport(payload);
  const detail = `${call.func}: ${report.message === '' ? 'trapped' : report.message}`;
  throw new ComponentFailure(kindOf(report, limits, 'trap'), detail);
}
