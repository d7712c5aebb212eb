/**
 * Reads the subset of WIT that the driver contract uses: one interface with enums, records, variants and
 * functions, each with `///` comments. Anything else is an error, so that a contract which outgrows the subset
 * is noticed instead of half read.
 */
export function readWitInterface(text) {
  const lines = text.split('\n');
  const types = [];
  const functions = [];
  let docs = [];
  let open = null;
  let packageName = '';
  let interfaceName = '';
  for (const raw of lines) {
    const line = raw.trim();
    const doc = /^\/\/\/ ?(.*)$/.exec(line);
    if (doc) {
      docs.push(doc[1]);
      continue;
    }
    if (line === '' || line.startsWith('//')) continue;
    const taken = docs;
    docs = [];
    let match;
    if (open) {
      if (line === '}') open = null;
      else if (open.kind === 'enum' && (match = /^([a-z0-9-]+),$/.exec(line))) open.members.push({ name: match[1], docs: taken });
      else if (open.kind === 'record' && (match = /^([a-z0-9-]+): (.+),$/.exec(line)))
        open.members.push({ name: match[1], type: readType(match[2]), docs: taken });
      else if (open.kind === 'variant' && (match = /^([a-z0-9-]+)(?:\((.+)\))?,$/.exec(line)))
        open.members.push({ name: match[1], type: match[2] === undefined ? null : readType(match[2]), docs: taken });
      else throw new Error(`cannot read in ${open.kind} ${open.name}: ${line}`);
    } else if ((match = /^package (.+);$/.exec(line))) packageName = match[1];
    else if ((match = /^interface ([a-z0-9-]+) \{$/.exec(line))) interfaceName = match[1];
    else if ((match = /^(enum|record|variant) ([a-z0-9-]+) \{$/.exec(line))) {
      open = { kind: match[1], name: match[2], docs: taken, members: [] };
      types.push(open);
    } else if ((match = /^([a-z0-9-]+): func\((?:([a-z0-9-]+): (.+))?\) -> (.+);$/.exec(line)))
      functions.push({
        name: match[1],
        parameter: match[2] === undefined ? null : { name: match[2], type: readType(match[3]) },
        result: readType(match[4]),
        docs: taken,
      });
    else if (line === '}' || /^world |^export /.test(line)) continue;
    else throw new Error(`cannot read: ${line}`);
  }
  return { packageName, interfaceName, types, functions };
}

const SCALARS = new Set(['string', 'bool', 'u8', 'u32', 's32', 'u64', 'f64']);

/** `option<list<string>>` → `{ option: { list: 'string' } }`; a name of the interface → `{ ref: name }`. */
export function readType(text) {
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
