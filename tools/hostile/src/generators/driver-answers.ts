import { join } from 'node:path';
import { openJail } from '@murmur/containment';
import { parseCapsuleManifest } from '@murmur/manifest';
import { networkEntryProblem, resolveHarnessNeeds } from '@murmur/policy';
import {
  checkHarnessLogin,
  loadProcessDriver,
  probeHarnessVersion,
  resolveHarnessBinary,
  systemClock,
} from '@murmur/process-driver';
import { childProcesses } from '../child-processes.js';
import { runHostileTurn } from '../drivers/hostile-turn.js';
import { type Answer, plainComponents } from '../drivers/plain-components.js';
import { scriptedJail } from '../drivers/scripted-process.js';
import { createVirtualClock } from '../drivers/virtual-clock.js';
import type { Generator, Outcome } from '../generator.js';
import { hostileAnswer, rawDescription, rawEvents, rawLoginState, rawPlan } from '../mutate/raw-answers.js';
import { Fault, outcomeOf, refusalCode } from '../outcome.js';
import type { Random } from '../random.js';
import { hostileScript } from './harness-output.js';

const driverLabel = { name: 'hostile', version: '1.0.0' } as const;
const bytes = new Uint8Array();

const { manifest } = parseCapsuleManifest(
  JSON.stringify({
    name: 'capsule',
    version: '1.0.0',
    capabilities: {
      env: { allow: ['HOME', 'PATH'] },
      network: { allow: ['api.example.org', 'auth.example.org:443'] },
      harness: {
        paths: [
          { path: '/home/person', access: 'read-write' },
          { path: '/etc/ssl', access: 'read' },
        ],
      },
    },
  }),
  { file: 'murmur.yaml' },
);

function openDriver(answer: Answer) {
  return loadProcessDriver({
    ...driverLabel,
    bytes,
    components: plainComponents(answer),
    isNetworkEntry: networkEntryProblem,
  });
}

