import { parse } from 'yaml';

const sensitiveKey = /api_key|token|secret|password/;
const reference = /^\$\{[A-Z_][A-Z0-9_]*\}$/;
const longestHarmlessBytes = 8;

/**
 * Dotted paths of values in a manifest that look like secrets: a text under a key that speaks of one, which is
 * no `${NAME}` and either long or shaped like an API key. The values themselves are never handed out.
 * Implements `docs/spec/artifacts.md`, "Building".
 */
export function scanForSecrets(manifestText: string): readonly string[] {
  const found: string[] = [];
  visit(parse(manifestText, { version: '1.2', schema: 'core', logLevel: 'silent' }), '', false, found);
  return found;
}

function visit(value: unknown, path: string, sensitive: boolean, found: string[]): void {
  if (typeof value === 'string') {
    if (sensitive && looksLiteral(value)) found.push(path);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      visit(item, join(path, String(index)), sensitive, found);
    });
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      visit(item, join(path, key), sensitiveKey.test(key.toLowerCase()), found);
    }
  }
}

function looksLiteral(value: string): boolean {
  if (reference.test(value)) return false;
  return value.startsWith('sk-') || Buffer.byteLength(value) > longestHarmlessBytes;
}

function join(path: string, step: string): string {
  return path === '' ? step : `${path}.${step}`;
}
