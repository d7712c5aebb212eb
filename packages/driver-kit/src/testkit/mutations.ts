import fc from 'fast-check';
import { deepJson, pokedBytes, retyped, withUnknownType } from './mutate-line.js';
import { noiseLine } from './noise.js';

/** One change to the lines of a recording. Positions wrap around, so that every number is one. */
export type Mutation =
  | { readonly do: 'truncate'; readonly at: number; readonly keep: number }
  | { readonly do: 'cut'; readonly at: number }
  | { readonly do: 'drop' | 'duplicate' | 'unknown-type'; readonly at: number }
  | { readonly do: 'split'; readonly at: number; readonly keep: number }
  | { readonly do: 'join'; readonly at: number }
  | { readonly do: 'swap'; readonly at: number; readonly to: number }
  | { readonly do: 'retype'; readonly at: number; readonly member: number; readonly value: unknown }
  | { readonly do: 'invalid-utf8'; readonly at: number; readonly byte: number }
  | { readonly do: 'noise'; readonly at: number; readonly line: string }
  | { readonly do: 'huge'; readonly at: number; readonly megabytes: number }
  | { readonly do: 'deep'; readonly at: number; readonly depth: number };

const position = fc.nat(9999);
/** A value of every JSON type; what stands in a member's place is chosen to be of another type than it was. */
const anyValue = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, '', 'x', [], {}, -1, 1.5, 0, 1e300, Number.MAX_SAFE_INTEGER),
  fc.jsonValue({ maxDepth: 2 }),
);

/** One change; the costly ones are rare. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({ do: fc.constant('truncate' as const), at: position, keep: position }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('cut' as const), at: position }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom('drop' as const, 'duplicate' as const, 'unknown-type' as const),
      at: position,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('split' as const), at: position, keep: position }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('join' as const), at: position }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('swap' as const), at: position, to: position }) },
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('retype' as const),
      at: position,
      member: position,
      value: anyValue,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('invalid-utf8' as const), at: position, byte: position }),
  },
  { weight: 12, arbitrary: fc.record({ do: fc.constant('noise' as const), at: position, line: noiseLine }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('huge' as const),
      at: position,
      megabytes: fc.constantFrom(0.25, 1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('deep' as const),
      at: position,
      depth: fc.constantFrom(100, 1_000, 20_000),
    }),
  },
);

export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(mutation, {
  minLength: 1,
  maxLength: 4,
});

/** The lines after these changes, in order. */
export function mutate(lines: readonly string[], changes: readonly Mutation[]): readonly string[] {
  const changed = [...lines];
  for (const change of changes) apply(changed, change);
  return changed;
}

function apply(lines: string[], change: Mutation): void {
  const at = change.at % (lines.length + 1);
  const line = lines[at];
  if (change.do === 'noise') {
    lines.splice(at, 0, change.line);
    return;
  }
  if (change.do === 'huge') {
    lines.splice(at, 0, hugeLine(line, change.megabytes));
    return;
  }
  if (change.do === 'deep') {
    lines.splice(at, 0, deepJson(line, change.depth));
    return;
  }
  if (line === undefined) return;
  switch (change.do) {
    case 'truncate':
      lines[at] = line.slice(0, change.keep % (line.length + 1));
      return;
    case 'cut':
      lines.length = at;
      return;
    case 'drop':
      lines.splice(at, 1);
      return;
    case 'duplicate':
      lines.splice(at, 0, line);
      return;
    case 'unknown-type':
      lines[at] = withUnknownType(line);
      return;
    case 'split': {
      const keep = change.keep % (line.length + 1);
      lines.splice(at, 1, line.slice(0, keep), line.slice(keep));
      return;
    }
    case 'join':
      lines.splice(at, 2, line + (lines[at + 1] ?? ''));
      return;
    case 'swap': {
      const to = change.to % lines.length;
      lines[at] = lines[to] ?? '';
      lines[to] = line;
      return;
    }
    case 'retype':
      lines[at] = retyped(line, change.member, change.value);
      return;
    case 'invalid-utf8':
      lines[at] = pokedBytes(line, change.byte);
      return;
    default:
      change satisfies never;
  }
}

const MEGABYTE = 1 << 20;

/** A line of a megabyte: a real one with a long member, or plain text. */
function hugeLine(line: string | undefined, megabytes: number): string {
  const filler = 'x'.repeat(megabytes * MEGABYTE);
  return line?.startsWith('{') === true && line.length > 2
    ? `{"filler":"${filler}",${line.slice(1)}`
    : filler;
}
