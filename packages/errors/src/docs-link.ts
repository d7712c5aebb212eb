/** Where the reference pages lie. The only place that spells it. */
const DOCS_REFERENCE_URL = 'docs';

/** The link to a code's section on the diagnostics page. */
export function docsLink(code: string): string {
  return `${DOCS_REFERENCE_URL}/diagnostics.md#${anchor(code)}`;
}

/** A code's anchor on the diagnostics page: the code in lower case. */
export function anchor(code: string): string {
  return code.toLowerCase();
}
