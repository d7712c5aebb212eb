/** A line of stdout, or the length of one that was too long to keep. */
export type FramedLine = string | { readonly discardedBytes: number };

export interface LineFramer {
  /** Takes bytes as they came and returns the lines they completed. */
  push(chunk: Buffer): readonly FramedLine[];
}

const newline = 0x0a;

function withoutReturn(line: string): string {
  return line.charCodeAt(line.length - 1) === 0x0d ? line.slice(0, -1) : line;
}

/**
 * Cuts bytes into lines at `\n`, dropping it and at most one `\r` before it. Works on bytes, so a character split
 * over two chunks survives; invalid UTF-8 becomes U+FFFD. Bytes after the last `\n` are never a line. A line above
 * `maxBytes` is thrown away as it arrives and reported by its length.
 */
export function createLineFramer(maxBytes: number): LineFramer {
  // Grown by doubling: a harness that writes byte by byte must not cost an object for each of them.
  let held = Buffer.allocUnsafe(1024);
  let heldBytes = 0;

  function hold(part: Buffer): void {
    const before = heldBytes;
    heldBytes += part.length;
    if (heldBytes > maxBytes) {
      held = Buffer.allocUnsafe(0);
      return;
    }
    if (heldBytes > held.length) {
      const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(heldBytes, held.length * 2)));
      held.copy(grown, 0, 0, before);
      held = grown;
    }
    part.copy(held, before);
  }

  function release(): FramedLine {
    const length = heldBytes;
    heldBytes = 0;
    return length > maxBytes ? { discardedBytes: length } : withoutReturn(held.toString('utf8', 0, length));
  }

  return {
    push(chunk) {
      const first = chunk.indexOf(newline);
      if (first < 0) {
        hold(chunk);
        return [];
      }
      hold(chunk.subarray(0, first));
      const lines: FramedLine[] = [release()];
      const last = chunk.lastIndexOf(newline);
      if (last > first) {
        // No multi-byte character contains 0x0a, so decoding whole lines at once equals decoding them one by one.
        const middle = chunk.subarray(first + 1, last);
        if (middle.length <= maxBytes)
          for (const line of middle.toString('utf8').split('\n')) lines.push(withoutReturn(line));
        else
          for (let at = 0; at <= middle.length; ) {
            const end = middle.indexOf(newline, at);
            const stop = end < 0 ? middle.length : end;
            hold(middle.subarray(at, stop));
            lines.push(release());
            at = stop + 1;
          }
      }
      hold(chunk.subarray(last + 1));
      return lines;
    },
  };
}
