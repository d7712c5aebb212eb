/**
 * A path below the opened directory: segments joined by `/`. No segment may be empty, `.` or `..`, and none
 * may hold NUL (on Windows also no `\` and no `:`). `.` alone names the directory itself where reading it
 * makes sense. Bytes are taken as they are, so that names which are not UTF-8 can be reached.
 */
export type RelativePath = string | Uint8Array;

/** What an entry is, itself: a link is reported as a link, whatever it points to. */
export type BeneathKind = 'file' | 'directory' | 'link' | 'other';

/** One directory entry, as seen without following it. */
export interface BeneathEntry {
  /** The name as text; bytes that are not UTF-8 appear as U+FFFD. */
  readonly name: string;
  /** The name exactly as the disk holds it. */
  readonly nameBytes: Uint8Array;
  readonly kind: BeneathKind;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Permission bits only (`0o7777`). */
  readonly mode: number;
  /** Number of hard links: above 1 the same content also lies under another name, perhaps outside. */
  readonly nlink: number;
}

/** One step of {@link Beneath.walk}. */
export interface WalkedEntry {
  /** Path relative to where the walk began, `/` between segments, as text. */
  readonly path: string;
  readonly entry: BeneathEntry;
  /** The same path as bytes, relative to where the walk began. */
  pathBytes(): Uint8Array;
}

/** How a file is written: see {@link Beneath.write}. */
export interface WriteOptions {
  /** Permission bits of the result, applied exactly (the umask plays no part). Default `0o644`. */
  readonly mode?: number;
  /**
   * Whether the content must survive a crash of the machine: default true. False spares two waits for the disk, and
   * is for files that nobody reads after the process that wrote them is gone. Readers see the old content or the new
   * one either way.
   */
  readonly durable?: boolean;
}

/**
 * A directory held open. Every access below it goes segment by segment and never through a link, so that a
 * process which writes into the tree cannot make the caller read or change anything outside it
 * (`docs/spec/artifacts.md`, "Access below a directory").
 *
 * Every method throws {@link https://www.npmjs.com/package/@murmur/errors | MurmurError}: `E-RUN-904`
 * (`WorkdirPathRefused`: a link, a wrong kind of file, or a segment that may not be used), `E-IO-001`
 * (missing), `E-IO-002` (permission), `E-IO-003` (anything else).
 */
export interface Beneath extends AsyncDisposable {
  /** The path it was opened at, for messages only. */
  readonly path: string;
  /** Whole content of a regular file. More than `maxBytes` (default 512 MiB) is refused with `E-IO-003`. */
  read(relative: RelativePath, options?: { readonly maxBytes?: number }): Promise<Buffer>;
  /**
   * Replaces or creates a file: temporary sibling, exact mode, fsync, rename, fsync of the directory (both
   * fsyncs unless `durable` is false). A reader sees the old content or the new one. A link, directory or
   * device at the target is refused.
   */
  write(relative: RelativePath, data: Uint8Array | string, options?: WriteOptions): Promise<void>;
  /**
   * Adds to the end of a regular file in one write, creating it with `mode` (default `0o644`). Refuses a
   * file that has another hard link. Not synced to disk.
   */
  append(
    relative: RelativePath,
    data: Uint8Array | string,
    options?: Pick<WriteOptions, 'mode'>,
  ): Promise<void>;
  /**
   * Makes a directory with exactly `mode` (default `0o755`). With `parents`, missing ancestors are made the
   * same way and an existing directory is accepted unchanged.
   */
  makeDirectory(
    relative: RelativePath,
    options?: { readonly mode?: number; readonly parents?: boolean },
  ): Promise<void>;
  /** The entry itself, or null when it or one of its ancestors is missing. */
  stat(relative: RelativePath): Promise<BeneathEntry | null>;
  /** Entries of one directory, sorted by the bytes of their names. */
  list(relative: RelativePath): Promise<readonly BeneathEntry[]>;
  /**
   * Every entry below a directory: first all of a directory's own, then those of each directory in it.
   * Entries that vanish or change kind meanwhile are passed over. Directories deeper than `maxDepth`
   * (1 = the directory's own entries) are not entered; beyond `maxEntries` it throws `E-IO-003`.
   */
  walk(
    relative: RelativePath,
    options?: { readonly maxDepth?: number; readonly maxEntries?: number },
  ): AsyncIterable<WalkedEntry>;
  /** Sum of the sizes of all regular files below (`bytes`) and the number of all entries. */
  measure(relative: RelativePath): Promise<{ readonly bytes: number; readonly entries: number }>;
  /** Removes a file, link or whole tree; a missing one is not an error. */
  remove(relative: RelativePath): Promise<void>;
  /** Moves a file or directory, replacing a file at `to`. Links at either end are refused. */
  rename(from: RelativePath, to: RelativePath): Promise<void>;
  /** Opens a directory below as a root of its own. The caller disposes of it. */
  open(relative: RelativePath): Promise<Beneath>;
}
