import { fileURLToPath } from 'node:url';
import type { LaunchRequest } from '@murmur/driver-sdk';
import { openRecordings } from './recordings.js';

export { asHostKeepsIt, isTerminal, plain } from './recordings.js';

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

export const { turnCases, recorded, pathOf, linesOf, exitOf, replay } = openRecordings(
  fileURLToPath(new URL('./transcripts/', import.meta.url)),
  requestOf,
);
