import type { Random } from '../random.js';
import { hostileTexts } from './hostile-values.js';
import { mutateBytes } from './mutate-bytes.js';

type Trick = (text: string, random: Random) => string;

/** Something put at the end of a random line, or before its first character that is not a blank. */
function atLine(text: string, random: Random, change: (line: string, random: Random) => string): string {
  const lines = text.split('\n');
  const at = random.int(lines.length);
  lines[at] = change(lines[at] ?? '', random);
  return lines.join('\n');
}

/** What YAML allows or nearly allows and readers differ about. */
const tricks: readonly Trick[] = [
  (text, random) => atLine(text, random, (line) => line.replace(/: /, ': &anchor ')),
  (text, random) => atLine(text, random, (line) => line.replace(/: .*/, ': *anchor')),
  (text, random) =>
    atLine(text, random, (line) =>
      line.replace(
        /: /,
        `: ${random.pick(['!!str', '!!binary', '!!set', '!local', '!<tag:x>', '!!merge'])} `,
      ),
    ),
  (text, random) =>
    atLine(text, random, (line) => `${line}\n${/^ */.exec(line)?.[0] ?? ''}<<: {name: merged}`),
  (text, random) => atLine(text, random, (line) => `${line}\n${line}`),
  (text, random) => atLine(text, random, (line) => `\t${line}`),
  (text, random) => atLine(text, random, (line) => ` ${line}`),
  (text, random) => atLine(text, random, (line) => line.replace(/^ /, '')),
  (text, random) =>
    atLine(text, random, (line) =>
      line.replace(
        /: (.*)/,
        (_, value: string) =>
          `: ${random.pick(['|', '>', '|+', '>-', '|9', '"', "'", '? ', '- ', '[', '{', '}', '# '])}${value}`,
      ),
    ),
  (text, random) =>
    atLine(text, random, (line) =>
      line.replace(
        /: .*/,
        `: ${random.pick(['"', "'", '']) /* quoting */}${random.pick(hostileTexts.slice(0, -1))}`,
      ),
    ),
  (text, random) =>
    atLine(text, random, (line) => line.replace(/: .*/, `: ${'['.repeat(1 + random.skewed(5000))}`)),
  (text, random) =>
    atLine(text, random, (line) => line.replace(/: .*/, `: ${'{a: '.repeat(1 + random.skewed(3000))}`)),
  (text, random) =>
    atLine(text, random, (line) => line.replace(/: .*/, `: ${'- '.repeat(1 + random.skewed(3000))}x`)),
  (text, random) => atLine(text, random, (line) => `? ${line}\n: ${line}`),
  (text, random) =>
    atLine(text, random, (line) =>
      line.replace(/: .*/, `: "\\${random.pick(['x0', 'u12', 'UFFFFFFFF', 'ud800', '0', 'N', '/'])}"`),
    ),
  (text) => `--- \n${text}`,
  (text) => `${text}\n---\n${text}`,
  (text) => `${text}\n...\ngarbage`,
  (text, random) => `%${random.pick(['YAML 1.1', 'YAML 9.9', 'TAG ! tag:x,2000:', 'FOO'])}\n---\n${text}`,
  (text) => `\ufeff${text}`,
  (text) => text.replace(/\n/g, '\r\n'),
  (text) => text.replace(/\n/g, '\r'),
  (text) => text.replace(/\n/g, '\u2028'),
  (text, random) => text.slice(0, random.int(text.length + 1)),
  (text, random) => `${text}\n# ${'c'.repeat(random.skewed(300_000))}`,
  (text, random) => text + '\n'.repeat(random.skewed(260_000)),
  (text, random) =>
    `${text}\n${Array.from({ length: random.skewed(20_000) }, (_, at) => `k${at}: `).join('\n')}`,
  (text, random) => `${text}\nkey: [${'a,'.repeat(random.skewed(100_000))}]`,
  (text, random) => `${text}\nkey: ${'"a" '.repeat(random.skewed(2000))}`,
];

/** A text with a few tricks played on it, as bytes; some of them are not UTF-8 any more. */
export function playTricks(text: string, random: Random): Buffer {
  let tricked = text;
  for (let left = random.int(3); left > 0; left -= 1) tricked = random.pick(tricks)(tricked, random);
  let bytes: Buffer = Buffer.from(tricked);
  if (random.oneIn(4)) bytes = mutateBytes(bytes, random);
  return bytes;
}
