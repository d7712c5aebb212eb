/**
 * Reads the subset of WIT that the driver contract uses: one interface with enums, records, variants and
 * functions, each with `///` comments. Anything else is an error, so that a contract which outgrows the subset
 * is noticed instead of half read.
 */
export function readWitInterface(text) {
  const read = { packageName: '', interfaceName: '', types: [], functions: [], open: null };
  let docs = [];
  for (const raw of text.split('\n')) {
    const line = raw.trim();
    if (line.startsWith('///')) docs.push(line.slice(3).replace(/^ /, ''));
    else if (line !== '' && !line.startsWith('//')) {
      const rules = read.open === null ? OUTSIDE : MEMBERS[read.open.kind];
      const rule = rules.find(([pattern]) => pattern.test(line));
      if (rule === undefined) throw new Error(`cannot read: ${line}`);
      const [pattern, apply] = rule;
      apply(read, docs, ...pattern.exec(line).slice(1));
      docs = [];
    }
  }
  return read;
}

const optional = (type) => (type === undefined ? null : readType(type));
const close = [
  /^\}$/,
  (read) => {
    read.open = null;
  },
];

/** Patterns and what each does, for lines between declarations. */
const OUTSIDE = [
  [
    /^package (.+);$/,
    (read, _, name) => {
      read.packageName = name;
    },
  ],
  [
    /^interface ([a-z0-9-]+) \{$/,
    (read, _, name) => {
      read.interfaceName = name;
    },
  ],
  [
    /^(enum|record|variant) ([a-z0-9-]+) \{$/,
    (read, docs, kind, name) => {
      read.open = { kind, name, docs, members: [] };
      read.types.push(read.open);
    },
  ],
  [
    /^([a-z0-9-]+): func\((?:([a-z0-9-]+): (.+))?\) -> (.+);$/,
    (read, docs, name, parameter, type, result) =>
      read.functions.push({
        name,
        parameter: parameter === undefined ? null : { name: parameter, type: readType(type) },
        result: readType(result),
        docs,
      }),
  ],
  [/^(?:\}|world .*|export .*)$/, () => {}],
];

/** The same for lines inside a declaration, by its kind. */
const MEMBERS = {
  enum: [close, [/^([a-z0-9-]+),$/, (read, docs, name) => read.open.members.push({ name, docs })]],
  record: [
    close,
    [
      /^([a-z0-9-]+): (.+),$/,
      (read, docs, name, type) => read.open.members.push({ name, type: readType(type), docs }),
    ],
  ],
  variant: [
    close,
    [
      /^([a-z0-9-]+)(?:\((.+)\))?,$/,
      (read, docs, name, type) => read.open.members.push({ name, type: optional(type), docs }),
    ],
  ],
};

const SCALARS = new Set(['string', 'bool', 'u8', 'u32', 's32', 'u64', 'f64']);

/** `option<list<string>>` → `{ option: { list: 'string' } }`; a name of the interface → `{ ref: name }`. */
function readType(text) {
  const trimmed = text.trim();
  if (SCALARS.has(trimmed)) return trimmed;
  const generic = /^(option|list|tuple|result)<(.+)>$/.exec(trimmed);
  if (generic) {
    const inner = splitTop(generic[2]).map(readType);
    if (generic[1] === 'tuple') return { tuple: inner };
    if (generic[1] === 'result') return { result: inner };
    return { [generic[1]]: inner[0] };
  }
  if (/^[a-z][a-z0-9-]*$/.test(trimmed)) return { ref: trimmed };
  throw new Error(`cannot read type: ${text}`);
}

function splitTop(text) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '<') depth++;
    else if (text[at] === '>') depth--;
    else if (text[at] === ',' && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}
