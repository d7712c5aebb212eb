import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ComponentRuntime } from '@murmur/components';
import type { HostProbe } from '@murmur/containment';
import { MurmurError, type WarningCondition } from '@murmur/errors';
import { type CapsuleManifest, layout, mintId } from '@murmur/manifest';
import {
  buildEnvironment,
  type EffectiveGrants,
  type HarnessReport,
  networkEntryProblem,
  resolveGrants,
  resolveHarnessNeeds,
} from '@murmur/policy';
import {
  type HarnessBinary,
  type LoadedDriver,
  loadProcessDriver,
  resolveHarnessBinary,
} from '@murmur/process-driver';
import { componentRuntime, wardenOption } from './component-runtime.js';
import { checkGivenWorkdir, workdirPath } from './directories.js';
import { probeHost } from './probe-host.js';
import { readRunConfig } from './read-config.js';
import { type Project, readProject, withEnvFile } from './read-inputs.js';
import { configuredDriver, resolveDriverArtifact } from './resolve-artifacts.js';
import { type ResolvedSystemPrompt, readSystemPrompt } from './system-prompt.js';
import { taskFromFlag } from './task-text.js';
import type { RunOptions } from './types.js';

/** Everything decided before anything of the session exists on disk. */
export interface StagedCapsule {
  readonly project: Project;
  readonly manifest: CapsuleManifest;
  readonly home: string;
  readonly sessionId: string;
  readonly givenWorkdir: string | null;
  readonly probe: HostProbe;
  readonly grants: EffectiveGrants;
  readonly driver: LoadedDriver;
  /** The process that the driver's first instance runs in, booted beside the staging; dropped when nobody needs it. */
  readonly guestAhead: AsyncDisposable;
  readonly harness: HarnessReport;
  readonly binary: HarnessBinary;
  /** Names and host values that the harness gets before what its driver adds. */
  readonly env: Readonly<Record<string, string>>;
  readonly systemPrompt: ResolvedSystemPrompt;
  /** Text of `--task`; null when the flag is absent. */
  readonly task: string | null;
  readonly warnings: readonly WarningCondition[];
}

/**
 * Reads, checks and decides: every refusal of a run that needs no session directory. Nothing is written but the
 * cache of compiled components and a missing lock.
 * Implements docs/spec/session.md, "Staging".
 */
export async function stage(options: RunOptions): Promise<StagedCapsule> {
  // The one look at the host goes on beside the reading; a refusal waits for it, so that nothing runs on behind.
  const probing = probeHost(wardenOption(options.files));
  try {
    const capsule = await readCapsule(options);
    const components = componentRuntime(capsule.home, options.files);
    const guestAhead = components.startAhead(capsule.driverName);
    try {
      return { ...(await decide(options, capsule, components, probing)), guestAhead };
    } catch (error) {
      await guestAhead[Symbol.asyncDispose]();
      throw error;
    }
  } finally {
    await probing.catch(() => undefined);
  }
}

interface Capsule {
  readonly project: Project;
  readonly hostEnv: Readonly<Record<string, string>>;
  readonly driverName: string;
  readonly home: string;
}

/** Reads what is to be run, and refuses what this build cannot run. */
async function readCapsule(options: RunOptions): Promise<Capsule> {
  const { flags } = options;
  const project = await readProject(options.manifestPath, options.cwd, options.murVersion);
  const { manifest, unserved } = project.parsed;
  const hostEnv = flags.envFile === false ? options.env : await withEnvFile(options.env, project.directory);

  const transport = manifest.inference?.transport ?? 'none';
  if (flags.forgetSession === true && transport !== 'process') {
    throw new MurmurError({ variant: 'ForgetSessionUnsupportedTransport', transport });
  }
  if (unserved.length > 0) {
    throw new MurmurError({ variant: 'FeatureNotServed', file: project.manifestPath, keys: unserved });
  }
  const driverName = configuredDriver(project);
  return { project, hostEnv, driverName, home: await existingHome(options.home) };
}

async function decide(
  options: RunOptions,
  { project, hostEnv, driverName, home }: Capsule,
  components: ComponentRuntime,
  probing: Promise<HostProbe>,
): Promise<Omit<StagedCapsule, 'guestAhead'>> {
  const { flags, observer } = options;
  const { manifest, unenforced } = project.parsed;
  const config = await readRunConfig(home, options.cwd);
  const givenWorkdir = flags.workdir === undefined ? null : path.resolve(options.cwd, flags.workdir);
  if (givenWorkdir !== null) await checkGivenWorkdir(givenWorkdir);
  const sessionId = mintId('ses', options.clock.now(), randomBytes);

  const hostProbe = await probing;
  const resolved = resolveGrants({
    manifest,
    manifestFile: project.manifestPath,
    hostEnv,
    home,
    probe: {
      achievable: hostProbe.achievable,
      enforcementTier: hostProbe.enforcementTier,
      shortfall: hostProbe.shortfall,
    },
    configuredContainment: config.containment,
    flags: { containment: flags.containment ?? null, context: flags.context ?? null },
  });
  const systemPrompt = await readSystemPrompt(manifest, project.directory, flags.systemPrompt);
  const task = flags.task === undefined ? null : await taskFromFlag(flags.task, options.cwd);

  const artifact = await resolveDriverArtifact(project, driverName, home, options.env);
  observer.progress(`loading ${artifact.name}`);
  const driver = await loadProcessDriver({
    name: artifact.name,
    version: artifact.version,
    bytes: artifact.bytes,
    components,
    isNetworkEntry: networkEntryProblem,
  });
  const workdir = workdirPath({ sessionId, givenWorkdir, projectDirectory: project.directory });
  const needs = await resolveHarnessNeeds({
    driver: { name: artifact.name, version: artifact.version },
    description: driver.description,
    manifest,
    home,
    workdir,
    murmurHome: layout(home).root,
    hostEnv,
  });
  const binary = await resolveHarnessBinary({
    command: manifest.inference?.command ?? null,
    description: driver.description,
    projectDirectory: project.directory,
    path: options.env.PATH ?? '',
  });
  return {
    project,
    manifest,
    home,
    sessionId,
    givenWorkdir: givenWorkdir === null ? null : await realpath(givenWorkdir),
    probe: hostProbe,
    grants: resolved.grants,
    driver,
    harness: { ...needs.report, binary: binary.path },
    binary,
    env: buildEnvironment(resolved.grants, hostEnv),
    systemPrompt,
    task,
    warnings: [
      ...project.parsed.warnings,
      ...versionWarning(manifest, options.murVersion),
      ...unenforced.map(({ key }): WarningCondition => ({ code: 'W-SEC-901', key })),
      ...config.warnings,
      ...resolved.warnings,
    ],
  };
}

export function requireHome(home: string | null): string {
  if (home !== null) return home;
  throw new MurmurError({ variant: 'HomeUnusable', reason: 'HOME is not set to an absolute path in UTF-8' });
}

/** A home that is not there is a mistake in the variable: making it would write where nobody looks. */
async function existingHome(given: string | null): Promise<string> {
  const home = requireHome(given);
  const isDirectory = await stat(home).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isDirectory) return home;
  throw new MurmurError({
    variant: 'HomeUnusable',
    reason: `'${home}' is not a directory that can be reached`,
  });
}

/** The pin says with which release a capsule was made; another one runs it, and says so. */
export function versionWarning(
  { murVersion }: CapsuleManifest,
  running: string,
): readonly WarningCondition[] {
  return murVersion === undefined || murVersion === running
    ? []
    : [{ code: 'W-RUN-901', wanted: murVersion, running }];
}
