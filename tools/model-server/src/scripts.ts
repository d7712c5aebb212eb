import type { AnswerStep, FailureStep, Script, ToolCandidate } from './types.js';

const USAGE = { input: 120, output: 27, cacheRead: 900, cacheWrite: 30 } as const;
const FOUR: AnswerStep = { blocks: [{ type: 'text', text: 'The answer is four.' }], usage: USAGE };

const failing = (failure: number, message: string, more: Partial<FailureStep> = {}): FailureStep => ({
  failure,
  message,
  ...more,
});

/** A first answer that calls the given tools, then `The answer is four.` */
const calling = (text: string | null, ...tools: readonly (readonly ToolCandidate[])[]): Script => ({
  steps: [
    {
      blocks: [
        ...(text === null ? [] : [{ type: 'text' as const, text }]),
        ...tools.map((candidates) => ({ type: 'tool' as const, candidates })),
      ],
      usage: USAGE,
    },
  ],
  afterToolResults: FOUR,
});

const LONG_TEXT = Array.from({ length: 600 }, (_, index) => `word-${index + 1}`).join(' ');
const SHELL = 'echo shell-ok; id -u; ls';
const PATCH = '*** Begin Patch\n*** Add File: written.txt\n+written\n*** End Patch\n';

/** Every failure served here, by script name, with the steps that come first. */
const RATE_LIMITED = failing(429, 'This request would exceed your rate limit.', { retryAfterSeconds: 1 });
const RATE_LIMITED_AT_ONCE = failing(429, 'This request would exceed your rate limit.', {
  retryAfterSeconds: 0,
});

const ECHO: Script = {
  steps: [{ blocks: [{ type: 'text', text: '{answer}' }], usage: USAGE }],
  answers: [
    { pattern: 'when i say "?ping"?,? (what do )?you say', answer: 'pong' },
    { pattern: 'two and two', answer: 'The answer is four.' },
  ],
};

/** The scripts that every server knows; the README has a table. */
export const builtInScripts = {
  echo: ECHO,
  ping: ECHO,
  /** Answers with everything users said so far: shows whether a session was resumed. */
  recall: { steps: [{ blocks: [{ type: 'text', text: '{user-texts}' }], usage: USAGE }] },
  plain: { steps: [FOUR] },
  think: {
    steps: [
      {
        blocks: [
          { type: 'thinking', text: 'Two and two make four.' },
          { type: 'text', text: 'The answer is four.' },
        ],
        usage: { ...USAGE, thinking: 9 },
      },
    ],
  },
  tool: calling('I will call the echo tool.', [{ name: 'echo', input: { text: 'ping-1' } }]),
  tools2: calling(
    'I will call two tools.',
    [{ name: 'echo', input: { text: 'ping-1' } }],
    [{ name: 'echo', input: { text: 'ping-2' } }],
  ),
  /** Calls a tool in every answer and never ends. */
  loop: {
    steps: [
      {
        blocks: [{ type: 'tool', candidates: [{ name: 'read_file', input: { path: 'task.md' } }] }],
        usage: USAGE,
      },
    ],
  },
  bash: calling(null, [
    { name: 'Bash', input: { command: SHELL, description: 'Look around' } },
    { name: 'exec_command', input: { cmd: SHELL } },
    { name: 'shell', input: { command: ['sh', '-c', SHELL] } },
    { name: 'bash', input: { command: SHELL, description: 'Look around' } },
    { name: 'run_shell_command', input: { command: SHELL } },
  ]),
  read: calling('I will read the file.', [{ name: 'read_file', input: { path: 'note.txt' } }]),
  write: calling(null, [
    { name: 'apply_patch', input: PATCH },
    { name: 'exec_command', input: { cmd: 'printf written > written.txt' } },
    { name: 'write_file', input: { path: 'written.txt', text: 'written\n' } },
    { name: 'Write', input: { file_path: 'written.txt', content: 'written\n' } },
    { name: 'write', input: { filePath: 'written.txt', content: 'written\n' } },
  ]),
  /** A word every 100 ms for a minute. */
  slow: {
    steps: [{ blocks: [{ type: 'text', text: LONG_TEXT }], usage: USAGE, pace: { pieceDelayMs: 100 } }],
  },
  /** Two words, then silence on an open connection. */
  stall: { steps: [{ ...FOUR, pace: { stallAfterPieces: 2 } }] },
  /** Headers never come. */
  silent: { steps: [{ ...FOUR, pace: { firstByteDelayMs: 3_600_000 } }] },
  cut: { steps: [{ ...FOUR, pace: { cutAfterPieces: 2, cut: 'close' } }] },
  cuthard: { steps: [{ ...FOUR, pace: { cutAfterPieces: 2, cut: 'reset' } }] },
  /** A well-formed body that ends before the answer does. */
  cutclean: { steps: [{ ...FOUR, pace: { cutAfterPieces: 2, cut: 'end' } }] },
  midcut: { steps: [{ ...FOUR, pace: { cutAfterPieces: 2, cut: 'close' } }, FOUR] },
  miderror: { steps: [{ ...FOUR, pace: { errorAfterPieces: 2 } }] },
  maxtokens: { steps: [{ ...FOUR, stop: 'max-tokens' }] },
  e400: { steps: [failing(400, 'messages: at least one message is required')] },
  e401: { steps: [failing(401, 'invalid x-api-key')] },
  e403: { steps: [failing(403, 'Your account may not use this resource.')] },
  e429: { steps: [RATE_LIMITED] },
  e429x2: { steps: [RATE_LIMITED_AT_ONCE, RATE_LIMITED_AT_ONCE, FOUR] },
  quota: {
    steps: [failing(429, 'Quota exceeded. Check your plan and billing details.', { reason: 'quota' })],
  },
  e500: { steps: [failing(500, 'Internal server error')] },
  e529: { steps: [failing(529, 'Overloaded')] },
} as const satisfies Record<string, Script>;
