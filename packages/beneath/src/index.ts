/** A directory held open; every access below it goes by segments and never through a link. Agreed surface. */
export interface BeneathEntry { readonly name: string; readonly kind: 'file' | 'directory' | 'link' | 'other'; readonly sizeBytes: number; readonly mtimeMs: number; readonly mode: number; readonly nlink: number }
export interface Beneath extends AsyncDisposable {
  /** The path it was opened at, for messages only. */
  readonly path: string;
  read(relative: string, options?: { readonly maxBytes?: number }): Promise<Buffer>;
  /** Temporary sibling + fsync + rename + fsync of the directory. Never follows a link at the target. */
  write(relative: string, data: Uint8Array | string, options?: { readonly mode?: number }): Promise<void>;
  append(relative: string, data: Uint8Array | string, options?: { readonly mode?: number }): Promise<void>;
  makeDirectory(relative: string, options?: { readonly mode?: number; readonly parents?: boolean }): Promise<void>;
  stat(relative: string): Promise<BeneathEntry | null>;
  list(relative: string): Promise<readonly BeneathEntry[]>;
  walk(relative: string, options?: { readonly maxDepth?: number; readonly maxEntries?: number }): AsyncIterable<{ readonly path: string; readonly entry: BeneathEntry }>;
  measure(relative: string): Promise<{ readonly bytes: number; readonly entries: number }>;
  /** Removes a file, link or whole tree; a missing one is not an error. */
  remove(relative: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Opens a directory below as a root of its own. */
  open(relative: string): Promise<Beneath>;
}
export async function openBeneath(_path: string, _options?: { readonly create?: boolean; readonly mode?: number }): Promise<Beneath> { throw new Error('later'); }
