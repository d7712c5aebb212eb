/**
 * Reads the structure of a WIT file: names, types and order, without comments. It knows the subset that the
 * contracts of this repository use and refuses everything else, so that nothing is compared by being skipped.
 */

export interface WitStructure {
  readonly package: string;
  readonly items: readonly WitItem[];
}

export type WitItem =
  | { readonly kind: 'interface' | 'world'; readonly name: string; readonly items: readonly WitItem[] }
  | { readonly kind: 'record' | 'variant'; readonly name: string; readonly members: readonly WitMember[] }
  | { readonly kind: 'enum' | 'flags'; readonly name: string; readonly members: readonly WitMember[] }
  | {
      readonly kind: 'func';
      readonly name: string;
      readonly params: readonly WitMember[];
      readonly result: string | null;
    }
  | { readonly kind: 'type'; readonly name: string; readonly type: string }
  | { readonly kind: 'import' | 'export'; readonly name: string };

export interface WitMember {
  readonly name: string;
  /** Written without spaces; null for a case or field without one. */
  readonly type: string | null;
}

const TOKEN = /[A-Za-z%][A-Za-z0-9-]*|\d+\.\d+\.\d+|->|[{}()<>,:;=@/._*]/y;

function tokenize(source: string): string[] {
  const text = source.replace(/\/\/[^\n]*/g, '');
  if (text.includes('/*')) throw new Error('block comments are not used here');
  const tokens: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (/\s/.test(text[at] ?? '')) {
      at += 1;
      continue;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) throw new Error(`unexpected ${JSON.stringify(text.slice(at, at + 20))}`);
    tokens.push(token);
    at += token.length;
  }
  return tokens;
}

class TokenStream {
  #position = 0;
  readonly #tokens: readonly string[];

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }
  peek(): string | undefined {
    return this.#tokens[this.#position];
  }
  next(): string {
    const token = this.peek();
    if (token === undefined) throw new Error('unexpected end of file');
    this.#position += 1;
    return token;
  }
  take(token: string): boolean {
    if (this.peek() !== token) return false;
    this.#position += 1;
    return true;
  }
  expect(token: string): void {
    const found = this.next();
    if (found !== token) throw new Error(`expected ${token}, found ${found}`);
  }
  name(): string {
    const token = this.next();
    if (!/^%?[a-z][a-z0-9-]*$/.test(token)) throw new Error(`expected a name, found ${token}`);
    return token;
  }
}

function readType(tokens: TokenStream): string {
  const name = tokens.name();
  if (!tokens.take('<')) return name;
  const inner: string[] = [];
  do inner.push(tokens.take('_') ? '_' : readType(tokens));
  while (tokens.take(','));
  tokens.expect('>');
  return `${name}<${inner.join(',')}>`;
}

/** Members up to the closing token, separated by commas; one may trail. */
function readMembers(
  tokens: TokenStream,
  close: string,
  readRest: (tokens: TokenStream) => string | null,
): WitMember[] {
  const members: WitMember[] = [];
  while (!tokens.take(close)) {
    const name = tokens.name();
    members.push({ name, type: readRest(tokens) });
    if (!tokens.take(',')) {
      tokens.expect(close);
      break;
    }
  }
  return members;
}

function typeAfterColon(tokens: TokenStream): string {
  tokens.expect(':');
  return readType(tokens);
}

function payload(tokens: TokenStream): string | null {
  if (!tokens.take('(')) return null;
  const type = readType(tokens);
  tokens.expect(')');
  return type;
}

function readFunction(tokens: TokenStream, name: string): WitItem {
  tokens.expect(':');
  tokens.expect('func');
  tokens.expect('(');
  const params = readMembers(tokens, ')', typeAfterColon);
  const result = tokens.take('->') ? readType(tokens) : null;
  tokens.expect(';');
  return { kind: 'func', name, params, result };
}

function readItem(tokens: TokenStream): WitItem {
  const word = tokens.name();
  switch (word) {
    case 'interface':
    case 'world':
      return { kind: word, name: tokens.name(), items: readItems(tokens) };
    case 'record': {
      const name = tokens.name();
      tokens.expect('{');
      return { kind: word, name, members: readMembers(tokens, '}', typeAfterColon) };
    }
    case 'variant': {
      const name = tokens.name();
      tokens.expect('{');
      return { kind: word, name, members: readMembers(tokens, '}', payload) };
    }
    case 'enum':
    case 'flags': {
      const name = tokens.name();
      tokens.expect('{');
      return { kind: word, name, members: readMembers(tokens, '}', () => null) };
    }
    case 'type': {
      const name = tokens.name();
      tokens.expect('=');
      const type = readType(tokens);
      tokens.expect(';');
      return { kind: word, name, type };
    }
    case 'import':
    case 'export': {
      const name = tokens.name();
      tokens.expect(';');
      return { kind: word, name };
    }
    default:
      return readFunction(tokens, word);
  }
}

function readItems(tokens: TokenStream): WitItem[] {
  tokens.expect('{');
  const items: WitItem[] = [];
  while (!tokens.take('}')) items.push(readItem(tokens));
  return items;
}

/** @throws Error when the text is not WIT of the known subset */
export function readWitStructure(source: string): WitStructure {
  const tokens = new TokenStream(tokenize(source));
  tokens.expect('package');
  let name = '';
  while (!tokens.take(';')) name += tokens.next();
  const items: WitItem[] = [];
  while (tokens.peek() !== undefined) {
    const item = readItem(tokens);
    if (item.kind !== 'interface' && item.kind !== 'world')
      throw new Error(`${item.kind} outside an interface`);
    items.push(item);
  }
  return { package: name, items };
}
