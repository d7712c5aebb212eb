import { MurmurError, type RefusedNeed } from '@murmur/errors';
import type { CapsuleManifest, HarnessPath } from '@murmur/manifest';
import { networkRules } from './declarations.js';
import { strippedBy } from './environment.js';
import { deepFreeze } from './freeze.js';
import { locate } from './locate.js';
import { coversNetworkRule, formatNetworkRule, type NetworkRule, parseNetworkEntry } from './network-rule.js';
import { expandHome, isSameOrBelow } from './path-segments.js';
import { type ProtectedLocations, protectedLocations, protectionOf } from './protected-locations.js';

/**
 * What became of a need: allowed and there; allowed and not on this host, which refuses nothing and
 * grants nothing; or not allowed.
 */
export type NeedStatus = 'granted' | 'missing' | 'refused';

interface NeedRow {
  readonly status: NeedStatus;
  /** Why it is refused; present on refused rows only. */
  readonly reason?: string;
}

/** Everything a harness asks for and what became of it; names and paths only. */
export interface HarnessReport {
  /** `name@version` of the driver. */
  readonly driver: string;
  /** The program, once it is resolved; null before. */
  readonly binary: string | null;
  readonly env: readonly (NeedRow & { readonly name: string })[];
  readonly paths: readonly (NeedRow & { readonly path: string; readonly access: 'read' | 'read-write' })[];
  readonly hosts: readonly (NeedRow & { readonly host: string })[];
  /** Why the driver could not be asked; null when it was. */
  readonly unresolved: string | null;
}

/** A directory that the harness gets, at the driver's own path and access and never to execute from. */
export interface HarnessDirectoryGrant {
  /** Absolute, as the driver named it. */
  readonly path: string;
  /** Where it leads; what is opened and bound. */
  readonly real: string;
  readonly access: 'read' | 'read-write';
}

/** What a driver says about the harness it drives, as far as grants go. */
export interface HarnessDescription {
  readonly requiredEnv: readonly string[];
  readonly harnessNeeds: {
    readonly paths: readonly { readonly path: string; readonly access: 'read' | 'read-write' }[];
    readonly hosts: readonly string[];
  };
}

/** What needs are resolved from. */
export interface HarnessNeedsOptions {
  readonly driver: { readonly name: string; readonly version: string };
  readonly description: HarnessDescription;
  readonly manifest: CapsuleManifest;
  /** Absolute home of the user who runs `mur`; what `~` stands for. */
  readonly home: string;
  /** Absolute workdir of the session; it need not exist yet. */
  readonly workdir: string;
  /** Absolute directory that the runtime keeps its own files in. */
  readonly murmurHome: string;
  /** The environment of `mur`; only whether a name is set is looked at. */
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
}

/** The needs of a harness, held against the manifest. */
export interface HarnessNeeds {
  readonly report: HarnessReport;
  /** Granted directories. */
  readonly directories: readonly HarnessDirectoryGrant[];
  /** Granted hosts. */
  readonly hosts: readonly NetworkRule[];
}

/**
 * Holds every need of a harness against the manifest, and refuses nothing: for reports. Needs that are
 * not covered appear as `refused` with their reason. Implements docs/spec/policy.md, "Harness needs".
 */
export async function examineHarnessNeeds(options: HarnessNeedsOptions): Promise<HarnessNeeds> {
  const { driver, description, manifest, murmurHome, workdir } = options;
  const places = await protectedLocations(murmurHome, workdir);
  const paths = await Promise.all(
    description.harnessNeeds.paths.map((need) => examinePath(need, options, places)),
  );
  const allowed = networkRules(manifest.capabilities.network.allow);
  const hosts = description.harnessNeeds.hosts.map((host) => examineHost(host, allowed));
  return deepFreeze({
    report: {
      driver: `${driver.name}@${driver.version}`,
      binary: null,
      env: [...new Set(description.requiredEnv)].map((name) => examineName(name, options)),
      paths: paths.map(({ row }) => row),
      hosts: hosts.map(({ row }) => row),
      unresolved: null,
    },
    directories: paths.flatMap(({ grant }) => grant ?? []),
    hosts: hosts.flatMap(({ grant }) => grant ?? []),
  });
}

/**
 * As {@link examineHarnessNeeds}, and refuses what is not covered: first `E-CAP-019` with every variable
 * in the driver's order, then `E-CAP-021` with every path and host.
 */
