import { openGlobalStore, openProjectStore, readLock, type StoredArtifact } from '@murmur/artifacts';
import {
  type Diagnostic,
  diagnose,
  stripControl,
  stripToOneLine,
  type WarningCondition,
} from '@murmur/errors';
import { platformTag } from '@murmur/manifest';
import { wardenOption } from '../component-runtime.js';
import { probeHost } from '../probe-host.js';
import { readRunConfig } from '../read-config.js';
import { type Project, readProject, withEnvFile } from '../read-inputs.js';
import { requireHome, versionWarning } from '../stage.js';
import { readSystemPrompt } from '../system-prompt.js';
import { examineArtifacts, type SoundArtifact } from './examine-artifacts.js';
import { examineEnvironment } from './examine-environment.js';
import { examineGrants, examineHost } from './examine-grants.js';
import { examineHarness, type HarnessFindings } from './examine-harness.js';
import { examineHome } from './examine-home.js';
import { examineInterfaces } from './examine-interfaces.js';
import { findManifest } from './find-manifest.js';
import { attempt, conditionRow, warningRow } from './rows.js';
import type { DoctorOptions, DoctorReport, DoctorRow } from './types.js';

/**
 * Looks a project over without running it: what `mur doctor` tells. Every check is the function that a launch uses, so
 * that both say the same; a launch ends at the first refusal, this goes on and tells them all. Writes nothing but the
 * cache of compiled components; asks the harness for its version and its login.
 * Implements docs/spec/doctor.md.
 *
 * @throws MurmurError when there is nothing to look over: E-IO-001 (no project), E-IO-002, E-IO-003, E-MAN-001 to -003,
 * E-CAP-018 (unusable manifest or configuration), E-RUN-003 (unusable lock), E-RUN-903 (no home)
 */
export async function diagnoseProject(options: DoctorOptions): Promise<DoctorReport> {
  options.progress('reading the project');
  const manifestPath = await findManifest(options.cwd);
  const project = await readProject(manifestPath, options.cwd, options.murVersion);
  const home = requireHome(options.home);
  const { manifest } = project.parsed;
  const hostEnv = await withEnvFile(options.env, project.directory);
  const lock = await readLock(project.directory);
  const stores = [openProjectStore(project.directory), openGlobalStore(home)];
  const storeRows: DoctorRow[] = [];
  const installed: StoredArtifact[] = [];
  for (const store of stores) {
    const refused = (refusal: Diagnostic): void => {
      storeRows.push(conditionRow('artifacts', store.root, 'error', refusal));
    };
    installed.push(...((await attempt(() => store.list(), refused)) ?? []));
  }

  const settings = await examineSettings(project, home, hostEnv, options);
  const homeRows = await examineHome(home);
  const { artifacts } = manifest;
  const checklist = await examineArtifacts({
    artifacts,
    directory: project.directory,
    lock,
    stores,
    installed,
    env: options.env,
  });
  const interfaces = examineInterfaces(distinct(installed), artifacts);
  const harness = await harnessFindings(project, checklist.sound, interfaces, (artifact) =>
    examineHarness({ project, home, hostEnv, artifact, doctor: options }),
  );
  const environment = examineEnvironment(
    [...new Set([...manifest.capabilities.env.allow, ...harness.requiredEnv])],
    hostEnv,
  );

  const rows = [
    ...settings.rows,
    ...homeRows,
    ...environment.rows,
    ...harness.rows,
    ...interfaces,
    ...storeRows,
    ...checklist.rows,
  ].sort((a, b) => ORDER.indexOf(a.block) - ORDER.indexOf(b.block));
  const count = (status: DoctorRow['status']): number => rows.filter((row) => row.status === status).length;
  return {
    manifestPath,
    platform: platformTag(),
    rows: rows.map(withoutControl),
    warnings: settings.warnings,
    closing: environment.unset === null ? [] : [environment.unset],
    summary: { passed: count('ok'), errors: count('error'), warnings: count('warning') },
  };
}

