import type { LoginOutput } from '@murmur/driver-sdk';
import fc from 'fast-check';
import { falsify } from '../falsify.js';
import type { Finding, Property } from '../finding.js';
import { placesOf, replacedAt, valueAt } from '../mutate-line.js';
import { DriverCallFailed, type TestDriver } from '../test-driver.js';
import type { TranscriptCase } from '../transcript/case.js';

const CANARY = 'sk-canary-credential-5d20';

export const logins: Property = {
  id: 'P15',
  name: 'logins',
  statement:
    'read-login answers for any output. Its reasons repeat nothing that could be a credential, and say something in the first line and 200 characters that a person is shown.',
  async check(driver, cases, options) {
    const recorded = cases.filter(({ meta }) => meta.command === 'login');
    await driver.restart();
    const marked = recorded.flatMap(markedOutputs);
    for (const { name, output } of marked) {
      const problem = await loginProblem(driver, output);
      if (problem !== null) return [finding(name, problem, output)];
    }
    const exitCode = fc.option(fc.integer({ min: -1, max: 255 }), { nil: undefined });
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.constantFrom('', '{}', '[]', '{"loggedIn":', '{"loggedIn":"yes"}', '\n\n', 'x'.repeat(5000)),
      fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
      ...(marked.length === 0
        ? []
        : [fc.constantFrom(...marked.flatMap(({ output }) => [output.stdout, output.stderr]))]),
    );
    const found = await falsify(
      fc.record({ exitCode, before: text, after: text, inStdout: fc.boolean() }),
      ({ exitCode: code, before, after, inStdout }) =>
        loginProblem(driver, outputOf(code, before, after, inStdout)),
      options,
    );
    if (found === null) return [];
    const { exitCode: code, before, after, inStdout } = found.input;
    return [finding(null, found.problem, outputOf(code, before, after, inStdout))];
  },
};

function outputOf(
  exitCode: number | undefined,
  before: string,
  after: string,
  inStdout: boolean,
): LoginOutput {
  const withCanary = `${before}${CANARY}`;
  return { exitCode, stdout: inStdout ? withCanary : after, stderr: inStdout ? after : withCanary };
}

/** Recorded outputs with a canary beside, in front of, and in the place of every text of their JSON. */
function markedOutputs({
  name,
  stdout,
  stderr,
  exit,
}: TranscriptCase): readonly { readonly name: string; readonly output: LoginOutput }[] {
  const out = Buffer.from(stdout).toString('utf8');
  const codes = [exit.code ?? undefined, 0, 1, undefined];
  const texts = [...inJson(out), `${CANARY}\n${out}`, `${out}${CANARY}`];
  return codes.flatMap((exitCode) => [
    { name, output: { exitCode, stdout: out, stderr } },
    ...texts.map((text) => ({ name, output: { exitCode, stdout: text, stderr } })),
    ...[`${CANARY}\n${stderr}`, `${stderr}${CANARY}`].map((text) => ({
      name,
      output: { exitCode, stdout: out, stderr: text },
    })),
  ]);
}

function inJson(text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return placesOf(value)
    .filter((place) => typeof valueAt(value, place) === 'string')
    .map((place) => JSON.stringify(replacedAt(value, place, CANARY)));
}

async function loginProblem(driver: TestDriver, output: LoginOutput): Promise<string | null> {
  try {
    const state = await driver.readLogin(output);
    if (state.tag === 'logged-in') return null;
    if (state.val.includes(CANARY)) return `the reason repeats what could be a credential: ${state.val}`;
    const shownToPerson = (state.val.split('\n')[0] ?? '').slice(0, 200);
    return shownToPerson.trim() === '' ? `the reason of ${state.tag} says nothing in its first line` : null;
  } catch (error) {
    if (error instanceof DriverCallFailed) return `read-login gives no answer: ${error.reason}`;
    throw error;
  }
}

function finding(name: string | null, problem: string, counterexample: unknown): Finding {
  return { property: 'P15', case: name, problem, counterexample };
}
