import { fileURLToPath } from 'node:url';
import { componentize } from 'componentize-qjs';

/** The interface that the guests of these tests export. */
export const PROCESS = 'murmur:driver/process@0.6.0';

const witPath = fileURLToPath(new URL('../../../wit/driver', import.meta.url));

/** `parse` does what its first line says; `launch` refuses or answers; `classifyExit` counts its calls. */
const GUEST_SOURCE = `
let calls = 0;
let held = [];
const actions = {
  throw() { throw new Error('thrown by the guest'); },
  loop() { for (;;) {} },
  recurse() { const down = (n) => down(n + 1) + 1; return down(0); },
  balloon() { for (;;) held.push(new Uint8Array(1048576).fill(1)); },
  junk() { return 42; },
  large() { return [{ tag: 'note', val: 'x'.repeat(Number(held.size ?? 0) + 1048576) }]; },
};
export const process = {
  describe() {
    return { harness: 'test', binary: 'test', versionArgs: ['--version'], testedVersions: ['1.0'], interrupt: 'signal-int',
      requiredEnv: [], streamsText: true, reportsUsage: true, loginCheck: { tag: 'unavailable', val: 'no' },
      harnessNeeds: { paths: [{ path: '~/.test', access: 'read-write' }], hosts: [] } };
  },
  launch(request) {
    if (request.task === 'refuse') throw 'no: ' + request.systemPrompt;
    return { args: [request.task, request.model ?? 'no model'], envSet: [['A', 'b']], files: [],
      stdin: new Uint8Array([0, 127, 255]), keepStdinOpen: false, interruptStdin: undefined };
  },
  parse(lines) {
    const action = actions[lines[0]];
    if (action !== undefined) return action();
    return lines.map((line) => ({ tag: 'usage', val: { input: 9007199254740991, output: line.length, cacheRead: undefined,
      cacheCreation: undefined, thinking: 0 } }));
  },
  classifyExit(exit) { calls += 1; return { tag: 'turn-end', val: calls + ':' + exit.code + ':' + exit.signal }; },
  readLogin(output) { return { tag: 'unknown', val: output.stdout }; },
};
`;

/** Builds the test guest; without `wasi` it imports nothing. */
export async function buildGuest(options: { readonly wasi: boolean }): Promise<Uint8Array> {
  const { component } = await componentize({
    witPath,
    jsSource: GUEST_SOURCE,
    world: 'process-driver',
    sync: true,
    stubWasi: !options.wasi,
  });
  return new Uint8Array(component);
}

export const launchRequest = {
  model: undefined,
  systemPrompt: 'prompt',
  config: undefined,
  bridge: undefined,
  session: { id: 'session', mode: 'new' },
  harnessVersion: undefined,
  task: 'task',
};

export const exitStatus = {
  code: 3,
  signal: undefined,
  stderrTail: '',
  interrupted: false,
  sawTerminal: false,
};
