import type { Bindings } from './bindings.js';
import { CLASS_IN, type DnsQuestion, RCODE, readQuestion, TYPE, writeReply } from './dns-message.js';
import { createQuestionRate } from './question-rate.js';
import type { LookUpName, NameLookup } from './resolve-name.js';
import { formatRule, type RuleMatcher } from './rules.js';
import type { Egress, EgressEvent, EgressLimits, EgressRule, RefusalReason } from './types.js';

/** The parts that answering questions needs. */
export interface AnswerDnsOptions {
  readonly match: RuleMatcher;
  readonly lookUp: LookUpName;
  readonly bindings: Bindings;
  readonly limits: EgressLimits;
  readonly clock: () => number;
  readonly onEvent: (event: EgressEvent) => void;
  readonly key: string;
}

/** Answers DNS questions from the rules. Implements docs/spec/egress “names”. */
export function createDnsAnswers(options: AnswerDnsOptions): Egress['answerDns'] {
  const { match, lookUp, bindings, limits, clock, onEvent, key } = options;
  const mayAsk = createQuestionRate(limits.questionsPerSecond, clock);
  let pending = 0;
  let lastDropTold = Number.NEGATIVE_INFINITY;

  const drop = (): null => {
    if (clock() - lastDropTold >= 1_000) {
      lastDropTold = clock();
      onEvent({ kind: 'questions-dropped', key });
    }
    return null;
  };

  const refuse = (
    question: DnsQuestion,
    how: keyof typeof RCODE_OF,
    reason: RefusalReason,
    more: { rule?: EgressRule; addresses?: readonly string[]; remedy?: string | null } = {},
  ): Uint8Array => {
    const { rule, addresses = [], remedy = null } = more;
    onEvent({
      kind: 'name-refused',
      host: question.name ?? question.shownName,
      addresses,
      port: null,
      rule: rule === undefined ? null : formatRule(rule),
      key,
      how,
      reason,
      remedy,
    });
    return writeReply(question, { rcode: RCODE_OF[how] });
  };

  const tell = (question: DnsQuestion, name: string, rule: EgressRule, lookup: NameLookup): Uint8Array => {
    if (lookup.outcome === 'failed') return refuse(question, 'servfail', 'unanswered', { rule });
    if (lookup.outcome === 'no-such-name') return refuse(question, 'nxdomain', 'no-such-name', { rule });
    const { addresses, refused, ttlSeconds } = lookup;
    // Not NXDOMAIN where everything was taken out: the name may still have addresses of the other family.
    if (addresses.length === 0 && refused.length > 0) {
      return refuse(question, 'nodata', 'address-class', { rule, addresses: refused });
    }
    // Before the reply is out: the program connects as soon as it has it.
    for (const { text } of addresses) bindings.remember(text, name, 'bounded');
    onEvent({
      kind: 'name-answered',
      host: name,
      addresses: addresses.map(({ text }) => text),
      rule: formatRule(rule),
      key,
    });
    return writeReply(question, { rcode: RCODE.noError, addresses, ttlSeconds });
  };

  return async (datagram) => {
    if (!mayAsk()) return drop();
    const reading = readQuestion(datagram);
    if (reading.kind === 'silence') return null;
    if (reading.kind === 'reply') return reading.bytes;
    const { question } = reading;
    if (question.class !== CLASS_IN) return writeReply(question, { rcode: RCODE.refused });
    const { name } = question;
    const rule = name === null ? null : match(name, null);
    // Nothing is asked outside for an unlisted name: the question alone would carry data out.
    if (name === null || rule === null) return refuse(question, 'nxdomain', 'unlisted', { remedy: name });
    if (question.type !== TYPE.A && question.type !== TYPE.AAAA) {
      return writeReply(question, { rcode: RCODE.noError });
    }
    if (pending >= limits.pendingQuestions) return drop();
    pending += 1;
    try {
      return tell(question, name, rule, await lookUp(name, question.type === TYPE.A ? 4 : 6));
    } finally {
      pending -= 1;
    }
  };
}

const RCODE_OF = {
  nxdomain: RCODE.noSuchName,
  nodata: RCODE.noError,
  servfail: RCODE.serverFailure,
} as const;
