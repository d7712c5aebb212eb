import type { Entry, LocalFileHeader } from 'yauzl';
import { ArchiveProblem } from './archive-problem.js';

const descriptorFlag = 0x0008;
const comparedFlags = 0x0001 | descriptorFlag | 0x0800;
/** Sizes a data descriptor can have: with or without signature, 32 or 64 bit. */
const descriptorSizes = [12, 16, 20, 24];

/** Where one entry's header and data lie in the archive. */
export interface Span {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly hasDescriptor: boolean;
}

/** The two headers of an entry must tell the same story, or two readers would see two archives. */
export function refuseUnlessAgreeing(name: string, entry: Entry, local: LocalFileHeader): void {
  const refuse = (what: string): never => {
    throw new ArchiveProblem(`the two headers of ${JSON.stringify(name)} disagree about its ${what}`);
  };
  if (!local.fileName.equals(entry.fileNameRaw)) refuse('name');
  if (local.compressionMethod !== entry.compressionMethod) refuse('compression');
  const flags = local.generalPurposeBitFlag ^ entry.generalPurposeBitFlag;
  if ((flags & comparedFlags) !== 0) refuse('flags');
  // With a descriptor the writer did not know them yet: zero stands for "see behind the data".
  const unknown = (entry.generalPurposeBitFlag & descriptorFlag) !== 0 ? 0 : -1;
  if (local.crc32 !== entry.crc32 && local.crc32 !== unknown) refuse('checksum');
  for (const [here, there] of [
    [local.compressedSize, entry.compressedSize],
    [local.uncompressedSize, entry.uncompressedSize],
  ] as const) {
    // 0xffffffff stands for a size in the 64-bit field.
    if (here !== there && here !== unknown && here !== 0xffffffff) refuse('size');
  }
}

/**
 * The entries, one behind the other, must fill the archive from its first byte to its directory: nothing
 * overlaps, and nothing is hidden before, between or behind them.
 */
export function refuseUnlessTiled(spans: readonly Span[], directoryStart: number): void {
  let at = 0;
  let descriptor = false;
  const ordered = [...spans].sort((a, b) => a.start - b.start);
  for (const span of [
    ...ordered,
    { name: 'the directory', start: directoryStart, end: 0, hasDescriptor: false },
  ]) {
    const gap = span.start - at;
    if (gap < 0) throw new ArchiveProblem(`${JSON.stringify(span.name)} overlaps what lies before it`);
    if (descriptor ? !descriptorSizes.includes(gap) : gap !== 0) {
      throw new ArchiveProblem(`there are stray bytes before ${JSON.stringify(span.name)}`);
    }
    at = span.end;
    descriptor = span.hasDescriptor;
  }
}

/** What lies behind the directory must be its end record and nothing else. */
export function refuseUnlessEnded(directoryEnd: number, fileSize: number, commentLength: number): void {
  const endRecord = 22;
  const records64 = 56 + 20;
  const rest = fileSize - commentLength - endRecord - directoryEnd;
  if (rest !== 0 && rest !== records64) {
    throw new ArchiveProblem('its directory does not end where its end record begins');
  }
}
