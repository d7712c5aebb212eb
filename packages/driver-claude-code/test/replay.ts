import { fileURLToPath } from 'node:url';
import type { LaunchRequest } from '@murmur/driver-sdk';
import { openRecordings } from '../../driver-codex/test/recordings.js';

export { asHostKeepsIt, isTerminal, plain } from '../../driver-codex/test/recordings.js';

/** The bridge that cases with tools were recorded with. */
export const bridge = {
  serverName: 'mur',
  url: 'http://127.0.0.1:7777/mcp',
  bearerToken: 'canary-4f1d',
  toolNames: ['echo'],
};

/** Cases recorded without a bridge: newer ones, where only what differs from the others was recorded. */
const NO_BRIDGE = /^(plain-no-partial|closed-.*|interrupt-stdin-closed|signed-in-(?!tool).*)$/;

export function requestOf(name: string): LaunchRequest {
  const resumed = name.startsWith('resume') || name === 'unknown-session';
  return {
    model: undefined,
    systemPrompt: 'Be brief.',
    config: undefined,
    bridge: NO_BRIDGE.test(name) ? undefined : bridge,
    session: { id: '11111111-2222-4333-8444-555555555555', mode: resumed ? 'resume' : 'new' },
    harnessVersion: '2.1.197 (Claude Code)',
    task: 'What is two and two?',
  };
}

export const { turnCases, recorded, pathOf, linesOf, exitOf, replay } = openRecordings(
  fileURLToPath(new URL('./transcripts/', import.meta.url)),
  requestOf,
);
