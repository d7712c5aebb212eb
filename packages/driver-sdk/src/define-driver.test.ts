import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defineProcessDriver, type ProcessDriverDefinition } from './define-driver.js';
import { note, turnEnd } from './events.js';
import type { DriverEvent, LaunchRequest } from './generated/contract.js';

const definition: ProcessDriverDefinition<{ seen: number }> = {
  describe: () => ({
    harness: 'h',
    binary: 'h',
    versionArgs: [],
    testedVersions: [],
    interrupt: 'unsupported',
    requiredEnv: [],
    streamsText: false,
    reportsUsage: false,
    loginCheck: { tag: 'unavailable', val: 'none' },
    harnessNeeds: { paths: [], hosts: [] },
  }),
  createState: () => ({ seen: 0 }),
  launch: () => ({ args: [], envSet: [], files: [], keepStdinOpen: false }),
  parseLine(line, state) {
    state.seen += 1;
    if (line.includes('throw')) throw new TypeError('broken');
    if (line.includes('misfit'))
      return [{ tag: 'tool-result', val: { id: 1 } } as unknown as DriverEvent, turnEnd('still here')];
    return [note(`${state.seen} ${line}`)];
  },
  classifyExit: (_, state) => turnEnd(`saw ${state?.seen ?? 'nothing'}`),
  readLogin: () => ({ tag: 'logged-in' }),
};

/** As the runtime hands it over: options without a value are null in the guest. */
const request = {
  model: null,
  systemPrompt: 's',
  config: null,
  bridge: null,
  session: { id: 'i', mode: 'new' },
  harnessVersion: null,
  task: 't',
} as unknown as LaunchRequest;

const exit = { code: 0, signal: undefined, stderrTail: '', interrupted: false, sawTerminal: false };

test('events do not depend on how lines are batched', () => {
  const line = fc.oneof(fc.string(), fc.constantFrom('throw', 'misfit', '', '\ud800'));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(5)), (lines, sizes) => {
      const whole = defineProcessDriver(definition);
      whole.launch(request);
      const expected = whole.parse(lines);
      const split = defineProcessDriver(definition);
      split.launch(request);
      const events: DriverEvent[] = [];
      let at = 0;
      for (const size of [...sizes, lines.length]) {
        events.push(...split.parse(lines.slice(at, at + size)));
        at += size;
      }
      expect(events).toEqual(expected);
    }),
  );
});

test('a launch starts from fresh state', () => {
  const driver = defineProcessDriver(definition);
  driver.launch(request);
  const first = driver.parse(['a', 'b']);
  driver.launch(request);
  expect(driver.parse(['a', 'b'])).toEqual(first);
});

test('options arrive as undefined', () => {
  const received: LaunchRequest[] = [];
  defineProcessDriver({
    ...definition,
    createState(given) {
      received.push(given);
      return { seen: 0 };
    },
  }).launch(request);
  expect(received[0]).toMatchObject({
    model: undefined,
    config: undefined,
    bridge: undefined,
    harnessVersion: undefined,
  });
});

test('an exception on a line is a note and the next line is read', () => {
  const driver = defineProcessDriver(definition);
  driver.launch(request);
  const [failure, next] = driver.parse(['throw', 'next']);
  expect(failure).toMatchObject({ tag: 'note', val: expect.stringContaining('broken') });
  expect(next).toEqual(note('2 next'));
});

test('one event that does not fit costs itself, not the end of the turn beside it', () => {
  const driver = defineProcessDriver(definition);
  driver.launch(request);
  expect(driver.parse(['misfit']).map((event) => event.tag)).toEqual(['note', 'turn-end']);
});

test('what crosses the border never holds a lone surrogate', () => {
  const driver = defineProcessDriver(definition);
  driver.launch(request);
  expect(driver.parse(['\ud800'])).toEqual([note('1 \ufffd')]);
});

test('a refusal is thrown as its text alone, which is how the engine carries an err', () => {
  const driver = defineProcessDriver({
    ...definition,
    launch: () => {
      throw new Error('no such profile');
    },
  });
  expect(thrownBy(() => driver.launch(request))).toBe('no such profile');
});

test('a plan with the bridge token in an argument is refused', () => {
  const driver = defineProcessDriver({
    ...definition,
    launch: (given) => ({
      args: [`--token=${given.bridge?.bearerToken}`],
      envSet: [],
      files: [],
      keepStdinOpen: false,
    }),
  });
  const withBridge = {
    ...request,
    bridge: { serverName: 'm', url: 'u', bearerToken: 'canary', toolNames: [] },
  };
  expect(thrownBy(() => driver.launch(withBridge))).toContain('into an argument');
});

test('an interrupted run without a terminal event is canceled, whatever the driver says or throws', () => {
  const interrupted = { ...exit, interrupted: true };
  const failing = defineProcessDriver({
    ...definition,
    classifyExit: () => {
      throw new Error('broken');
    },
  });
  for (const driver of [defineProcessDriver(definition), failing])
    expect(driver.classifyExit(interrupted)).toMatchObject({ tag: 'turn-failed', val: { kind: 'canceled' } });
  expect(failing.classifyExit(exit)).toMatchObject({ tag: 'turn-failed', val: { kind: 'other' } });
  expect(defineProcessDriver(definition).classifyExit(exit)).toEqual(turnEnd('saw nothing'));
});

test('an exit judged by an event that ends no turn is a failure', () => {
  const driver = defineProcessDriver({ ...definition, classifyExit: () => note('hm') });
  expect(driver.classifyExit(exit)).toMatchObject({ tag: 'turn-failed', val: { kind: 'other' } });
});

test('a login reader that throws answers unknown and repeats nothing of the output', () => {
  const driver = defineProcessDriver({
    ...definition,
    readLogin: (output) => {
      throw new Error(output.stdout);
    },
  });
  const state = driver.readLogin({ exitCode: 0, stdout: 'sk-canary', stderr: '' });
  expect(state.tag).toBe('unknown');
  expect(JSON.stringify(state)).not.toContain('canary');
});

test('output before a launch is noted, line by line', () => {
  expect(defineProcessDriver(definition).parse(['a', 'b'])).toHaveLength(2);
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
}
