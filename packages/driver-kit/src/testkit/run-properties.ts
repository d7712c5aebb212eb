import type { Finding, PropertyId, PropertyOptions } from './finding.js';
import { checkGoldens } from './goldens.js';
import { properties } from './properties/all.js';
import type { TestDriver } from './test-driver.js';
import { type TranscriptCase, turnsOf } from './transcript/case.js';

/** What came of one property. */
export interface PropertyResult {
  readonly id: PropertyId | 'goldens';
  readonly name: string;
  readonly statement: string;
  /** `not-judged`: no recording has what it is about. */
  readonly status: 'passed' | 'failed' | 'not-judged';
  /** Launches made for it: how often a recording, changed or not, was replayed. */
  readonly launches: number;
  /** Calls made for it, of every kind. */
  readonly calls: number;
  readonly findings: readonly Finding[];
}

/** Everything the kit found out about a driver. */
export interface TestkitReport {
  readonly driver: string;
  readonly seed: number;
  readonly runs: number;
  readonly cases: readonly string[];
  readonly results: readonly PropertyResult[];
  /** What no recording shows; information, no failure. */
  readonly notRecorded: readonly string[];
  readonly passed: boolean;
}

const GOLDENS = {
  id: 'goldens' as const,
  name: 'goldens',
  statement: 'Plans and events are those that plan.json and events.json hold, reviewed by hand.',
};

/** Tries every property, or those that are named, and compares with the goldens. */
export async function runProperties(options: {
  /** Name of the driver, for the report. */
  readonly name: string;
  readonly driver: TestDriver;
  readonly cases: readonly TranscriptCase[];
  readonly seed: number;
  readonly runs: number;
  readonly callLimitMs?: number;
  /** Properties to try; default all. */
  readonly only?: readonly (PropertyId | 'goldens')[];
  /** Told the name of each property as it begins. */
  readonly progress?: (name: string) => void;
}): Promise<TestkitReport> {
  const { name, driver, cases, seed, runs, callLimitMs, only, progress } = options;
  const propertyOptions: PropertyOptions = {
    seed,
    runs,
    ...(callLimitMs === undefined ? {} : { callLimitMs }),
  };
  const results: PropertyResult[] = [];
  const wanted = (id: PropertyId | 'goldens'): boolean => only === undefined || only.includes(id);
  const goldens = { ...GOLDENS, check: checkGoldens };
  for (const property of [...properties, goldens]) {
    if (!wanted(property.id)) continue;
    progress?.(`${property.id} ${property.name}`);
    const counted = counting(driver);
    const findings = await property.check(counted.driver, cases, propertyOptions);
    const { launches, calls } = counted.counts();
    results.push({
      id: property.id,
      name: property.name,
      statement: property.statement,
      status: findings.length > 0 ? 'failed' : calls === 0 ? 'not-judged' : 'passed',
      launches,
      calls,
      findings,
    });
  }
  return {
    driver: name,
    seed,
    runs,
    cases: cases.map((each) => each.name),
    results,
    notRecorded: notRecorded(cases),
    passed: results.every(({ status }) => status !== 'failed'),
  };
}

/** The driver, its calls counted. */
function counting(driver: TestDriver): {
  readonly driver: TestDriver;
  counts(): { readonly launches: number; readonly calls: number };
} {
  let launches = 0;
  let calls = 0;
  const counted = <Args extends readonly unknown[], Answer>(call: (...args: Args) => Answer) => {
    return (...args: Args): Answer => {
      calls += 1;
      return call(...args);
    };
  };
  const launch = counted(driver.launch);
  return {
    driver: {
      component: driver.component,
      describe: counted(driver.describe),
      launch(request) {
        launches += 1;
        return launch(request);
      },
      parse: counted(driver.parse),
      classifyExit: counted(driver.classifyExit),
      readLogin: counted(driver.readLogin),
      restart: () => driver.restart(),
      // The driver outlives the count of one property.
      [Symbol.asyncDispose]: async () => undefined,
    },
    counts: () => ({ launches, calls }),
  };
}

/** Kinds of turn that a corpus should have; the driver is judged on those it has. */
function notRecorded(cases: readonly TranscriptCase[]): readonly string[] {
  const turns = turnsOf(cases);
  const events = turns.flatMap((turn) => turn.events ?? []);
  const failure = (kind: string): boolean =>
    events.some((event) => event.tag === 'turn-failed' && event.val.kind === kind);
  const shows: readonly (readonly [string, boolean])[] = [
    ['an answer in a new session', turns.some(({ meta }) => meta.session?.mode === 'new')],
    ['a resumed session', turns.some(({ meta }) => meta.session?.mode === 'resume')],
    ['a tool call', events.some(({ tag }) => tag === 'tool-call')],
    ['thinking', events.some(({ tag }) => tag === 'thinking')],
    ['a failed sign-in', failure('auth')],
    ['a used-up quota', failure('quota')],
    ['an interrupted turn', turns.some(({ exit }) => exit.interrupted)],
    ['a retry', events.some(({ tag }) => tag === 'retry')],
    ['a turn that no line ends', turns.some(({ meta }) => meta.terminalLines?.length === 0)],
    ['the login check', cases.some(({ meta }) => meta.command === 'login')],
  ];
  return shows.filter(([, recorded]) => !recorded).map(([what]) => what);
}
