import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Jail, openJail } from '@murmur/containment';
import { onTestFinished } from 'vitest';
import { createComponentRuntime } from '../src/runtime.js';
import type {
  ComponentRuntime,
  ComponentRuntimeOptions,
  GuestsAhead,
  PreparedComponent,
} from '../src/types.js';

/** The programs of the children, as built: Node runs them, so they cannot be TypeScript. */
export const builtPrograms = {
  guestEntry: fileURLToPath(new URL('../dist/child/guest-main.js', import.meta.url)),
  transpileEntry: fileURLToPath(new URL('../dist/child/transpile-main.js', import.meta.url)),
};

export function fixture(name: string): string {
  return fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));
}

export function openAdvisoryJail(label: string): Promise<Jail> {
  return openJail({ class: 'advisory', label });
}

export function temporaryDirectory(): string {
  return mkdtempSync(join(tmpdir(), 'murmur-components-'));
}

/** A directory that is removed when the current test is over. */
export function temporaryDirectoryOfTest(): string {
  const path = temporaryDirectory();
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

export function runtimeIn(
  cacheDirectory: string,
  options: Partial<ComponentRuntimeOptions> = {},
): ComponentRuntime & GuestsAhead {
  return createComponentRuntime({ cacheDirectory, openJail: openAdvisoryJail, ...builtPrograms, ...options });
}

export const nothingGranted = { allowImports: () => false };

/** Starts a guest that is stopped when the current test is over. */
export async function startForTest(
  runtime: ComponentRuntime,
  component: PreparedComponent,
  options: Partial<Parameters<ComponentRuntime['start']>[1]> = {},
) {
  const guest = await runtime.start(component, { label: 'test', ...options });
  onTestFinished(() => guest.kill());
  return guest;
}

/** The kind and detail of the failure that a promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<{ kind: string; detail: string }> {
  const error: unknown = await promise.then(
    (value) => new Error(`no failure but ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof Error && 'kind' in error && 'detail' in error) {
    return { kind: String(error.kind), detail: String(error.detail) };
  }
  throw error;
}
