import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { DriverEvent, ExitStatus, LaunchRequest, ProcessExports } from '@murmur/driver-sdk';

const directory = fileURLToPath(new URL('./transcripts/', import.meta.url));

/** Cases that record another command than a turn. */
const OTHER_COMMANDS = ['login-status', 'version'];

/** Names of the recorded turns: what Codex printed, in `transcripts/<case>/`. */
export const turnCases: readonly string[] = readdirSync(directory).filter(
  (name) => !OTHER_COMMANDS.includes(name),
);

/** The bridge all cases were recorded with. */
export const bridge = {
  serverName: 'mur',
  url: 'http://127.0.0.1:7777/mcp',
  bearerToken: 'canary-4f1d',
  toolNames: ['echo'],
};

export function requestOf(name: string): LaunchRequest {
  const resumed = name.startsWith('resume') || name === 'unknown-session';
  return {
    model: undefined,
    systemPrompt: 'Be brief.',
    config: undefined,
    bridge,
    session: { id: '01a22735-131a-7c40-89c2-297b2e974083', mode: resumed ? 'resume' : 'new' },
    harnessVersion: 'codex-cli 0.171.0',
    task: 'What is two and two?',
  };
}

export function recorded(name: string, file: string): string {
  return readFileSync(`${directory}${name}/${file}`, 'utf8');
}

export function pathOf(name: string, file: string): string {
  return `${directory}${name}/${file}`;
}

export function linesOf(name: string): readonly string[] {
  return recorded(name, 'stdout.ndjson').split('\n').slice(0, -1);
}

export function exitOf(name: string, sawTerminal: boolean): ExitStatus {
  const { code, signal } = JSON.parse(recorded(name, 'exit.json')) as {
    code: number | null;
    signal: number | null;
  };
  return {
    code: code ?? undefined,
    signal: signal ?? undefined,
    stderrTail: recorded(name, 'stderr.txt'),
    interrupted: name.startsWith('interrupt'),
    sawTerminal,
  };
}

export const isTerminal = (event: { readonly tag: string }): boolean =>
  event.tag === 'turn-end' || event.tag === 'turn-failed';

/** A recording driven through the driver, in batches of the given sizes (the rest in one). */
export function replay(
  driver: ProcessExports,
  name: string,
  batchSizes: readonly number[] = [],
): readonly DriverEvent[] {
  driver.launch(requestOf(name));
  const lines = linesOf(name);
  const events: DriverEvent[] = [];
  let at = 0;
  for (const size of [...batchSizes, lines.length]) {
    events.push(...driver.parse(lines.slice(at, at + size)));
    at += size;
  }
  if (!events.some(isTerminal)) events.push(driver.classifyExit(exitOf(name, false)));
  return events;
}

/** Events as JSON keeps them: absent members gone. */
export function plain(events: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(events));
}
