import { MurmurError, RESERVED_TOOL_NAMES } from '@murmur/errors';
import {
  type ArtifactEntry,
  type CapsuleManifest,
  isPathSegment,
  type JsonValue,
  maxArtifactConfigBytes,
  workdirSubpath,
} from '@murmur/manifest';
import { type NetworkRule, parseNetworkEntry } from './network-rule.js';

/** Refuses artifacts that take a built-in tool's name. Throws `E-CAP-013`. */
export function checkToolNames(artifacts: readonly ArtifactEntry[]): void {
  for (const { name } of artifacts) {
    if (RESERVED_TOOL_NAMES.includes(name)) throw new MurmurError({ variant: 'ReservedToolName', name });
  }
}

/** Reads a network allow list; doubles are dropped. Throws `E-CAP-001` for the first bad entry. */
export function networkRules(entries: readonly string[]): readonly NetworkRule[] {
  const rules = new Map<string, NetworkRule>();
  for (const entry of entries) {
    const { rule, problem } = parseNetworkEntry(entry);
    if (rule === null)
      throw new MurmurError({ variant: 'InvalidNetworkAllowEntry', entry, message: problem });
    rules.set(JSON.stringify(rule), rule);
  }
  return [...rules.values()];
}

/** A scope in plain form; `.` for the whole workdir. Throws `E-CAP-002`. */
export function filesystemScope(scope: string | undefined): string {
  if (scope === undefined) return '.';
  const plain = workdirSubpath(scope);
  if (plain !== null) return plain;
  throw new MurmurError({ variant: 'InvalidFilesystemScope', scope, message: subpathProblem(scope) });
}

/** Read-only entries in plain form, without doubles. Throws `E-CAP-012` for the first bad entry. */
export function readOnlyPaths(entries: readonly string[]): readonly string[] {
  const plain = entries.map((path) => {
    const subpath = workdirSubpath(path);
    if (subpath !== null) return subpath;
    throw new MurmurError({ variant: 'InvalidReadOnlyPath', path, message: subpathProblem(path) });
  });
  return [...new Set(plain)];
}

/** Refuses `config` blocks that cannot be delivered whole. Throws `E-CAP-010`. */
export function checkArtifactConfigs(artifacts: readonly ArtifactEntry[]): void {
  for (const { name, config } of artifacts) {
    if (config === undefined) continue;
    const message = configProblem(config);
    if (message !== null)
      throw new MurmurError({ variant: 'InvalidArtifactConfig', artifact: name, message });
  }
}

/** Where an artifact keeps its state: the artifact, and a directory name below `~/.murmur/state/`. */
export interface StateStore {
  readonly artifact: string;
  readonly store: string;
}

/** The state stores that artifacts are given. Throws `E-CAP-009` for a name that is not one directory name. */
export function stateStores(manifest: CapsuleManifest): readonly StateStore[] {
  // The capsule's own block grants nothing; a name in it is judged all the same, since it means to be one.
  checkStoreName(manifest.capabilities.state?.store);
  return manifest.artifacts.flatMap(({ name, capabilities }) => {
    const state = capabilities?.state;
    if (state === undefined) return [];
    checkStoreName(state.store);
    return [{ artifact: name, store: state.store ?? manifest.name }];
  });
}

/** Where the conversation is kept, below `~/.murmur/conversations/`. */
export interface ConversationRecord {
  readonly kept: boolean;
  readonly store: string;
  /** Null: each task gets a fresh context. */
  readonly contextId: string | null;
}

/** The record store and context of a launch. Throws `E-CAP-011` for a name that is not one directory name. */
export function conversationRecord(manifest: CapsuleManifest, contextId: string | null): ConversationRecord {
  const { record, recordStore } = manifest.context;
  checkRecordName('context.record_store', recordStore ?? null);
  checkRecordName('--context', contextId);
  return { kept: record === 'on', store: recordStore ?? manifest.name, contextId };
}

function checkStoreName(store: string | undefined): void {
  const message = store === undefined ? null : segmentProblem(store);
  if (store === undefined || message === null) return;
  throw new MurmurError({ variant: 'InvalidStateStore', store, message });
}

function checkRecordName(field: string, value: string | null): void {
  const message = value === null ? null : segmentProblem(value);
  if (value === null || message === null) return;
  throw new MurmurError({ variant: 'InvalidConversationRecord', field, value, message });
}

const MAX_SEGMENT_BYTES = 255;

function segmentProblem(text: string): string | null {
  if (text.trim() === '') return 'it is blank';
  if (text.startsWith('/')) return 'it is an absolute path';
  if (text.includes('/')) return "it holds '/'";
  if (text === '.' || text === '..') return `'${text}' is no name`;
  if (text.startsWith('.')) return 'it starts with a dot';
  if (Buffer.byteLength(text) > MAX_SEGMENT_BYTES) return `it is longer than ${MAX_SEGMENT_BYTES} bytes`;
  return isPathSegment(text) ? null : 'it holds a control character';
}

function subpathProblem(text: string): string {
  if (text.trim() === '') return 'it is blank';
  if (text.startsWith('/')) return 'it is absolute; it must be relative to the workdir';
  if (text.includes('\0')) return 'it holds a NUL character';
  return "it climbs out of the workdir with '..'";
}

function configProblem(config: JsonValue): string | null {
  if (config === null) return 'it has no value, and a mapping is needed';
  if (Array.isArray(config)) return 'it is a list, and a mapping is needed';
  if (typeof config !== 'object') return `it is a ${typeof config}, and a mapping is needed`;
  const unserialisable = pathWithoutJsonForm(config, '');
  if (unserialisable !== null) return `JSON has no form for the value of '${unserialisable}'`;
  const bytes = Buffer.byteLength(JSON.stringify(config));
  if (bytes <= maxArtifactConfigBytes) return null;
  return `it is ${bytes} bytes as JSON, above the limit of ${maxArtifactConfigBytes}`;
}

/** YAML has numbers that JSON lacks (`.inf`, `.nan`), which would silently become null. */
function pathWithoutJsonForm(value: unknown, path: string): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : path;
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return null;
  if (typeof value !== 'object') return path;
  for (const [key, item] of Object.entries(value)) {
    const found = pathWithoutJsonForm(item, path === '' ? key : `${path}.${key}`);
    if (found !== null) return found;
  }
  return null;
}
