#!/usr/bin/env node
// A small agent: one loop of model call and tool calls over HTTP, printed as JSON lines. README.md has the format.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { callWithRetries } from '../lib/model.mjs';
import { Failure, print, refuse } from '../lib/output.mjs';
import { openSession, readLogin, saveSession } from '../lib/sessions.mjs';
import { readTask } from '../lib/stdin.mjs';
import { runTool } from '../lib/tools.mjs';

const VERSION = '1.0.0';
/** Calls the model until it stops asking for tools; returns its last words. */
async function runTask(session, system, key, maxSteps, usage, signal) {
  for (let step = 0; step < maxSteps; step += 1) {
    const { id, content, stop } = await callWithRetries(session, system, key, usage, signal);
    session.messages.push({ role: 'assistant', content });
    print({ type: 'usage', ...usage });
    const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    if (text !== '') print({ type: 'message', message: id, text });
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) {
      if (stop === 'max_tokens') throw new Failure('error', 'the answer hit the token limit');
      return text;
    }
    for (const call of calls) print({ type: 'tool_call', id: call.id, name: call.name, input: call.input });
    const results = calls.map((call) => {
      const { output, error } = runTool(call.name, call.input);
      print({ type: 'tool_result', id: call.id, output, error });
      return { type: 'tool_result', tool_use_id: call.id, content: output, is_error: error };
    });
    session.messages.push({ role: 'user', content: results });
    saveSession(session);
  }
  throw new Failure('max-turns', `no answer after ${maxSteps} steps`);
}

async function run(options) {
  const key = readLogin();
  const session = openSession(options);
  const system =
    options['system-prompt-file'] === undefined ? null : readFileSync(options['system-prompt-file'], 'utf8');
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.on('SIGINT', interrupt);
  const task = await readTask(interrupt);
  if (task === '') refuse('No task on stdin');

  session.messages.push({ role: 'user', content: task });
  saveSession(session);
  print({ type: 'session', id: session.id, model: session.model, auth: key === null ? 'none' : 'api-key' });
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 };
  try {
    const answer = await runTask(
      session,
      system,
      key,
      Number(options['max-steps'] ?? 10),
      usage,
      interruption.signal,
    );
    print({ type: 'done', answer });
    return 0;
  } catch (error) {
    const failure = interruption.signal.aborted ? new Failure('canceled', 'interrupted') : error;
    print({ type: 'failed', kind: failure.kind ?? 'error', message: failure.message });
    return 1;
  } finally {
    saveSession(session);
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    version: { type: 'boolean' },
    session: { type: 'string' },
    resume: { type: 'string' },
    model: { type: 'string' },
    'system-prompt-file': { type: 'string' },
    'max-steps': { type: 'string' },
  },
});
const command = positionals.join(' ');
if (values.version) process.stdout.write(`mini-agent ${VERSION}\n`);
else if (command === 'login status') {
  if (readLogin() === null) refuse('Not logged in');
  process.stdout.write('Logged in\n');
} else if (command === 'run') {
  const code = await run(values);
  // An open stdin would keep the process alive; what was printed must still leave first.
  process.stdout.write('', () => process.exit(code));
} else refuse(`Unknown command: ${command || '(none)'}`);
