import { existsSync, readFileSync } from 'node:fs';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** `--script <file>`, `--script -` (first line of stdin), FAKE_SCRIPT, FAKE_SCRIPT_JSON, `<started name>.script.json`. */
export async function readScript(startedAs, argv, stdin) {
  const flag = argv.indexOf('--script');
  const named = flag >= 0 ? argv[flag + 1] : process.env.FAKE_SCRIPT;
  if (named === '-') return stepsOf(JSON.parse((await stdin.line()) ?? '[]'));
  if (named !== undefined) return stepsOf(readJson(named));
  if (process.env.FAKE_SCRIPT_JSON !== undefined) return stepsOf(JSON.parse(process.env.FAKE_SCRIPT_JSON));
  const beside = `${startedAs}.script.json`;
  if (existsSync(beside)) return stepsOf(readJson(beside));
  process.stderr.write('fake-agent: no script\n');
  process.exit(2);
}

/** FAKE_VERSION_JSON, else `<started name>.version.json`, else one plain line. */
export function readVersionSteps(startedAs) {
  if (process.env.FAKE_VERSION_JSON !== undefined) return stepsOf(JSON.parse(process.env.FAKE_VERSION_JSON));
  const beside = `${startedAs}.version.json`;
  return existsSync(beside) ? stepsOf(readJson(beside)) : [{ print: 'fake-agent 1.0.0' }];
}

function stepsOf(script) {
  const steps = Array.isArray(script) ? script : script?.steps;
  if (!Array.isArray(steps)) throw new Error('a script is a list of steps, or an object with `steps`');
  return steps;
}
