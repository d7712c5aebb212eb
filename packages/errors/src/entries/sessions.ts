import { errorEntry } from '../define.js';
import { number, optional, osErrorField, prose, text, textList } from '../fields.js';
import { osText, quotedList } from '../phrase.js';

/** Addressing, stopping and controlling running sessions. */
export const runningSessionErrors = [
  errorEntry({
    variant: null,
    code: 'E-RUN-022',
    stage: 'any',
    fields: { address: text, reason: prose },
    summary: 'Nothing running here has this address.',
    message: (f) => `nothing running here answers to '${f.address}': ${f.reason}`,
    remedy: "start the capsule, look at 'mur ps', or pass --url for an address elsewhere",
    explanation: 'The record of the session is absent or stale; stale records met on the way were removed.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-023',
    stage: 'any',
    fields: { session: text, address: text, reason: prose },
    summary: 'The session runs and its door does not answer for it.',
    message: (f) =>
      `session ${f.session} is alive and its door at '${f.address}' did not answer as it: ${f.reason}`,
    remedy: (f) => `try again, or look with 'mur trace show ${f.session}'; its record is kept`,
    explanation: 'The process exists. Its agent card did not come back, or names another session, or none.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-024',
    stage: 'any',
    fields: { target: text, signal: text, pid: number, reason: prose },
    summary: 'A session or formation could not be stopped.',
    message: (f) => `'${f.target}' could not be stopped: ${f.signal} to pid ${f.pid}: ${f.reason}`,
    remedy: 'the process often belongs to another user: stop it as that user; its record is kept',
    explanation:
      'The process lives and did not end. The message says which signal was sent to which process and why it had no effect.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-028',
    stage: 'any',
    fields: { path: text, source: osErrorField },
    summary: 'The directory of running sessions cannot be used.',
    message: (f) => `'${f.path}' cannot be used: ${osText(f.source)}`,
    remedy: (f) => `make '${f.path}' a directory that this user owns, mode 0700`,
    explanation:
      'Running sessions are found by their records in this directory. The command did nothing else.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-042',
    stage: 'any',
    fields: {
      session: text,
      method: optional(text),
      path: optional(text),
      status: optional(number),
      reason: prose,
    },
    summary: 'The control surface refused, or the session has none.',
    message: (f) =>
      `session ${f.session} cannot be controlled: ` +
      (f.method === null ? '' : `${f.method} ${f.path} answered HTTP ${f.status}: `) +
      f.reason,
    remedy: (f) =>
      f.method === null
        ? 'declare control in murmur.yaml and start the capsule again'
        : 'see the reason that the session gave',
    explanation:
      'A session can be controlled only when its manifest has a control block. Tokens and secret values are never printed.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-048',
    stage: 'any',
    fields: { session: text },
    summary: 'The door of the session is public and has no token.',
    message: (f) => `the door of session ${f.session} is public: no token was minted for it`,
    remedy: 'call it without a token, or check the address',
    explanation: 'Tokens exist only where the manifest declares network.authentication.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-049',
    stage: 'any',
    fields: { session: text, credential: text, minted: textList },
    summary: 'The session minted no credential of this name.',
    message: (f) =>
      `session ${f.session} minted no credential called '${f.credential}'; it minted ${quotedList(f.minted)}`,
    remedy: (f) =>
      `use one of ${quotedList(f.minted)}; credentials added to the manifest later need a new launch`,
    explanation: 'Credentials are minted once, when the session starts.',
  }),
] as const;

/** Conversations kept on this host, and traces. */
export const recordErrors = [
  errorEntry({
    variant: null,
    code: 'E-CNV-001',
    stage: 'any',
    fields: { target: text },
    summary: 'No such record store or context.',
    message: (f) => `no record store or context '${f.target}' under ~/.murmur/conversations/`,
    remedy: "list what exists with 'mur conversation ls'",
    explanation: 'It is decided before anything is read or written.',
  }),
  errorEntry({
    variant: null,
    code: 'E-CNV-002',
    stage: 'any',
    fields: { context_id: text, stores: textList },
    summary: 'The context exists in several stores.',
    message: (f) => `context '${f.context_id}' exists in several stores: ${quotedList(f.stores)}`,
    remedy: 'say which with --record <NAME>',
    explanation: 'The same context id was used with different record stores.',
  }),
  errorEntry({
    variant: null,
    code: 'E-CNV-003',
    stage: 'parse',
    fields: { keep: number },
    summary: 'truncate --keep is below 1.',
    message: (f) => `--keep ${f.keep} would leave nothing`,
    remedy: "use 'mur conversation rm' to remove the whole conversation",
    explanation: 'Truncating keeps at least one entry.',
  }),
  errorEntry({
    variant: null,
    code: 'E-TRC-001',
    stage: 'any',
    fields: { path: text, line: optional(number), problem: prose },
    summary: 'A trace file is malformed.',
    message: (f) => `${f.path}${f.line === null ? '' : `:${f.line}`}: ${f.problem}`,
    remedy: null,
    explanation:
      'The file is empty, does not begin with session_start, or holds a line that is no event. Event types that are not known are skipped. Comparing and reporting also need session_end.',
  }),
  errorEntry({
    variant: null,
    code: 'E-TRC-002',
    stage: 'any',
    fields: { selector: text, problem: prose },
    summary: 'A selector names no session, or several.',
    message: (f) => `'${f.selector}' does not name one session: ${f.problem}`,
    remedy: 'give more characters of the id, or @N for the N-th newest',
    explanation: 'Sessions are named by a part of their id, by ordinal, or by formation.',
  }),
] as const;
