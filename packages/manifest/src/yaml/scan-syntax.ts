import { type CST, Parser } from 'yaml';
import { yamlCeilings } from '../defaults.js';

/** What the scan found: the syntax tokens, or the first thing that is refused and where. */
export type SyntaxScan =
  | { readonly tokens: readonly CST.Token[] }
  | { readonly offset: number; readonly reason: string };

/**
 * Splits a YAML text into syntax tokens and judges them before anything recursive looks at them. The composer
 * of the library recurses once per level and compiles regular expressions on the way: near the end of the
 * stack that aborts the whole process instead of throwing. So depth is measured here, by a loop.
 */
export function scanSyntax(text: string, onNewLine: (offset: number) => void): SyntaxScan {
  const tokens: CST.Token[] = [];
  const pending: { token: CST.Token; depth: number }[] = [];
  let documents = 0;
  for (const token of new Parser(onNewLine).parse(text)) {
    if (token.type === 'document' && ++documents > 1) {
      return { offset: token.offset, reason: 'the file holds more than one YAML document' };
    }
    tokens.push(token);
    pending.push({ token, depth: 0 });
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const refusal = refusedToken(next.token);
      if (refusal !== null) return refusal;
      const inner = childTokens(next.token);
      const depth = next.depth + ('items' in next.token ? 1 : 0);
      if (depth > yamlCeilings.maxDepth) {
        return { offset: offsetOf(next.token), reason: `nested deeper than ${yamlCeilings.maxDepth} levels` };
      }
      for (const child of inner) pending.push({ token: child, depth });
    }
  }
  return { tokens };
}

function refusedToken(token: CST.Token): { offset: number; reason: string } | null {
  if (token.type === 'error') return { offset: token.offset, reason: token.message };
  if (token.type === 'alias') return { offset: token.offset, reason: 'aliases (*name) are not accepted' };
  if (token.type === 'anchor') return { offset: token.offset, reason: 'anchors (&name) are not accepted' };
  if (token.type === 'tag') return { offset: token.offset, reason: 'tags (!name) are not accepted' };
  if (token.type === 'directive') return { offset: token.offset, reason: 'directives (%) are not accepted' };
  return null;
}

/**
 * The tokens directly inside one, the last first, so that a stack takes them in order. A hostile text puts
 * more of them in one place than a call may have arguments: no spreading.
 */
function childTokens(token: CST.Token): CST.Token[] {
  if ('items' in token) {
    const parts = token.items.map((item) => [item.start, item.key ?? [], item.sep ?? [], item.value ?? []]);
    return parts.flat(2).reverse();
  }
  if (token.type === 'document') return [token.start, token.value ?? [], token.end ?? []].flat().reverse();
  return [];
}

function offsetOf(token: CST.Token): number {
  return 'offset' in token ? token.offset : 0;
}
