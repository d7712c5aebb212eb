import { driverNameProblems } from '../../check-names.js';
import type { Finding, Property } from '../finding.js';
import { exitOf, replay } from '../replay.js';
import { answerOf, failureOf, type TestDriver } from '../test-driver.js';
import { linesOf, turnsOf } from '../transcript/case.js';

export const confinement: Property = {
  id: 'P16',
  name: 'confinement',
  statement:
    'The component imports nothing but WASI and exports the served interface; an instance starts with nothing granted; each call on a recording answers within a second.',
  async check(driver, cases, { callLimitMs = 1000 }) {
    const findings: Finding[] = [];
    const { component } = driver;
    if (component !== null) {
      const names = { kind: 'component' as const, imports: component.imports, exports: component.exports };
      for (const problem of driverNameProblems(names)) findings.push(finding(null, problem));
      await driver.restart();
      // The start is part of the first call of an instance.
      const failure = await failureOf(driver.describe());
      if (failure !== null) findings.push(finding(null, `no instance answers: ${failure.reason}`));
    }
    const slow = async (name: string, what: string, call: () => Promise<unknown>): Promise<void> => {
      const fastest = await fastestMs(call, callLimitMs);
      if (fastest > callLimitMs)
        findings.push(finding(name, `${what} takes ${Math.round(fastest)} ms, more than ${callLimitMs}`));
    };
    await answerOf(driver.describe());
    for (const turn of turnsOf(cases)) {
      await slow(turn.name, 'launch', () => answerOf(driver.launch(turn.request)));
      // Batches are judged one by one, since a long recording is no slow call.
      await slow(turn.name, 'parse of a batch', () => slowestBatch(driver, turn));
      await slow(turn.name, 'classify-exit', () => answerOf(driver.classifyExit(exitOf(turn, false))));
    }
    for (const { name, meta, exit, stdout, stderr } of cases)
      if (meta.command === 'login')
        await slow(name, 'read-login', () =>
          answerOf(
            driver.readLogin({
              exitCode: exit.code ?? undefined,
              stdout: Buffer.from(stdout).toString('utf8'),
              stderr,
            }),
          ),
        );
    return findings;
  },
};

function slowestBatch(
  driver: TestDriver,
  turn: Parameters<typeof replay>[1] & Parameters<typeof linesOf>[0],
) {
  return replay(driver, turn, linesOf(turn).slice(0, 256));
}

/** A busy machine makes a call slow once; a slow driver is slow each time. */
const ATTEMPTS = 3;

async function fastestMs(call: () => Promise<unknown>, limitMs: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = performance.now();
    await call();
    fastest = Math.min(fastest, performance.now() - start);
    if (fastest <= limitMs) break;
  }
  return fastest;
}

function finding(name: string | null, problem: string): Finding {
  return { property: 'P16', case: name, problem, counterexample: null };
}