/** Names and messages may come from a driver, a harness or a disk, and are shown on a terminal. */
function withoutControl(row: DoctorRow): DoctorRow {
  return { ...row, name: stripToOneLine(row.name), message: stripControl(row.message) };
}

const ORDER: readonly DoctorRow['block'][] = [
  'warnings',
  'manifest',
  'refusals',
  'containment',
  'home',
  'environment',
  'harness',
  'interfaces',
  'artifacts',
];

/** Manifest, configuration and host: what a launch decides before it looks at artifacts. */
async function examineSettings(
  project: Project,
  home: string,
  hostEnv: Readonly<Record<string, string>>,
  options: DoctorOptions,
): Promise<{ readonly rows: readonly DoctorRow[]; readonly warnings: readonly WarningCondition[] }> {
  const { manifest, unserved, unenforced } = project.parsed;
  const rows: DoctorRow[] = [];
  const failed =
    (name: string) =>
    (refusal: Diagnostic): void => {
      rows.push(conditionRow('manifest', name, 'error', refusal));
    };
  if (unserved.length > 0)
    failed('features')(diagnose({ variant: 'FeatureNotServed', file: project.manifestPath, keys: unserved }));
  else rows.push({ block: 'manifest', name: 'features', status: 'ok', message: 'all served' });
  const config = await attempt(() => readRunConfig(home, project.directory), failed('configuration'));
  await attempt(() => readSystemPrompt(manifest, project.directory, undefined), failed('system prompt'));

  const hostProbe = await attempt(() => probeHost(wardenOption(options.files)), failed('containment helper'));
  const { achievable, enforcementTier, shortfall } = hostProbe ?? NO_HOST;
  if (hostProbe !== null) rows.push(...examineHost(hostProbe));
  const grants = await examineGrants({
    manifest,
    manifestFile: project.manifestPath,
    hostEnv,
    home,
    probe: { achievable, enforcementTier, shortfall },
    configuredContainment: config?.containment ?? null,
    flags: { containment: null, context: null },
  });
  const warnings: readonly WarningCondition[] = [
    ...project.parsed.warnings,
    ...versionWarning(manifest, options.murVersion),
    ...unenforced.map(({ key }): WarningCondition => ({ code: 'W-SEC-901', key })),
    ...(config?.warnings ?? []),
    ...grants.warnings,
  ];
  rows.push(...grants.rows, ...warnings.map((warning) => warningRow('warnings', warning.code, warning)));
  return { rows, warnings };
}

const NO_HOST = { achievable: 'advisory', enforcementTier: 'none', shortfall: null } as const;

async function harnessFindings(
  project: Project,
  sound: readonly SoundArtifact[],
  interfaces: readonly DoctorRow[],
  examine: (artifact: SoundArtifact) => Promise<HarnessFindings>,
): Promise<HarnessFindings> {
  const { inference } = project.parsed.manifest;
  const notAsked = (message: string): HarnessFindings => ({
    rows: [{ block: 'harness', name: 'driver', status: 'info', message: `not asked: ${message}` }],
    requiredEnv: [],
  });
  if (inference?.transport !== 'process') return notAsked('inference.transport is not process');
  const name = inference.driver?.artifact ?? '';
  if (name.trim() === '') {
    const refusal = diagnose({ variant: 'DriverNotConfigured' });
    return { rows: [conditionRow('harness', 'driver', 'error', refusal)], requiredEnv: [] };
  }
  const artifact = sound.find(({ entry }) => entry.name === name);
  if (artifact === undefined) return notAsked(`'${name}' is not in place`);
  const label = `${name}@${artifact.entry.version}`;
  if (interfaces.some((row) => row.name === label)) return notAsked(`'${label}' speaks another interface`);
  return await examine(artifact);
}

/** One of each artifact: of those in both stores the project's, which is the one that a launch takes. */
function distinct(installed: readonly StoredArtifact[]): readonly StoredArtifact[] {
  const found = new Map<string, StoredArtifact>();
  for (const artifact of installed) {
    const label = `${artifact.name}@${artifact.version}`;
    if (!found.has(label)) found.set(label, artifact);
  }
  return [...found.values()];
}
