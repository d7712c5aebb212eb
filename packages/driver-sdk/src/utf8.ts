/**
 * A text as UTF-8 bytes, for `stdin` and `interruptStdin` (the guest has no `TextEncoder`). A lone surrogate
 * becomes U+FFFD.
 */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(utf8LengthBytes(text));
  // By code unit, not by character: inside a guest this loop is interpreted, and texts can be large.
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      bytes[at++] = unit;
      continue;
    }
    if (unit < 0x800) {
      bytes[at++] = 0xc0 | (unit >> 6);
      bytes[at++] = 0x80 | (unit & 0x3f);
      continue;
    }
    let code = unit;
    if (unit >= 0xd800 && unit <= 0xdfff) {
      const next = unit <= 0xdbff ? text.charCodeAt(index + 1) : Number.NaN;
      if (isLowSurrogate(next)) {
        code = 0x10000 + ((unit - 0xd800) << 10) + (next - 0xdc00);
        index++;
      } else code = 0xfffd;
    }
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at++] = 0x80 | (code & 0x3f);
  }
  return bytes;
}

/** How many bytes a text takes as UTF-8, counted without building them. A lone surrogate counts as U+FFFD. */
export function utf8LengthBytes(text: string): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) length += 1;
    else if (unit < 0x800) length += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) {
      length += 4;
      at++;
    } else length += 3;
  }
  return length;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Bytes read as UTF-8; each malformed sequence becomes one U+FFFD, as the web's decoder does it. */
export function decodeUtf8(bytes: Uint8Array): string {
  const parts: string[] = [];
  let chunk = '';
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at++] ?? 0;
    if (first < 0x80) chunk += String.fromCharCode(first);
    else {
      const lead = leadByte(first);
      let code = lead.bits;
      let low = lead.secondLow;
      let high = lead.secondHigh;
      let missing = lead.following;
      while (missing > 0) {
        const next = bytes[at];
        if (next === undefined || next < low || next > high) break;
        code = (code << 6) | (next & 0x3f);
        at++;
        missing--;
        low = 0x80;
        high = 0xbf;
      }
      chunk += lead.following > 0 && missing === 0 ? String.fromCodePoint(code) : '\ufffd';
    }
    if (chunk.length > 4096) {
      parts.push(chunk);
      chunk = '';
    }
  }
  parts.push(chunk);
  return parts.join('');
}

/** What a lead byte announces: payload bits, count of bytes that follow, and the range the second may lie in. */
function leadByte(byte: number): { bits: number; following: number; secondLow: number; secondHigh: number } {
  if (byte >= 0xc2 && byte <= 0xdf)
    return { bits: byte & 0x1f, following: 1, secondLow: 0x80, secondHigh: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef)
    // 0xa0 keeps overlong forms out, 0x9f surrogates.
    return {
      bits: byte & 0x0f,
      following: 2,
      secondLow: byte === 0xe0 ? 0xa0 : 0x80,
      secondHigh: byte === 0xed ? 0x9f : 0xbf,
    };
  if (byte >= 0xf0 && byte <= 0xf4)
    return {
      bits: byte & 0x07,
      following: 3,
      secondLow: byte === 0xf0 ? 0x90 : 0x80,
      secondHigh: byte === 0xf4 ? 0x8f : 0xbf,
    };
  return { bits: 0, following: 0, secondLow: 0, secondHigh: 0 };
}
