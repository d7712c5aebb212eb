import { type Readable, Transform } from 'node:stream';
import { buffer as collect } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import zlib from 'node:zlib';
import { type Entry, fromBufferPromise, fromFdPromise, type ZipFile } from 'yauzl';
import { refuseUnlessAgreeing, refuseUnlessEnded, refuseUnlessTiled, type Span } from './archive-layout.js';
import { ArchiveProblem, type ArtifactLabel, reportingArchive } from './archive-problem.js';
import { isDirectoryEntry } from './entry-kind.js';
import { readEntryName, refuseClashes } from './entry-name.js';

/** Most entries an archive may have. */
export const maxArchiveEntries = 10_000;

export interface ReadArchiveOptions extends ArtifactLabel {
  /** Ceiling for the sum of all content, counted on the bytes that come out of decompression. */
  readonly maxDecompressedBytes: number;
}

/**
 * Reads every file of a zip archive into memory, by name. Directories are checked and left out.
 *
 * Refused with `ArtifactArchive` (`E-IO-003`): anything that is not a whole, plain archive of regular files
 * and directories with clear, relative, distinct names, whose two sets of headers agree, whose checksums
 * hold, whose bytes are all accounted for, and whose content stays within the ceiling.
 * `source` is the archive's bytes or an open descriptor, which stays open.
 *
 * Implements `docs/spec/artifacts.md`, "Reading an archive".
 */
export function readArchive(
  source: Buffer | number,
  options: ReadArchiveOptions,
): Promise<ReadonlyMap<string, Buffer>> {
  return reportingArchive(options, async () => {
    const zip = await reading(() =>
      typeof source === 'number'
        ? fromFdPromise(source, { decodeStrings: false, autoClose: false })
        : fromBufferPromise(source, { decodeStrings: false }),
    );
    return readEntries(zip, options.maxDecompressedBytes);
  });
}

interface Listed {
  readonly entry: Entry;
  readonly name: string;
  readonly directory: boolean;
}

async function readEntries(zip: ZipFile, maxBytes: number): Promise<ReadonlyMap<string, Buffer>> {
  // Typed as a boolean upstream; it is the offset of the central directory until the first entry is read.
  const directoryStart = Number(zip.readEntryCursor);
  const listed = await listEntries(zip);
  refuseUnlessEnded(Number(zip.readEntryCursor), zip.fileSize, zip.comment.length);
  refuseClashes(listed.map(({ name }) => name));
  const spans: Span[] = [];
  for (const { entry, name } of listed) {
    const local = await reading(() => zip.readLocalFileHeaderPromise(entry));
    refuseUnlessAgreeing(name, entry, local);
    spans.push({
      name,
      start: entry.relativeOffsetOfLocalHeader,
      end: local.fileDataStart + entry.compressedSize,
      hasDescriptor: (entry.generalPurposeBitFlag & 0x0008) !== 0,
    });
  }
  refuseUnlessTiled(spans, directoryStart);
  const files = new Map<string, Buffer>();
  let total = 0;
  for (const { entry, name, directory } of listed) {
    if (directory) continue;
    const content = await readContent(zip, entry, name, maxBytes - total);
    total += content.length;
    files.set(name, content);
  }
  return files;
}

async function listEntries(zip: ZipFile): Promise<readonly Listed[]> {
  if (zip.entryCount > maxArchiveEntries) {
    throw new ArchiveProblem(`it has ${zip.entryCount} entries, more than ${maxArchiveEntries}`);
  }
  const listed: Listed[] = [];
  const entries = zip.eachEntry()[Symbol.asyncIterator]();
  for (;;) {
    const next = await reading(() => entries.next());
    if (next.done === true) return listed;
    const name = readEntryName(next.value.fileNameRaw, next.value.generalPurposeBitFlag);
    listed.push({ entry: next.value, name, directory: isDirectoryEntry(next.value, name) });
  }
}

async function readContent(zip: ZipFile, entry: Entry, name: string, maxBytes: number): Promise<Buffer> {
  if (entry.uncompressedSize > maxBytes) throw tooLarge();
  const content = await reading(async () => {
    const packed = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    const unpacked = entry.uncompressedSize <= AT_ONCE_BYTES ? unpackAtOnce : unpackStream;
    return await unpacked(packed, entry, maxBytes);
  });
  if (zlib.crc32(content) !== entry.crc32) {
    throw new ArchiveProblem(`the content of ${JSON.stringify(name)} does not match its checksum`);
  }
  return content;
}

function tooLarge(): ArchiveProblem {
  return new ArchiveProblem('it unpacks to more bytes than are allowed');
}

/** Up to here, the rounds through the thread pool cost more than the unpacking does. */
const AT_ONCE_BYTES = 4 * 1024 * 1024;

async function unpackAtOnce(packed: Readable, entry: Entry): Promise<Buffer> {
  const bytes = await collect(packed);
  // The declared size is the archive's own word: memory for one byte more shows that it is wrong.
  const content = isStored(entry)
    ? bytes
    : zlib.inflateRawSync(bytes, { maxOutputLength: entry.uncompressedSize + 1 });
  refuseUnlessSized(content, entry);
  return content;
}

async function unpackStream(packed: Readable, entry: Entry, maxBytes: number): Promise<Buffer> {
  let seen = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      done(seen > maxBytes ? tooLarge() : null, chunk);
    },
  });
  const inflate = isStored(entry) ? [] : [zlib.createInflateRaw({ chunkSize: PIECE_BYTES })];
  const [content] = await Promise.all([collect(counter), pipeline([packed, ...inflate, counter])]);
  refuseUnlessSized(content, entry);
  return content;
}

const PIECE_BYTES = 1024 * 1024;

function isStored(entry: Entry): boolean {
  return entry.compressionMethod === 0;
}

function refuseUnlessSized(content: Buffer, entry: Entry): void {
  if (content.length === entry.uncompressedSize) return;
  throw new Error(`${content.length} bytes where ${entry.uncompressedSize} were announced`);
}

/** Whatever the zip reader throws is a fault of the archive, except a failing disk. */
async function reading<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof ArchiveProblem) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ArchiveProblem(`it is not a readable zip archive: ${message}`, { cause: error });
  }
}
