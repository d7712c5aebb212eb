import type { Jail } from '@murmur/containment';
import { readNames } from './binary/component-names.js';
import { CapExceeded, capCoreModule, readCoreNames } from './binary/core-module.js';
import { readLinkingNames } from './binary/linking-names.js';
import { MalformedBinary } from './binary/reader.js';
import { firstUnsafeName } from './binary/safe-name.js';
import { GLUE_NAME, sha256Hex } from './cache/cache-manifest.js';
import type { CompiledCache, CompiledFiles } from './cache/compiled-cache.js';
import { ComponentFailure } from './failures.js';
import { defaults, type EffectiveLimits, effectiveLimits, memoryPages } from './limits.js';
import { isServedImport } from './served-imports.js';
import { plainText } from './text-tail.js';
import { cacheKey } from './toolchain.js';
import { transpile } from './transpile.js';
import type { ComponentLimits, ComponentNames, PreparedComponent } from './types.js';
import type { VerifiedForm } from './verified-form.js';

export interface PrepareContext {
  readonly cache: CompiledCache;
  readonly openJail: (label: string) => Promise<Jail>;
  readonly nodePath: string;
  readonly transpileEntry: string;
  /** Compiled forms being made by this process, by key: one component is never transpiled twice at once. */
  readonly inProgress: Map<string, Promise<void>>;
  readonly verified: VerifiedForm;
}

export interface PrepareOptions {
  readonly allowImports: (name: string) => boolean;
  readonly limits?: ComponentLimits;
  readonly timeoutMs?: number;
}

/** Malformed input and exceeded caps become failures; anything else is a fault of ours and passes. */
function asFailure(error: unknown): unknown {
  if (error instanceof MalformedBinary) return new ComponentFailure('invalid', error.message);
  if (error instanceof CapExceeded) return new ComponentFailure('memory', error.message);
  return error;
}

function refuseUnsafeNames(names: Iterable<string>): void {
  const unsafe = firstUnsafeName(names);
  if (unsafe === null) return;
  const shown = JSON.stringify(plainText(unsafe, 80));
  throw new ComponentFailure('unsafe-name', `the name ${shown} could run as code once transpiled`);
}

function refuseUngrantedImports(names: ComponentNames, allowImports: (name: string) => boolean): void {
  const refused = names.imports.find((name) => !allowImports(name) || !isServedImport(name));
  if (refused === undefined) return;
  const reason = allowImports(refused) ? 'which nothing here provides' : 'which is not granted';
  throw new ComponentFailure(
    'import-not-granted',
    `the component imports ${plainText(refused, 200)}, ${reason}`,
  );
}

function readComponentNames(bytes: Uint8Array): ComponentNames {
  if (bytes.length > defaults.componentBytes) {
    throw new ComponentFailure('invalid', `the component is larger than ${defaults.componentBytes} bytes`);
  }
  const names = readNames(bytes);
  switch (names.kind) {
    case 'component':
      return names;
    case 'core':
      throw new ComponentFailure('not-a-component', 'a core WebAssembly module, not a component');
    case 'unreadable':
      throw new ComponentFailure('not-a-component', 'not a WebAssembly component that can be read');
  }
}

/** Checks the core modules of a fresh compiled form and caps them; the JavaScript passes as it is. */
function checkCompiledForm(files: CompiledFiles, limits: EffectiveLimits): CompiledFiles {
  if (!files.has(GLUE_NAME))
    throw new ComponentFailure('transpile-crash', 'the transpiler made no JavaScript');
  const caps = { memoryPages: memoryPages(limits), tableElements: limits.tableElements };
  const checked = new Map<string, Uint8Array>();
  for (const [name, content] of files) {
    if (name === GLUE_NAME) {
      checked.set(name, content);
      continue;
    }
    refuseUnsafeNames(readCoreNames(content));
    checked.set(name, capCoreModule(content, caps));
  }
  return checked;
}

async function makeCompiledForm(
  context: PrepareContext,
  bytes: Uint8Array,
  key: string,
  limits: EffectiveLimits,
  timeoutMs: number = defaults.transpileTimeoutMs,
): Promise<void> {
  try {
    refuseUnsafeNames(readLinkingNames(bytes));
    const { openJail, nodePath, transpileEntry: entry } = context;
    const files = await transpile(bytes, { openJail, nodePath, entry, timeoutMs });
    await context.cache.store(key, checkCompiledForm(files, limits));
  } catch (error) {
    throw asFailure(error);
  }
}

/**
 * Checks a component and finds or makes its compiled form (docs/spec/components.md, "Preparing"). Everything that
 * needs no engine is checked first, on each call: a compiled form in the cache says nothing about this caller's
 * grant.
 *
 * @throws ComponentFailure | MurmurError when the cache cannot be used
 */
export async function prepareComponent(
  context: PrepareContext,
  bytes: Uint8Array,
  options: PrepareOptions,
): Promise<PreparedComponent> {
  const limits = effectiveLimits(options.limits);
  const sha256 = sha256Hex(bytes);
  const key = cacheKey(sha256, limits);
  const names = readComponentNames(bytes);
  refuseUngrantedImports(names, options.allowImports);
  const prepared = { sha256, names, directory: context.cache.directoryOf(key), limits };
  const found = await context.cache.load(key);
  if (found !== null) {
    context.verified.keep(key, found);
    return { ...prepared, fromCache: true };
  }
  const waiting = context.inProgress.get(key);
  if (waiting !== undefined) {
    await waiting;
    return { ...prepared, fromCache: true };
  }
  const making = makeCompiledForm(context, bytes, key, limits, options.timeoutMs);
  context.inProgress.set(key, making);
  try {
    await making;
  } finally {
    context.inProgress.delete(key);
  }
  return { ...prepared, fromCache: false };
}
