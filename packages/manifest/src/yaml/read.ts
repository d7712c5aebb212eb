import { LineCounter } from 'yaml';
import { yamlCeilings } from '../defaults.js';
import type { KeyPath } from '../key-path.js';
import type { JsonValue, Position, Positions } from '../types.js';
import { composeDocument } from './compose.js';
import { decodeUtf8 } from './decode.js';
import type { TextProblem } from './problem.js';
import { scanSyntax } from './scan-syntax.js';
import { toPlain } from './to-plain.js';

/** A YAML text as plain data, with the place of every key. */
export interface YamlContent {
  readonly value: JsonValue;
  readonly positions: Positions;
}

/** The content, or the first problem. */
export type YamlReading =
  | { readonly ok: true; readonly content: YamlContent }
  | { readonly ok: false; readonly problem: TextProblem };

export interface YamlOptions {
  /** Keys whose unquoted numbers keep their source text: `1.10` is a version, not 1.1. */
  readonly keepsSource?: (path: KeyPath, source: string) => boolean;
}

/**
 * Reads a YAML 1.2 text (core schema) of at most 256 KiB as plain data: one document, at most 64 levels, no
 * anchors, aliases, tags, directives or duplicate keys, no `__proto__` key, no number that is not finite or
 * cannot be held exactly. Never throws for what a text holds. Spec: manifest, reading YAML.
 */
export function readYaml(input: string | Uint8Array, options: YamlOptions = {}): YamlReading {
  const bytes = typeof input === 'string' ? Buffer.byteLength(input) : input.length;
  if (bytes > yamlCeilings.maxBytes) {
    const reason = `the file holds ${bytes} bytes, more than the ${yamlCeilings.maxBytes} that are read`;
    return { ok: false, problem: { path: null, line: null, column: null, reason } };
  }
  const decoded = typeof input === 'string' ? { text: input } : decodeUtf8(input);
  if ('problem' in decoded) return { ok: false, problem: decoded.problem };

  const lines = new LineCounter();
  const positionAt = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refuse = (offset: number, reason: string, path: KeyPath | null = null): YamlReading => ({
    ok: false,
    problem: { path, ...positionAt(offset), reason },
  });

  const scan = scanSyntax(decoded.text, lines.addNewLine);
  if ('reason' in scan) return refuse(scan.offset, scan.reason);
  const composed = composeDocument(scan.tokens, decoded.text.length);
  if ('reason' in composed) return refuse(composed.offset, composed.reason);

  const plain = toPlain(composed.document?.contents ?? null, {
    keepsSource: options.keepsSource ?? (() => false),
    positionAt,
  });
  if ('refused' in plain) return refuse(plain.refused.offset, plain.refused.reason, plain.refused.path);
  return { ok: true, content: plain };
}
