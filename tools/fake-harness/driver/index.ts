import {
  classifyExitByDefault,
  type DriverDescription,
  type DriverEvent,
  defineProcessDriver,
  encodeUtf8,
  isJsonObject,
  type LaunchPlan,
  type LaunchRequest,
  type LoginState,
  listMember,
  noteFor,
  type ProcessExports,
  readJsonObject,
} from '@murmur/driver-sdk';
import { type FakeConfig, type Fault, faultOf, readFakeConfig } from './config.js';
import { describeVariants } from './describe.js';
import { balloon, hang, TRAP_TEXT } from './faults.js';

/** The variant's name, padded with `_` to a fixed length; `build.mjs` writes other names over it in the bytes. */
declare const FAKE_VARIANT: string;

/** Read at the call: the top of a module runs while the component is built, before the name is written over. */
function describeVariant(): DriverDescription {
  const name = FAKE_VARIANT.slice(FAKE_VARIANT.indexOf(':') + 1).replace(/_+$/, '');
  return (describeVariants[name] ?? hang)();
}

let config: FakeConfig | undefined;

const sound = defineProcessDriver({
  describe: describeVariants.plain ?? hang,
  createState: () => undefined,
  launch: (request) => planLaunch(readFakeConfig(request)),
  parseLine: readLine,
  classifyExit: classifyExitByDefault,
  readLogin: (output): LoginState => {
    if (output.exitCode === 0) return { tag: 'logged-in' };
    if (output.exitCode === 1) return { tag: 'logged-out', val: 'sign in with `fake-agent login`' };
    return { tag: 'unknown', val: `the login command ended with ${output.exitCode ?? 'a signal'}` };
  },
});

/**
 * The driver of the scripted harness. Around a sound driver lie the faults: they go past the SDK on purpose, since
 * the SDK turns most of them into notes.
 */
export const process: ProcessExports = {
  describe: describeVariant,
  launch(request) {
    const plan = sound.launch(request);
    config = readFakeConfig(withoutNulls(request));
    if (config.launchFault !== undefined) return commit(config.launchFault, { ...plan, args: [TRAP_TEXT] });
    return plan;
  },
  parse(lines) {
    if (config?.parseFault !== undefined && lines.length > 0) return commit(config.parseFault, TRAP_EVENTS);
    const fault = lines
      .map((line) => faultOf(readJsonObject(line)?.driver))
      .find((found) => found !== undefined);
    if (fault !== undefined) return commit(fault, TRAP_EVENTS);
    return sound.parse(lines);
  },
  classifyExit(exit) {
    const answer = config?.classifyExit;
    if (typeof answer === 'string') return commit(answer, { tag: 'turn-end', val: TRAP_TEXT });
    if (answer !== undefined) return answer as unknown as DriverEvent;
    return sound.classifyExit(exit);
  },
  readLogin: (output) =>
    output.stdout.includes('"driver":"trap"') ? { tag: 'unknown', val: TRAP_TEXT } : sound.readLogin(output),
};

const TRAP_EVENTS: readonly DriverEvent[] = [{ tag: 'note', val: TRAP_TEXT }];

function commit<Answer>(fault: Fault, trapping: Answer): Answer {
  if (fault === 'trap') return trapping;
  if (fault === 'hang') return hang();
  if (fault === 'balloon') return balloon();
  // Where the contract has an `err`, the thrown text is the refusal; elsewhere it traps.
  throw fault === 'refuse' ? 'the fake driver refuses this launch' : new Error('the fake driver fails');
}

function planLaunch(wanted: FakeConfig): LaunchPlan {
  return {
    args: wanted.args,
    envSet: wanted.env,
    files: wanted.files,
    stdin: wanted.stdin === undefined ? undefined : encodeUtf8(wanted.stdin),
    keepStdinOpen: wanted.keepStdinOpen,
    interruptStdin: wanted.interruptStdin === undefined ? undefined : encodeUtf8(wanted.interruptStdin),
  };
}

/** `{"event": …}` and `{"events": […]}` are events of the contract, word for word; anything else is a note. */
function readLine(line: string): readonly DriverEvent[] {
  const object = readJsonObject(line);
  if (isJsonObject(object?.event)) return [object.event as unknown as DriverEvent];
  const events = listMember(object, 'events');
  return events === undefined ? [noteFor(line)] : (events as readonly DriverEvent[]);
}

function withoutNulls(request: LaunchRequest): LaunchRequest {
  return { ...request, config: request.config ?? undefined };
}
