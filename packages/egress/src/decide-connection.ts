import { type Address, parseAddress } from './address.js';
import { type AddressClass, classifyAddress } from './address-class.js';
import type { Bindings } from './bindings.js';
import { canonicalAsciiName } from './host-name.js';
import { type RefusedConnection, refusalAnswer, remedyLine } from './refusal.js';
import { isLocalhostAddress } from './resolve-name.js';
import { formatRule, isPort, type RuleMatcher } from './rules.js';
import type { ConnectionAttempt, Egress, EgressEvent, EgressLimits, EgressRule, Verdict } from './types.js';

/** The parts that decisions need. */
export interface DecideConnectionOptions {
  readonly match: RuleMatcher;
  readonly bindings: Bindings;
  readonly plainHttpPorts: ReadonlySet<number>;
  readonly isHostAddress: (text: string) => boolean;
  readonly limits: EgressLimits;
  readonly onEvent: (event: EgressEvent) => void;
  readonly key: string;
}

/** Decides connections and counts the open ones. Implements docs/spec/egress “connections”. */
export function createDecisions(
  options: DecideConnectionOptions,
): Pick<Egress, 'decideConnection' | 'endConnection'> {
  const { limits, onEvent, key } = options;
  const open = new Map<number, 'dialled' | 'told'>();
  let lastConnection = 0;

  const openOnes = (kind: 'dialled' | 'told'): number => {
    let count = 0;
    for (const each of open.values()) if (each === kind) count += 1;
    return count;
  };

  const take = (kind: 'dialled' | 'told'): number => {
    lastConnection += 1;
    open.set(lastConnection, kind);
    return lastConnection;
  };

  const refuse = (refused: RefusedConnection, attempt: ConnectionAttempt): Verdict => {
    const inWords =
      refused.reason !== 'too-many' &&
      refused.reason !== 'not-an-address' &&
      options.plainHttpPorts.has(attempt.port) &&
      openOnes('told') < limits.toldRefusals;
    const how = inWords ? 'http-403' : 'reset';
    const rule = refused.rule === null ? null : formatRule(refused.rule);
    const remedy = remedyLine(refused);
    onEvent({
      kind: 'connection-refused',
      host: refused.names.length === 1 ? (refused.names[0] ?? null) : null,
      address: refused.address === null ? '' : refused.address.text,
      port: attempt.port,
      names: refused.names,
      rule,
      key,
      how,
      reason: refused.reason,
      remedy,
      originalName: refused.originalName,
    });
    return {
      kind: 'refuse',
      how,
      reason: refused.reason,
      rule,
      key,
      remedy,
      bytes: inWords ? refusalAnswer(refused) : new Uint8Array(0),
      connection: inWords ? take('told') : null,
    };
  };

  return {
    decideConnection(attempt) {
      const address = parseAddress(attempt.destination);
      const known = {
        address,
        addressClass: address === null ? null : classifyAddress(address, options.isHostAddress),
        port: attempt.port,
        names: address === null ? [] : options.bindings.namesOf(address.text),
        originalName: attempt.originalName === undefined ? null : canonicalAsciiName(attempt.originalName),
        rule: null,
        key,
      };
      if (address === null || known.addressClass === null || !isPort(attempt.port)) {
        return refuse({ ...known, reason: 'not-an-address' }, attempt);
      }
      const found = allowingRule(address, known.addressClass, attempt.port, known.names, options.match);
      if (found.kind === 'refused') {
        return refuse({ ...known, reason: found.reason, rule: found.rule }, attempt);
      }
      if (openOnes('dialled') >= limits.connections) {
        return refuse({ ...known, reason: 'too-many', rule: found.rule }, attempt);
      }
      const connection = take('dialled');
      const rule = formatRule(found.rule);
      onEvent({
        kind: 'connection-allowed',
        connection,
        address: address.text,
        port: attempt.port,
        names: known.names,
        rule,
        key,
        originalName: known.originalName,
      });
      return {
        kind: 'dial',
        connection,
        address: address.text,
        family: address.family,
        port: attempt.port,
        rule,
        names: known.names,
      };
    },
    endConnection(end) {
      if (open.delete(end.connection)) onEvent({ kind: 'connection-ended', ...end });
    },
  };
}

type Finding =
  | { readonly kind: 'allowed'; readonly rule: EgressRule }
  | {
      readonly kind: 'refused';
      readonly reason: 'unlisted' | 'port' | 'address-class';
      readonly rule: EgressRule | null;
    };

function allowingRule(
  address: Address,
  addressClass: AddressClass,
  port: number,
  names: readonly string[],
  match: RuleMatcher,
): Finding {
  if (addressClass === 'unusable') return { kind: 'refused', reason: 'address-class', rule: null };
  const listedAs = isLocalhostAddress(address) ? [address.text, 'localhost'] : [address.text];
  // Names count for public addresses only. A name that was allowed to lead inside, because the address is listed,
  // opens no port there but the listed one.
  const hosts = addressClass === 'public' ? [...listedAs, ...names] : listedAs;
  for (const host of hosts) {
    const rule = match(host, port);
    if (rule !== null) return { kind: 'allowed', rule };
  }
  for (const host of hosts) {
    const rule = match(host, null);
    if (rule !== null) return { kind: 'refused', reason: 'port', rule };
  }
  return { kind: 'refused', reason: addressClass === 'public' ? 'unlisted' : 'address-class', rule: null };
}
