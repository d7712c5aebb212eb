import type { WarningCondition } from './condition.js';
import { type DiagnoseOptions, type Diagnostic, diagnoseWarning, warningEntryOf } from './diagnose.js';
import { docsLink } from './docs-link.js';

/**
 * An error as the terminal shows it, without a final line feed: `error[CODE]: message`, further lines
 * indented by two spaces, and the remedy last as `  hint: … — see <link>`.
 */
export function renderError(diagnostic: Diagnostic): string {
  const first = `error[${diagnostic.code}]: ${indentRest(diagnostic.message, '  ')}`;
  if (diagnostic.hint === undefined) return first;
  return `${first}\n  hint: ${indentRest(diagnostic.hint, '    ')} — see ${docsLink(diagnostic.code)}`;
}

/**
 * A warning as the terminal shows it, without a final line feed: `[emitter] warning[CODE]: message
 * (link)`, or without a tag, or with the link on its own line, as the catalog says for each code.
 */
export function renderWarning(condition: WarningCondition, options: DiagnoseOptions = {}): string {
  const entry = warningEntryOf(condition);
  const { code, message, hint } = diagnoseWarning(condition, options);
  const tag = entry.emitter === null ? '' : `[${entry.emitter}] `;
  const line = `${tag}warning[${code}]: ${indentRest(message, '  ')}`;
  switch (entry.link) {
    case 'inline':
      return `${line} (${docsLink(code)})`;
    case 'own line':
      return `${line}\n  ${docsLink(code)}`;
    case 'after the fix':
      return `${line}\n${hint === undefined ? '' : `  → ${indentRest(hint, '    ')}\n`}  → ${docsLink(code)}`;
  }
}

/** A condition that refuses a run, as `mur doctor` foretells it. */
export function renderForeseenError(diagnostic: Diagnostic): string {
  return (
    `[mur doctor] warning[${diagnostic.code}]: ${indentRest(diagnostic.message, '  ')}; mur run will refuse this capsule` +
    `\n  ${docsLink(diagnostic.code)}`
  );
}

// Indenting also keeps text from outside from starting a line of its own, where it could pass for
// one of ours.
function indentRest(text: string, indent: string): string {
  return text.trimEnd().replaceAll('\n', `\n${indent}`);
}
