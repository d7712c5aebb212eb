// Makes capsule projects in fresh directories and looks at what a run left behind.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type MurOptions, type MurResult, mur, type RunningMur, repository, startMur } from './mur.js';

export const miniDriver = path.join(repository, 'tools/mini-harness/dist/murmur-driver-mini-0.1.0.mur.zip');
export const miniAgent = path.join(repository, 'tools/mini-harness/bin/mini-agent.mjs');
export const codexDriver = path.join(
  repository,
  'packages/driver-codex/dist/murmur-driver-codex-0.1.0.mur.zip',
);
export const claudeDriver = path.join(
  repository,
  'packages/driver-claude-code/dist/murmur-driver-claude-code-0.1.0.mur.zip',
);
export const fakeAgent = path.join(repository, 'tools/fake-harness/bin/fake-agent.mjs');
export const fakeDriver = (variant: string): string =>
  path.join(repository, `tools/fake-harness/dist/variants/${variant}.mur.zip`);

/** A home of its own, so that no test sees the person's files; compiled drivers are shared by what runs in it. */
export function makeHome(): string {
  return mkdtempSync(path.join(tmpdir(), 'mur-home-'));
}

export interface Project {
  readonly directory: string;
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  run(args: readonly string[], extra?: Partial<MurOptions>): Promise<MurResult>;
  start(args: readonly string[], extra?: Partial<MurOptions>): RunningMur;
  write(file: string, text: string): void;
  /** `murmur.yaml`; JSON is YAML. */
  writeManifest(manifest: unknown): void;
  /** Directories of the sessions that left records, oldest first. */
  records(): readonly string[];
  /** The trace of the newest session. */
  trace(): readonly TraceLine[];
  result(): string;
}

export interface TraceLine {
  readonly event_type: string;
  readonly [key: string]: unknown;
}

export function makeProject(options: {
  home: string;
  manifest?: unknown;
  env?: Readonly<Record<string, string>>;
}): Project {
  const directory = mkdtempSync(path.join(tmpdir(), 'mur-project-'));
  const env = { PATH: process.env.PATH ?? '', HOME: options.home, ...options.env };
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  };
  const writeManifest = (manifest: unknown): void => write('murmur.yaml', JSON.stringify(manifest, null, 2));
  if (options.manifest !== undefined) writeManifest(options.manifest);
  const records = (): string[] => {
    const root = path.join(options.home, '.murmur/records', directory, 'workdir');
    try {
      return readdirSync(root)
        .sort()
        .map((name) => path.join(root, name));
    } catch {
      return [];
    }
  };
  const newest = (file: string): string =>
    readFileSync(path.join(records().at(-1) ?? '/nothing', file), 'utf8');
  return {
    directory,
    home: options.home,
    env,
    write,
    writeManifest,
    records,
    run: (args, extra) => mur(args, { cwd: directory, env, ...extra }),
    start: (args, extra) => startMur(args, { cwd: directory, env, ...extra }),
    trace: () =>
      newest('trace.jsonl')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as TraceLine),
    result: () => newest('out/result.txt'),
  };
}

export function removeAll(...directories: readonly string[]): void {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
}
