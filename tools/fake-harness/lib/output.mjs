import { writeSync } from 'node:fs';

/**
 * Writes synchronously and whole: what a step printed has left the process before the next step runs,
 * even when that one is a SIGKILL. A full pipe blocks, as it blocks any program.
 */
export function writeAll(descriptor, data) {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'utf8') : data;
  for (let offset = 0; offset < bytes.length; ) {
    try {
      offset += writeSync(descriptor, bytes, offset);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}

const FLOOD_BATCH_LINES = 2000;

/**
 * `count` lines made of one template or of several in turn: `{n}` becomes the line's number from 0, `{round}` how often
 * all templates have been used.
 */
export function flood(count, templates) {
  const all = [templates].flat();
  for (let start = 0; start < count; start += FLOOD_BATCH_LINES) {
    let batch = '';
    for (let n = start; n < Math.min(count, start + FLOOD_BATCH_LINES); n += 1) {
      const round = String(Math.floor(n / all.length));
      batch += `${all[n % all.length].replaceAll('{n}', String(n)).replaceAll('{round}', round)}\n`;
    }
    writeAll(1, batch);
  }
}

const HUGE_BATCH_BYTES = 1024 * 1024;

/** `count` bytes of `x`, without a newline. */
export function huge(count) {
  const batch = Buffer.alloc(Math.min(count, HUGE_BATCH_BYTES), 'x');
  for (let left = count; left > 0; left -= batch.length) {
    writeAll(1, left < batch.length ? batch.subarray(0, left) : batch);
  }
}
