import { fileURLToPath } from 'node:url';
import { openRecordings } from './recordings.js';

export { asHostKeepsIt, isTerminal, plain } from './recordings.js';

export const transcripts = fileURLToPath(new URL('./transcripts/', import.meta.url));

/** The bridge that cases with tools are replayed with. */
export const bridge = {
  serverName: 'mur',
  url: 'http://127.0.0.1:7777/mcp',
  bearerToken: 'canary-4f1d',
  toolNames: ['echo'],
};

export const { cases, turnCases, caseOf, requestOf, stdoutOf, linesOf, exitOf, replay } =
  await openRecordings(transcripts);
