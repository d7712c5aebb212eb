import { finished, type Readable } from 'node:stream';

/**
 * Calls back once nothing more can be read from a stream, be it by its end, an error or its destruction. A stream that
 * was over before anybody listened counts too: a program that says nothing may be gone by the time it is looked at.
 */
export function whenFinished(stream: Readable, callback: () => void): void {
  finished(stream, { writable: false }, () => callback());
  // Once it is over, nobody is left to hear of an error; it must not bring the process down.
  stream.on('error', () => undefined);
}