export async function resolveHarnessNeeds(options: HarnessNeedsOptions): Promise<HarnessNeeds> {
  const needs = await examineHarnessNeeds(options);
  const { env, paths, hosts } = needs.report;
  const missing = env.filter(({ status }) => status === 'refused').map(({ name }) => name);
  if (missing.length > 0) {
    throw new MurmurError({ variant: 'ProcessDriverRequiredEnvNotAllowed', ...options.driver, missing });
  }
  const refused: RefusedNeed[] = [
    ...paths.flatMap(({ path, access, reason }) =>
      reason === undefined ? [] : { need: `${path} (${access})`, reason },
    ),
    ...hosts.flatMap(({ host, reason }) => (reason === undefined ? [] : { need: host, reason })),
  ];
  if (refused.length > 0) {
    throw new MurmurError({ variant: 'HarnessNeedsNotAllowed', ...options.driver, refused });
  }
  return needs;
}

function examineName(name: string, { manifest, hostEnv }: HarnessNeedsOptions): HarnessReport['env'][number] {
  const { env, shell } = manifest.capabilities;
  if (!env.allow.includes(name)) {
    return { name, status: 'refused', reason: 'capabilities.env.allow does not list it' };
  }
  const stripped = strippedBy(name, shell?.stripEnv ?? []);
  if (stripped !== null) {
    return { name, status: 'refused', reason: `it is always removed (${stripped.pattern})` };
  }
  const isSet = Object.hasOwn(hostEnv, name) && hostEnv[name] !== undefined;
  return { name, status: isSet ? 'granted' : 'missing' };
}

interface Examined<Row, Grant> {
  readonly row: Row;
  readonly grant: Grant | null;
}

function examineHost(
  host: string,
  allowed: readonly NetworkRule[],
): Examined<HarnessReport['hosts'][number], NetworkRule> {
  const { rule, problem } = parseNetworkEntry(host);
  if (rule === null) return { row: { host, status: 'refused', reason: problem }, grant: null };
  const shown = formatNetworkRule(rule);
  if (!allowed.some((ceiling) => coversNetworkRule(ceiling, rule))) {
    const reason = 'capabilities.network.allow does not cover it';
    return { row: { host: shown, status: 'refused', reason }, grant: null };
  }
  return { row: { host: shown, status: 'granted' }, grant: rule };
}

type PathRow = HarnessReport['paths'][number];

async function examinePath(
  need: { readonly path: string; readonly access: 'read' | 'read-write' },
  { manifest, home }: HarnessNeedsOptions,
  places: ProtectedLocations,
): Promise<Examined<PathRow, HarnessDirectoryGrant>> {
  const { access } = need;
  const refuse = (reason: string): Examined<PathRow, HarnessDirectoryGrant> => ({
    row: { path: need.path, access, status: 'refused', reason },
    grant: null,
  });

  const absolute = expandHome(need.path, home);
  if (absolute === null) return refuse("it is neither absolute nor below '~'");
  const covering = coveringEntries(absolute, manifest.capabilities.harness.paths, home);
  if (covering.length === 0) return refuse('capabilities.harness.paths does not cover it');
  const strong = covering.filter((entry) => access === 'read' || entry.access === 'read-write');
  if (strong.length === 0) return refuse('capabilities.harness.paths covers it with access read only');
  const written = protectionOf(absolute, access, places);
  if (written !== null) return refuse(written);

  const location = await locate(absolute);
  if (location.state === 'unusable') return refuse(location.reason);
  const reached = protectionOf(location.real, access, places);
  if (reached !== null) return refuse(`it leads to '${location.real}': ${reached}`);
  // Somebody who may write in an allowed directory could put a link there. What it leads to was never
  // allowed, so it must stay inside what the entry itself leads to.
  const inside = await Promise.all(strong.map((entry) => staysInside(location.real, entry.directory)));
  if (!inside.includes(true)) {
    return refuse(`it leads to '${location.real}', outside what capabilities.harness.paths allows`);
  }
  if (location.state === 'missing')
    return { row: { path: need.path, access, status: 'missing' }, grant: null };
  return {
    row: { path: need.path, access, status: 'granted' },
    grant: { path: absolute, real: location.real, access },
  };
}

interface CoveringEntry {
  readonly directory: string;
  readonly access: 'read' | 'read-write';
}

function coveringEntries(absolute: string, entries: readonly HarnessPath[], home: string): CoveringEntry[] {
  return entries.flatMap(({ path, access }) => {
    const directory = expandHome(path, home);
    return directory !== null && isSameOrBelow(absolute, directory) ? { directory, access } : [];
  });
}

async function staysInside(real: string, directory: string): Promise<boolean> {
  const outer = await locate(directory);
  return outer.state !== 'unusable' && isSameOrBelow(real, outer.real);
}
