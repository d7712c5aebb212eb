import { errorEntry } from '../define.js';
import { number, oneOf, optional, prose, text, textList } from '../fields.js';
import { coordinate, quotedList, withAside } from '../phrase.js';
import {
  HARNESS_INACTIVE_CODE,
  HARNESS_SESSION_GONE_CODE,
  HARNESS_TURN_FAILED_CODE,
  PROCESS_DRIVER_CALL_FAILED_CODE,
} from '../shared-codes.js';

/** `transport: process`: loading a driver and running turns of a harness. */
export const processDriverErrors = [
  errorEntry({
    variant: 'ProcessDriverInterfaceMissing',
    code: 'E-RUN-029',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, expected: text, found: textList },
    summary: 'The driver does not export the process interface that is served.',
    message: (f) =>
      `${coordinate(f)} does not export '${f.expected}': ` +
      (f.found.length === 0
        ? 'it exports no process driver interface'
        : `it was built against ${quotedList(f.found)}`),
    remedy: (f) =>
      f.found.length === 0
        ? "name a process driver in inference.driver.artifact, or rebuild this one against the world 'process-driver'"
        : `install a release of '${f.name}' built against '${f.expected}', or rebuild it`,
    explanation:
      'Under inference.transport: process the driver must export exactly the version of the interface that this runtime serves. It is decided before anything is started.',
  }),
  errorEntry({
    variant: 'DriverStreamInterfaceNotServed',
    code: 'E-RUN-029',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, imported: textList, expected: text },
    summary: 'The driver imports a streaming interface that is not served.',
    message: (f) =>
      `${coordinate(f)} imports ${quotedList(f.imported)}, which is not served; '${f.expected}' is`,
    remedy: (f) => `install a release of '${f.name}' built against '${f.expected}', or rebuild it`,
    explanation: 'The interfaces by which a driver streams its answer have changed since this one was built.',
  }),
  errorEntry({
    variant: 'HttpDriverExportsProcessInterface',
    code: 'E-RUN-030',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, exported: textList },
    summary: 'A process driver is named where an http driver belongs.',
    message: (f) =>
      `${coordinate(f)} is named as driver of transport http and drives a command-line program: it exports ${quotedList(f.exported)}`,
    remedy: 'set inference.transport: process, or name an http driver in inference.driver.artifact',
    explanation: 'The transport in the manifest and the kind of the driver do not belong together.',
  }),
  errorEntry({
    variant: 'ProcessDriverLoad',
    code: 'E-RUN-032',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, message: prose },
    summary: 'The process driver cannot be loaded.',
    message: (f) => `the process driver ${coordinate(f)} cannot be loaded: ${f.message}`,
    remedy:
      "use a release whose component exports 'murmur:driver/process', imports nothing but WASI, and describes itself within its deadline",
    explanation:
      'A driver is loaded without any grant and asked to describe itself. It imports something that nothing supplies, trapped, took too long, or gave a description that cannot be used: an empty variable name or one with an equals sign, a malformed need, an empty login check.',
  }),
  errorEntry({
    variant: 'ProcessDriverReportsNoUsage',
    code: 'E-RUN-038',
    stage: 'staging-before-workdir',
    fields: { name: text, version: text, ceilings: textList },
    summary: 'A spend ceiling is set and the driver reports no usage.',
    message: (f) =>
      `${coordinate(f)} reports no usage, so ${f.ceilings.join(' and ')} could never be measured`,
    remedy: (f) => `use a driver that reports usage, or remove ${f.ceilings.join(' and ')}`,
    explanation:
      'A ceiling on tokens only binds when tokens are counted. Rather than run with a ceiling that never trips, the run is refused.',
  }),
  errorEntry({
    variant: 'HarnessBinaryNotFound',
    code: 'E-RUN-006',
    stage: 'staging-before-workdir',
    fields: {
      binary: text,
      binary_source: oneOf('inference.command', "the process driver's describe()"),
    },
    summary: 'The harness program is not on this host.',
    message: (f) =>
      `the harness '${f.binary}', named by ${f.binary_source}, is not an executable on this host`,
    remedy: (f) => `install '${f.binary}' so that it is on PATH, or point inference.command at it`,
    explanation:
      'A name with a slash must be an executable file; a bare name must be found on PATH. Neither held. Unlike a missing driver this is about a program of the host.',
  }),
  errorEntry({
    variant: 'HarnessTurnFailed',
    code: HARNESS_TURN_FAILED_CODE,
    stage: 'turn',
    fields: {
      kind: oneOf('auth', 'quota', 'max-turns', 'canceled', 'harness-error', 'other'),
      message: prose,
      origin: oneOf('harness', 'runtime'),
    },
    summary: 'A turn of the harness failed.',
    message: (f) => `the harness turn failed (${f.kind}): ${f.message}`,
    remedy: (f) => turnRemedy(f.kind),
    explanation:
      "The driver reported the failure in the harness's own words, or the runtime stopped the harness at inference.max_turns. Kinds: auth, the harness is not signed in on this host; quota, its plan is used up; max-turns, the budget of this task; canceled, somebody interrupted it; harness-error and other, see its words.",
    unshown: ['origin'],
  }),
  errorEntry({
    variant: 'HarnessSessionGone',
    code: HARNESS_SESSION_GONE_CODE,
    stage: 'turn',
    fields: { context_id: text, session_id: text, harness: text, path: optional(text), detail: prose },
    summary: 'The harness no longer knows the session it should resume.',
    message: (f) =>
      `'${f.harness}' did not resume its session ${f.session_id} for context ${f.context_id}: ${f.detail}; the id is kept ` +
      (f.path === null ? 'in memory only' : `in '${f.path}'`),
    remedy: (f) =>
      `to drop it on purpose, run with 'mur run --context ${f.context_id} --forget-session', or send the header x-murmur-forget-session: true with the next message/send or message/stream`,
    explanation:
      'The turn was launched to resume, failed, and no session was ever reported. The id is kept, so later tasks of the context fail too until somebody decides that the earlier conversation may be forgotten.',
  }),
  errorEntry({
    variant: 'ProcessDriverCallFailed',
    code: PROCESS_DRIVER_CALL_FAILED_CODE,
    stage: 'turn',
    fields: {
      name: text,
      version: text,
      call: oneOf('launch', 'parse', 'classify-exit'),
      message: prose,
    },
    summary: 'A call into the process driver failed.',
    message: (f) => `the process driver ${coordinate(f)} failed in '${f.call}': ${f.message}`,
    remedy: (f) =>
      `check inference.driver.config, or use a release of '${f.name}' that is built for this version of the harness`,
    explanation:
      'The driver trapped, passed its deadline of 30 seconds, refused to launch, or returned a plan with an unusable variable or file name. A failure while the driver describes itself is E-RUN-032.',
  }),
  errorEntry({
    variant: 'ProcessHarnessInactive',
    code: HARNESS_INACTIVE_CODE,
    stage: 'turn',
    fields: { seconds: number },
    summary: 'The harness was silent for too long.',
    message: (f) => `the harness printed nothing and called no tool for ${f.seconds} seconds and was killed`,
    remedy: 'the harness was blocked; the trace gives the last thing it did',
    explanation:
      'A full window passed without a line on standard output or a tool call; what it writes to standard error does not count. Usual causes are a prompt that waits for input and a connection that never answers.',
  }),
  errorEntry({
    variant: null,
    code: 'E-RUN-002',
    stage: 'any',
    fields: { interface: optional(text), detail: prose },
    summary: 'A component imports an interface that the host did not link.',
    message: (f) =>
      withAside(
        f.interface === null
          ? 'a component imports an interface that is not linked'
          : `a component imports '${f.interface}', which is not linked`,
        f.detail,
      ),
    remedy: (f) =>
      f.interface === null
        ? 'check which capability the interface belongs to, and declare it in murmur.yaml'
        : `declare the capability that '${f.interface}' belongs to in murmur.yaml`,
    explanation:
      'A component is linked only to what its grants pay for. An import that no grant covers is left out, and the component cannot start or traps when it reaches for it.',
  }),
] as const;

function turnRemedy(kind: string): string {
  const look = "the session's trace tells what the turn did";
  switch (kind) {
    case 'auth':
      return `${look}; the harness is not signed in here: sign in with its own login command as this user`;
    case 'quota':
      return `${look}; wait until the quota of the plan resets, or raise the plan`;
    case 'max-turns':
      return `${look}; raise inference.max_turns`;
    default:
      return look;
  }
}
