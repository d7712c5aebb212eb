// Text from outside (a harness, a provider, a file name) is printed on a terminal. Escape sequences
// there could repaint what the person reads, move the cursor over it, or set the clipboard; bidirectional
// controls could show a path in another order than it has.
const ESCAPE_SEQUENCES = [
  /\x1b\][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g, // operating system commands: titles, clipboard, links
  /\x9d[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g,
  /\x1b[PX^_][^\x1b\x9c]*(?:\x1b\\|\x9c)/g, // device control and other strings
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]/g, // control sequences: colours, cursor
  /\x1b[ -/]*[0-~]/g, // two-character escapes
];
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const INVISIBLE = /[\u{e0000}-\u{e007f}\ufeff]/gu;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/**
 * Removes from outside text whatever steers a terminal: escape sequences, control characters (C1
 * included), bidirectional overrides and invisible tags. Line feeds and tabs stay; other line ends
 * become line feeds. Applying it twice changes nothing. Implements docs/spec/session.md, "Output of `mur run`".
 */
export function stripControl(text: string): string {
  let clean = text;
  for (const sequence of ESCAPE_SEQUENCES) clean = clean.replace(sequence, '');
  return clean
    .replace(CONTROLS, '')
    .replace(DIRECTION, '')
    .replace(INVISIBLE, '')
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n');
}

/** As {@link stripControl}, with line breaks and tabs turned into single spaces. */
export function stripToOneLine(text: string): string {
  return stripControl(text).replace(/[\n\t]+/g, ' ');
}