/** What drivers say of themselves, through the load checks into everything that is decided from it. */
export const driverDescriptionGenerator: Generator = {
  name: 'driver-description',
  title: 'what drivers say of themselves: load checks, then harness, needs, version and login',
  share: 1,
  caseLimitMs: 20_000,
  async open() {
    return {
      tryCase: (random) =>
        outcomeOf(async () => {
          const description = hostileAnswer(rawDescription, random);
          const driver = await openDriver((func) =>
            func === 'describe' ? description : hostileAnswer(rawLoginState, random),
          );
          return `loaded, ${await useDescription(driver, random)}`;
        }),
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

async function useDescription(
  driver: Awaited<ReturnType<typeof openDriver>>,
  random: Random,
): Promise<Outcome> {
  const { description } = driver;
  try {
    const binary = await resolveHarnessBinary({
      command: null,
      description,
      projectDirectory: '/project',
      path: '/bin:relative:/usr/bin',
      isExecutable: async () => true,
    });
    await resolveHarnessNeeds({
      driver: driverLabel,
      description,
      manifest,
      home: '/home/person',
      workdir: '/home/person/work',
      murmurHome: '/home/person/.murmur',
      hostEnv: { HOME: '/home/person', PATH: '/bin' },
    });
    const script = hostileScript([Buffer.from(random.pick(['codex 1.0.0\n', '\u001b[31m\n', '']))], random);
    const context = {
      binary,
      description,
      env: {},
      cwd: '/',
      jail: scriptedJail(script),
      clock: createVirtualClock(),
    };
    await probeHarnessVersion({ ...context, cache: null });
    await checkHarnessLogin({ ...context, driver });
    return 'usable';
  } catch (error) {
    return `then ${refusalCode(error)}`;
  }
}

/** Launch plans, through their checks to the disk and the start of a harness. */
export const driverPlanGenerator: Generator = {
  name: 'driver-plan',
  title: 'launch plans of drivers: checked, their files written, a harness started',
  share: 1,
  caseLimitMs: 20_000,
  async open({ scratch }) {
    const filesRoot = join(scratch, 'files');
    let plan: unknown = rawPlan;
    const driver = await openDriver((func) => {
      if (func === 'describe') return rawDescription;
      if (func === 'launch') return plan;
      return func === 'parse' ? [] : { tag: 'turn-end', val: 'done' };
    });
    return {
      async tryCase(random) {
        plan = hostileAnswer(rawPlan, random);
        const jail = scriptedJail(hostileScript([Buffer.from('line\n')], random));
        const { outcome } = await runHostileTurn({
          driver,
          jail,
          filesRoot,
          mode: 'new',
          cancels: random.oneIn(6),
        });
        return outcome;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

/** The same plans and descriptions at the start of real processes, whose system has bounds of its own. */
export const driverSpawnGenerator: Generator = {
  name: 'driver-spawn',
  title: 'the same plans and version questions at the start of real processes',
  share: 0.02,
  caseLimitMs: 60_000,
  async open({ scratch }) {
    const filesRoot = join(scratch, 'files');
    let plan: unknown = rawPlan;
    let description: unknown = rawDescription;
    const answer: Answer = (func) => {
      if (func === 'describe') return description;
      if (func === 'launch') return plan;
      return func === 'parse' ? [] : { tag: 'turn-end', val: 'done' };
    };
    const jail = await openJail({ class: 'advisory', label: 'harness' });
    return {
      async tryCase(random) {
        const asks = random.oneIn(3);
        plan = hostileAnswer(rawPlan, random);
        description = asks ? hostileAnswer(rawDescription, random) : rawDescription;
        const outcome = await outcomeOf(async () => {
          const driver = await openDriver(answer);
          if (asks) {
            const binary = { path: '/bin/true', source: 'inference.command' } as const;
            const context = {
              binary,
              description: driver.description,
              env: {},
              cwd: '/',
              jail,
              clock: systemClock,
            };
            await probeHarnessVersion({ ...context, cache: null });
            await checkHarnessLogin({ ...context, driver });
            return 'asked';
          }
          const changes = { clock: systemClock };
          return (await runHostileTurn({ driver, jail, filesRoot, mode: 'new', cancels: false, changes }))
            .outcome;
        });
        const left = await childProcesses();
        if (left.length > 0) throw new Fault(`processes live on after ${outcome}: ${left.join(', ')}`);
        return outcome;
      },
      [Symbol.asyncDispose]: () => jail[Symbol.asyncDispose](),
    };
  },
};

/** Events and judgements of an exit, into turns, records and frames. */
export const driverEventsGenerator: Generator = {
  name: 'driver-events',
  title: 'events and exit judgements of drivers, into turns, records and frames',
  share: 1,
  caseLimitMs: 20_000,
  async open({ scratch }) {
    const filesRoot = join(scratch, 'files');
    let random: Random | null = null;
    const driver = await openDriver((func) => {
      if (func === 'describe') return rawDescription;
      if (func === 'launch') return { ...rawPlan, files: [] };
      if (random === null) return undefined;
      if (func === 'parse') return hostileEvents(random);
      const event = random.pick(random.oneIn(3) ? rawEvents : rawEvents.slice(-2));
      return random.oneIn(3) ? hostileAnswer(event, random) : event;
    });
    return {
      async tryCase(chosen) {
        random = chosen;
        const lines = Buffer.from('line\n'.repeat(1 + chosen.int(4)));
        const jail = scriptedJail(hostileScript([lines], chosen));
        const mode = chosen.oneIn(3) ? 'resume' : 'new';
        const { outcome } = await runHostileTurn({
          driver,
          jail,
          filesRoot,
          mode,
          cancels: chosen.oneIn(12),
        });
        return outcome;
      },
      [Symbol.asyncDispose]: async () => undefined,
    };
  },
};

function hostileEvents(random: Random): unknown {
  if (random.oneIn(20)) return hostileAnswer(rawEvents, random);
  // Most events hold, so that a turn goes on to the next surprise.
  return Array.from({ length: random.int(12) }, () => {
    const event = random.pick(rawEvents);
    return random.oneIn(30) ? hostileAnswer(event, random) : event;
  });
}
