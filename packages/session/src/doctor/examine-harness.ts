import { openJail } from '@murmur/containment';
import { diagnoseWarning } from '@murmur/errors';
import { layout, projectLayout } from '@murmur/manifest';
import { buildEnvironment, networkEntryProblem, resolveHarnessNeeds } from '@murmur/policy';
import {
  type CommandContext,
  checkHarnessLogin,
  type LoadedDriver,
  type LoginReport,
  loadProcessDriver,
  probeHarnessVersion,
  resolveHarnessBinary,
} from '@murmur/process-driver';
import { componentRuntime, wardenOption } from '../component-runtime.js';
import type { Project } from '../read-inputs.js';
import type { SoundArtifact } from './examine-artifacts.js';
import { attempt, conditionRow } from './rows.js';
import type { DoctorOptions, DoctorRow, DoctorStatus } from './types.js';

interface HarnessOptions {
  readonly project: Project;
  readonly home: string;
  /** The environment with the workspace's `.env` under it. */
  readonly hostEnv: Readonly<Record<string, string>>;
  readonly artifact: SoundArtifact;
  readonly doctor: DoctorOptions;
}

/** What was found out about the harness, and which variables its driver requires. */
export interface HarnessFindings {
  readonly rows: readonly DoctorRow[];
  readonly requiredEnv: readonly string[];
}

const row = (name: string, status: DoctorStatus, message: string): DoctorRow => ({
  block: 'harness',
  name,
  status,
  message,
});

/**
 * Loads the driver, holds its needs against the manifest, finds the program, and asks it for its version and whether
 * somebody is signed in. Each step is the one of a launch; what would refuse it is a row.
 * Implements docs/spec/doctor.md, "Harness".
 */
export async function examineHarness(options: HarnessOptions): Promise<HarnessFindings> {
  const { project, home, doctor, artifact } = options;
  const { name, version } = artifact.entry;
  const rows: DoctorRow[] = [];
  doctor.progress(`loading ${name}`);
  const driver = await attempt(
    () =>
      loadProcessDriver({
        name,
        version,
        bytes: artifact.opened.payload,
        components: componentRuntime(home, doctor.files),
        isNetworkEntry: networkEntryProblem,
      }),
    (refusal) => rows.push(conditionRow('harness', 'driver', 'error', refusal)),
  );
  if (driver === null) return { rows, requiredEnv: [] };
  rows.push(row('driver', 'ok', `${name}@${version} drives ${driver.description.harness}`));
  rows.push(...(await needRows(driver, options)));
  const binary = await attempt(
    () =>
      resolveHarnessBinary({
        command: project.parsed.manifest.inference?.command ?? null,
        description: driver.description,
        projectDirectory: project.directory,
        path: doctor.env.PATH ?? '',
      }),
    (refusal) => rows.push(conditionRow('harness', 'binary', 'error', refusal)),
  );
  if (binary !== null) {
    rows.push(row('binary', 'ok', `${binary.path} (named by ${binary.source})`));
    const answers = await attempt(
      () => questionRows(driver, { ...options, binary }),
      (refusal) => rows.push(conditionRow('harness', 'questions', 'error', refusal)),
    );
    rows.push(...(answers ?? []));
  }
  return { rows, requiredEnv: driver.description.requiredEnv };
}

/** Directories that are allowed and absent here are worth a word; what is not allowed is foretold. */
async function needRows(
  driver: LoadedDriver,
  { project, home, hostEnv }: HarnessOptions,
): Promise<readonly DoctorRow[]> {
  const rows: DoctorRow[] = [];
  const needs = await attempt(
    () =>
      resolveHarnessNeeds({
        driver,
        description: driver.description,
        manifest: project.parsed.manifest,
        home,
        workdir: projectLayout(project.directory).workdirRoot,
        murmurHome: layout(home).root,
        hostEnv,
      }),
    (refusal) => rows.push(conditionRow('refusals', 'harness needs', 'warning', refusal)),
  );
  for (const { path, access, status } of needs?.report.paths ?? [])
    if (status === 'missing') rows.push(row(path, 'info', `${access}, absent on this host`));
  return rows;
}

async function questionRows(
  driver: LoadedDriver,
  { project, hostEnv, doctor, binary }: HarnessOptions & Pick<CommandContext, 'binary'>,
): Promise<readonly DoctorRow[]> {
  const { env, shell } = project.parsed.manifest.capabilities;
  await using jail = await openJail({ class: 'advisory', label: 'harness' }, wardenOption(doctor.files));
  const context: CommandContext = {
    binary,
    description: driver.description,
    env: buildEnvironment({ env: { allow: env.allow, strip: shell?.stripEnv ?? [] } }, hostEnv),
    cwd: project.directory,
    jail,
    clock: doctor.clock,
  };
  doctor.progress(`asking ${driver.description.harness} for its version`);
  const version = await probeHarnessVersion({ ...context, cache: null });
  doctor.progress(`asking ${driver.description.harness} whether it is signed in`);
  const login = await checkHarnessLogin({ ...context, driver });
  return [
    version.warning === null
      ? row('version', 'ok', `${version.line ?? ''} (tested)`)
      : conditionRow('harness', 'version', 'warning', diagnoseWarning(version.warning)),
    loginRow(login),
  ];
}

function loginRow(login: LoginReport): DoctorRow {
  switch (login.tag) {
    case 'logged-in':
      return row('login', 'ok', 'signed in');
    case 'logged-out':
      return row('login', 'error', `not signed in: ${login.reason}`);
    case 'unknown':
      return row('login', 'warning', `could not be found out: ${login.reason}`);
    case 'unavailable':
      return row('login', 'info', `cannot be checked: ${login.reason}`);
  }
}
