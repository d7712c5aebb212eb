import { diagnose } from '@murmur/errors';
import type { Address } from './address.js';
import { bracketed } from './address.js';
import { type AddressClass, CLASS_PHRASES } from './address-class.js';
import { formatRule } from './rules.js';
import type { EgressRule, RefusalReason } from './types.js';

/** What is known about a connection that is refused. */
export interface RefusedConnection {
  readonly reason: RefusalReason;
  readonly address: Address | null;
  readonly addressClass: AddressClass | null;
  readonly port: number;
  /** Names that were resolved to the address. */
  readonly names: readonly string[];
  /** What the program called it, canonical; null when unknown. */
  readonly originalName: string | null;
  /** The nearest rule. */
  readonly rule: EgressRule | null;
  readonly key: string;
}

/** The line that would allow a refused connection; null when none would. */
export function remedyLine(refused: RefusedConnection): string | null {
  const { reason, address, addressClass, port, names, originalName } = refused;
  if (address === null || addressClass === 'unusable') return null;
  if (reason !== 'unlisted' && reason !== 'port' && reason !== 'address-class') return null;
  // Only the address itself opens what lies inside: a line with the name would be of no use.
  const host = addressClass === 'public' ? (names[0] ?? originalName ?? address.text) : address.text;
  return formatRule({ scheme: null, host, port });
}

/** Longest answer to a refused request; far above what the texts need. */
const LONGEST_BODY_BYTES = 2_048;

/**
 * The whole answer to a refused plain-HTTP request, written for whoever reads it: a person, or an agent that
 * would otherwise take it for a broken proxy and look for a way around.
 */
export function refusalAnswer(refused: RefusedConnection): Uint8Array {
  const { code, message, hint } = diagnose({
    variant: 'ConnectionRefused',
    target: targetOf(refused),
    reason: reasonText(refused),
    key: refused.key,
    entry: remedyLine(refused),
  });
  const body = `${code}: ${message}\n${hint === undefined ? '' : `${hint}\n`}`.slice(0, LONGEST_BODY_BYTES);
  return new TextEncoder().encode(
    [
      'HTTP/1.1 403 Forbidden',
      'content-type: text/plain; charset=utf-8',
      `content-length: ${new TextEncoder().encode(body).length}`,
      'cache-control: no-store',
      `x-murmur-code: ${code}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function targetOf({ address, port, names, originalName }: RefusedConnection): string {
  const name = names[0] ?? originalName;
  const place = address === null ? '?' : `${bracketed(address)}:${port}`;
  return name === undefined || name === null ? place : `${name}:${port} (${place})`;
}

function reasonText({ reason, addressClass, rule, key }: RefusedConnection): string {
  switch (reason) {
    case 'unlisted':
      return `no entry of ${key} names it`;
    case 'port':
      return `${rule === null ? 'the entry' : `'${formatRule(rule)}'`} in ${key} is for another port`;
    case 'address-class':
      return addressClass === 'unusable'
        ? `it is ${CLASS_PHRASES.unusable}, whatever ${key} holds`
        : `it is ${CLASS_PHRASES[addressClass ?? 'special']}, which ${key} must list as an address`;
    case 'too-many':
      return `too many connections are open; ${key} does not decide this`;
    case 'not-an-address':
      return 'the destination is no address';
    case 'no-such-name':
    case 'unanswered':
      return 'its name leads nowhere';
    default: {
      const never: never = reason;
      return never;
    }
  }
}
