import { domainToASCII } from 'node:url';

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
const LONGEST_NAME = 253;

/**
 * The canonical form of a name that is already ASCII: lower case, no final dot. Null for whatever no rule can
 * name: empty or long labels, other characters, and names whose last label is a number, which some clients
 * read as an address.
 */
export function canonicalAsciiName(text: string): string | null {
  // Not `toLowerCase` on anything but ASCII: it would fold the Kelvin sign into a k.
  if (!/^[A-Za-z0-9_.-]+$/.test(text)) return null;
  const lower = text.toLowerCase();
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower;
  if (name.length > LONGEST_NAME) return null;
  const labels = name.split('.');
  if (!labels.every((label) => LABEL.test(label))) return null;
  return /^(?:[0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? '') ? null : name;
}

/**
 * As {@link canonicalAsciiName}, after international names were mapped to their ASCII labels. For rules, which
 * people write; what comes over the wire is ASCII or nothing.
 */
export function canonicalName(text: string): string | null {
  if (/[\p{Cc}\p{Cf}\s%*/\\@?#:[\]]/u.test(text)) return null;
  const ascii = domainToASCII(text);
  // The mapping reads 0x7f.1 as 127.0.0.1; a name must still be a name afterwards.
  return ascii === '' ? null : canonicalAsciiName(ascii);
}
