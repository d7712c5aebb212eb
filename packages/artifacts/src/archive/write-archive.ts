import { buffer as collect } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

/** One file to be packed. */
export interface ArchiveFile {
  /** Path in the archive, `/` between segments. */
  readonly name: string;
  readonly content: Uint8Array;
}

/**
 * Writes a zip archive whose bytes depend on nothing but the files: the order given, one fixed date, one
 * fixed mode, no directory entries, no extra fields.
 */
export async function writeArchive(files: readonly ArchiveFile[]): Promise<Buffer> {
  const zip = new ZipFile();
  const collected = collect(zip.outputStream);
  const failed = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  for (const { name, content } of files) {
    zip.addBuffer(Buffer.from(content), name, {
      // Local parts on purpose: the format stores local time, so an instant would depend on the time zone.
      mtime: new Date(1980, 0, 1),
      forceDosTimestamp: true,
      mode: 0o100644,
      compress: true,
    });
  }
  zip.end();
  return Promise.race([collected, failed]);
}
