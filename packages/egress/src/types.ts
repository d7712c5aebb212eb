import type { RuleMatcher } from './rules.js';

/** One entry of an allow list as data. `@murmur/policy`'s rules can be handed in as they are. */
export interface EgressRule {
  /** Null: any scheme. A scheme without a port stands for its default port. */
  readonly scheme: 'http' | 'https' | null;
  /** A name, an IPv4 address, or an IPv6 address without brackets. */
  readonly host: string;
  /** Null: any port. */
  readonly port: number | null;
}

/** What a resolver found. Addresses are checked here; a resolver need not filter them. */
export type NameAnswer =
  | {
      readonly outcome: 'found';
      /** Of the family that was asked for; empty when the name has none of it. */
      readonly addresses: readonly string[];
      /** How long the answer may be kept; bounded by {@link EgressLimits}. */
      readonly ttlSeconds?: number;
    }
  /** The name does not exist. */
  | { readonly outcome: 'no-such-name' }
  /** Nobody gave an answer. */
  | { readonly outcome: 'failed' };

/**
 * Asks the outside world about a listed name, spelt canonically. The signal ends it after
 * {@link EgressLimits.resolveMs}. A rejection counts as `failed`.
 */
export type NameResolver = (name: string, family: 4 | 6, signal: AbortSignal) => Promise<NameAnswer>;

/** Ceilings of one session. */
export interface EgressLimits {
  /** Connections open at once; one more is refused. */
  readonly connections: number;
  /** Refusals being told over HTTP at once; one more is a reset. */
  readonly toldRefusals: number;
  /** DNS questions per second; more are dropped. */
  readonly questionsPerSecond: number;
  /** DNS questions waiting for the resolver; more are dropped. */
  readonly pendingQuestions: number;
  /** How long a resolver may take. */
  readonly resolveMs: number;
  /** How long an answer leads connections back to its name. */
  readonly bindingMs: number;
  /** Addresses remembered at once; the oldest is forgotten for a new one. */
  readonly bindings: number;
  /** Bounds of the lifetime that an answer tells the program, and for which it is not asked for again. */
  readonly shortestTtlSeconds: number;
  readonly longestTtlSeconds: number;
  /** Addresses in one answer. */
  readonly addressesPerAnswer: number;
}

/** What `createEgress` is told. */
export interface EgressOptions {
  readonly rules: readonly EgressRule[];
  readonly resolve: NameResolver;
  /** The addresses of the host's own interfaces: a name that leads to one is refused. */
  readonly hostAddresses: readonly string[];
  readonly limits?: Partial<EgressLimits>;
  /** Receives one event for each decision. Must not throw. */
  readonly onEvent: (event: EgressEvent) => void;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
  /** The manifest key that refusals name. Default `capabilities.network.allow`. */
  readonly key?: string;
  /**
   * Decides instead of `rules` whether a canonical host may be reached. Address classes, ceilings and the tie of
   * a connection to the name it was resolved from hold whatever it says.
   */
  readonly match?: RuleMatcher;
}

/** A connection that a program has made. */
export interface ConnectionAttempt {
  /** The address it was made to, before any redirection. */
  readonly destination: string;
  readonly port: number;
  /** What the program said of itself (SNI, `Host`), where that is known. Logged; never part of the decision. */
  readonly originalName?: string;
}

/** Why something was refused. */
export type RefusalReason =
  | 'unlisted'
  | 'port'
  | 'address-class'
  | 'too-many'
  | 'not-an-address'
  | 'no-such-name'
  | 'unanswered';

/** What to do with a connection. */
export type Verdict =
  | {
      readonly kind: 'dial';
      /** To be handed to `endConnection` once. */
      readonly connection: number;
      /** Connect to exactly this; resolve nothing again. */
      readonly address: string;
      readonly family: 4 | 6;
      readonly port: number;
      /** The rule that allows it, as a line. */
      readonly rule: string;
      /** The names that this session resolved to the address. */
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'refuse';
      /** `reset`: at once, without a byte. `http-403`: after the program's first bytes send `bytes`, then close. */
      readonly how: 'reset' | 'http-403';
      readonly reason: RefusalReason;
      /** The nearest rule there is, as a line; null when none names the host. */
      readonly rule: string | null;
      /** The manifest key that decides. */
      readonly key: string;
      /** The line that would allow it; null when none would. */
      readonly remedy: string | null;
      /** Empty for a reset. */
      readonly bytes: Uint8Array;
      /** To be handed to `endConnection` once; null for a reset, which is over at once. */
      readonly connection: number | null;
    };

/** How a connection ended. */
export interface ConnectionEnd {
  readonly connection: number;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** A decision, for the trace. Never a payload. */
export type EgressEvent =
  | {
      readonly kind: 'connection-allowed';
      readonly connection: number;
      readonly address: string;
      readonly port: number;
      readonly names: readonly string[];
      readonly rule: string;
      readonly key: string;
      readonly originalName: string | null;
    }
  | {
      readonly kind: 'connection-refused';
      /** The name the address was resolved from, when there is exactly one. */
      readonly host: string | null;
      readonly address: string;
      readonly port: number;
      readonly names: readonly string[];
      readonly rule: string | null;
      readonly key: string;
      readonly how: 'reset' | 'http-403';
      readonly reason: RefusalReason;
      readonly remedy: string | null;
      readonly originalName: string | null;
    }
  | ({ readonly kind: 'connection-ended' } & ConnectionEnd)
  | {
      readonly kind: 'name-answered';
      readonly host: string;
      readonly addresses: readonly string[];
      readonly rule: string;
      readonly key: string;
    }
  | {
      readonly kind: 'name-refused';
      /** Printable; escaped where the program's bytes were not. */
      readonly host: string;
      /** What was taken out of an answer. */
      readonly addresses: readonly string[];
      readonly port: null;
      readonly rule: string | null;
      readonly key: string;
      readonly how: 'nxdomain' | 'nodata' | 'servfail';
      readonly reason: RefusalReason;
      readonly remedy: string | null;
    }
  /** Told once for each second in which questions were dropped. */
  | { readonly kind: 'questions-dropped'; readonly key: string };

/** What became of a listed name when it was looked up ahead. */
export interface ListedName {
  readonly name: string;
  /** `refused`: it leads only where names may not lead. `no-address`: it does not exist, or has none. */
  readonly outcome: 'found' | 'refused' | 'no-address' | 'failed';
  /** The addresses that connections may be made to. */
  readonly addresses: readonly string[];
}

/** The decisions of one session. */
export interface Egress {
  /**
   * Looks up every listed name once. What is found stays tied to its name for the whole session, so that programs
   * with a resolver or a cache of their own get through. Says which names lead nowhere; never throws.
   */
  readonly lookUpListed: () => Promise<readonly ListedName[]>;
  /** What to do with a connection. Never throws for anything a program can cause. */
  readonly decideConnection: (attempt: ConnectionAttempt) => Verdict;
  /** Gives a connection's place back. A number that is not open is ignored. */
  readonly endConnection: (end: ConnectionEnd) => void;
  /** The reply to one DNS datagram; null: say nothing. Never rejects for anything a program can send. */
  readonly answerDns: (datagram: Uint8Array) => Promise<Uint8Array | null>;
}
