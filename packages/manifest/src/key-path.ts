/** A path into a YAML document: keys and list indexes. */
export type KeyPath = readonly (string | number)[];

/**
 * The dotted spelling of a path: `inference.alternates[1].name`. A key that is not a plain word is put in
 * quotes, so that no key can pass itself off as a path.
 */
export function dottedKey(path: KeyPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!/^[A-Za-z0-9_-]+$/.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}
