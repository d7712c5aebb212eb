import type { Conversation, OfferedTool } from './request.js';
import type { AnswerStep, Script, ScriptedUsage, Step } from './types.js';

/** A piece of an answer with every choice made: what the wire modules encode. */
export type ResolvedBlock =
  | { readonly type: 'text'; readonly text: string; readonly pieces: readonly string[] }
  | { readonly type: 'thinking'; readonly text: string; readonly pieces: readonly string[] }
  | {
      readonly type: 'tool';
      readonly id: string;
      readonly name: string;
      readonly namespace: string | null;
      /** Set for a free-form tool: its input as it stands. */
      readonly customInput: string | null;
      readonly input: Readonly<Record<string, unknown>>;
    };

export interface ResolvedAnswer {
  readonly id: string;
  readonly model: string;
  readonly blocks: readonly ResolvedBlock[];
  readonly stop: 'end' | 'tool' | 'max-tokens';
  readonly usage: Required<ScriptedUsage>;
}

/** Step `count` (from 0) of the script, or the one for tool results. */
export function chooseStep(script: Script, count: number, conversation: Conversation): Step {
  if (script.afterToolResults !== undefined && conversation.toolResults.length > 0)
    return script.afterToolResults;
  return script.steps[Math.min(count, script.steps.length - 1)] ?? script.steps[0];
}

/** Fills placeholders, picks tools that the request offers, numbers ids by the request. */
export function resolveAnswer(
  script: Script,
  step: AnswerStep,
  conversation: Conversation,
  requestNumber: number,
): ResolvedAnswer {
  const blocks = step.blocks.map((block, index): ResolvedBlock => {
    if (block.type !== 'tool') {
      const text = fillPlaceholders(block.text, script, conversation);
      return { type: block.type, text, pieces: piecesOf(text) };
    }
    const id = `${requestNumber}_${index}`;
    for (const candidate of block.candidates) {
      const offered = conversation.tools.find((tool) => bareName(tool) === candidate.name);
      if (offered !== undefined) return toolBlock(id, offered, candidate.input);
    }
    // A model may name a tool that nobody offered: the harness has to cope.
    const [first] = block.candidates;
    return toolBlock(
      id,
      { name: first?.name ?? 'unknown', namespace: null, custom: false },
      first?.input ?? {},
    );
  });
  const { input = 1, output = 1, cacheRead = 0, cacheWrite = 0, thinking = 0 } = step.usage ?? {};
  return {
    id: String(requestNumber),
    model: conversation.model,
    blocks,
    stop: step.stop ?? (blocks.some((block) => block.type === 'tool') ? 'tool' : 'end'),
    usage: { input, output, cacheRead, cacheWrite, thinking },
  };
}

function toolBlock(
  id: string,
  tool: OfferedTool,
  input: Readonly<Record<string, unknown>> | string,
): ResolvedBlock {
  const customInput = tool.custom ? (typeof input === 'string' ? input : JSON.stringify(input)) : null;
  const object = typeof input === 'string' ? { input } : input;
  return { type: 'tool', id, name: tool.name, namespace: tool.namespace, customInput, input: object };
}

/** `mcp__server__echo` and `server_echo` style prefixes fall away. */
function bareName(tool: OfferedTool): string {
  return tool.name.startsWith('mcp__') ? (tool.name.split('__').at(-1) ?? tool.name) : tool.name;
}

function fillPlaceholders(text: string, script: Script, conversation: Conversation): string {
  const lastUserText = conversation.userTexts.at(-1) ?? '';
  const values: Record<string, () => string> = {
    answer: () =>
      script.answers?.find((row) => new RegExp(row.pattern, 'i').test(lastUserText))?.answer ??
      `You said: ${lastUserText}`,
    'last-user-text': () => lastUserText,
    'user-texts': () => conversation.userTexts.map((each) => `[${each}]`).join(' '),
    'tool-results': () => conversation.toolResults.join('\n'),
  };
  return text.replace(/\{([a-z-]+)\}/g, (whole, name: string) => values[name]?.() ?? whole);
}

/** Words with the space behind them; joined they give the text again. */
function piecesOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}
