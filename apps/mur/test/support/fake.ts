import { expect } from 'vitest';
import { fakeAgent, fakeDriver, makeProject, type Project } from './project.js';

/** A step of the scripted harness, or a whole script. */
export type Script = readonly Readonly<Record<string, unknown>>[];

export interface FakeCase {
  readonly home: string;
  /** Which description the driver gives. Default `plain`. */
  readonly variant?: string;
  readonly script?: Script;
  /** More of `inference.driver.config`: faults of calls, environment, files. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Changes to the manifest that would run. */
  readonly change?: (manifest: FakeManifest) => void;
  readonly env?: Readonly<Record<string, string>>;
}

export interface FakeManifest {
  name: string;
  version: string;
  artifacts: Record<string, unknown>[];
  inference: Record<string, unknown> & { driver: Record<string, unknown> };
  capabilities: Record<string, unknown> & { env: { allow: string[] } };
  [key: string]: unknown;
}

export const driverArtifact = { name: 'murmur-driver-fake', version: '0.1.0' } as const;

/** An event line for the fake driver. */
export const event = (tag: string, val?: unknown): Readonly<Record<string, unknown>> => ({
  event: { tag, ...(val === undefined ? {} : { val }) },
});

/** A capsule that drives the scripted harness, its driver installed and pinned. */
export async function fakeProject(options: FakeCase): Promise<Project> {
  const script = options.script ?? [event('turn-end', 'fine')];
  const manifest: FakeManifest = {
    name: 'fake-case',
    version: '0.1.0',
    artifacts: [{ ...driverArtifact, runtime: 'driver' }],
    inference: {
      transport: 'process',
      command: fakeAgent,
      driver: { artifact: driverArtifact.name, config: { script, ...options.config } },
    },
    capabilities: { env: { allow: ['PATH', 'HOME'] } },
  };
  options.change?.(manifest);
  const project = makeProject({
    home: options.home,
    manifest,
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const installed = await project.run(['install', fakeDriver(options.variant ?? 'plain')]);
  expect(installed.code, installed.stderr).toBe(0);
  return project;
}
