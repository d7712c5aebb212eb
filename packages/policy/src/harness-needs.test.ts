import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { manifest, refusal } from '../test/fixtures.js';
import {
  examineHarnessNeeds,
  type HarnessDescription,
  type HarnessNeedsOptions,
  resolveHarnessNeeds,
} from './harness-needs.js';

let root: string;
let home: string;

beforeEach(async () => {
  root = await realpath(await mkdtemp(path.join(tmpdir(), 'needs-')));
  home = path.join(root, 'home');
  await mkdir(path.join(home, '.agent'), { recursive: true });
  await mkdir(path.join(home, '.agent-evil'));
  await mkdir(path.join(home, '.murmur', 'records'), { recursive: true });
  await mkdir(path.join(root, 'project', 'work', 'sub'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true }));

type Need = HarnessDescription['harnessNeeds']['paths'][number];

function options(
  capabilities: string,
  needs: { env?: string[]; paths?: Need[]; hosts?: string[] },
  hostEnv: Record<string, string> = {},
): HarnessNeedsOptions {
  return {
    driver: { name: 'driver-agent', version: '1.0.0' },
    description: {
      requiredEnv: needs.env ?? [],
      harnessNeeds: { paths: needs.paths ?? [], hosts: needs.hosts ?? [] },
    },
    manifest: manifest(capabilities === '' ? '' : `capabilities: ${capabilities}\n`),
    home,
    workdir: path.join(root, 'project', 'work'),
    murmurHome: path.join(home, '.murmur'),
    hostEnv,
  };
}

const allow = (entry: string, access: 'read' | 'read-write' = 'read-write'): string =>
  `{ harness: { paths: [{ path: "${entry}", access: ${access} }] } }`;

async function pathRow(capabilities: string, need: Need) {
  const { report, directories } = await examineHarnessNeeds(options(capabilities, { paths: [need] }));
  return { ...report.paths[0], granted: directories.length };
}

test('a driver without needs is granted nothing', async () => {
  const needs = await resolveHarnessNeeds(options('', {}));
  expect(needs).toEqual({
    report: { driver: 'driver-agent@1.0.0', binary: null, env: [], paths: [], hosts: [], unresolved: null },
    directories: [],
    hosts: [],
  });
});

describe('variables', () => {
  test('are refused together, in the order of the driver, before any path is', async () => {
    const needs = options('{ env: { allow: [B] } }', {
      env: ['Z', 'B', 'A', 'Z'],
      paths: [{ path: '~/.agent', access: 'read' }],
    });
    expect(await refusal(() => resolveHarnessNeeds(needs))).toEqual({
      variant: 'ProcessDriverRequiredEnvNotAllowed',
      code: 'E-CAP-019',
      name: 'driver-agent',
      version: '1.0.0',
      missing: ['Z', 'A'],
    });
  });

  test('that are allowed are granted or, when not set, missing', async () => {
    const { report } = await resolveHarnessNeeds(
      options('{ env: { allow: [SET, UNSET] } }', { env: ['SET', 'UNSET'] }, { SET: 'marker-value' }),
    );
    expect(report.env).toEqual([
      { name: 'SET', status: 'granted' },
      { name: 'UNSET', status: 'missing' },
    ]);
    expect(JSON.stringify(report)).not.toContain('marker-value');
  });

  test('are matched by their exact name', async () => {
    for (const needed of ['NAME_X', 'NAM', 'name', 'constructor']) {
      expect(
        await refusal(() => resolveHarnessNeeds(options('{ env: { allow: [NAME] } }', { env: [needed] }))),
      ).toMatchObject({
        missing: [needed],
      });
    }
  });

  test('that are always removed are refused even when they are allowed', async () => {
    const needs = options('{ env: { allow: [GH_TOKEN] } }', { env: ['GH_TOKEN'] }, { GH_TOKEN: 'x' });
    expect(await refusal(() => resolveHarnessNeeds(needs))).toMatchObject({ missing: ['GH_TOKEN'] });
  });
});

describe('hosts', () => {
  test.each([
    ['[agent.example]', 'agent.example', 'granted'],
    ['[agent.example]', 'https://AGENT.example', 'granted'],
    ['["https://agent.example"]', 'https://agent.example', 'granted'],
    ['["https://agent.example"]', 'agent.example', 'refused'],
    ['[]', 'agent.example', 'refused'],
    ['[example]', 'agent.example', 'refused'],
    ['[agent.example]', 'not a host', 'refused'],
  ])('network.allow %s and %s: %s', async (entries, host, status) => {
    const { report, hosts } = await examineHarnessNeeds(
      options(`{ network: { allow: ${entries} } }`, { hosts: [host] }),
    );
    expect(report.hosts[0]?.status).toBe(status);
    expect(hosts).toHaveLength(status === 'granted' ? 1 : 0);
  });
});

describe('directories', () => {
  test('are granted at the path and access of the driver, never those of a wider entry', async () => {
    await mkdir(path.join(home, '.config', 'agent'), { recursive: true });
    const { directories } = await resolveHarnessNeeds(
      options(allow('~/.config'), { paths: [{ path: '~/.config/agent/', access: 'read' }] }),
    );
    const directory = path.join(home, '.config', 'agent');
    expect(directories).toEqual([{ path: directory, real: directory, access: 'read' }]);
  });

  test.each([
    ['nothing is declared', '', '~/.agent', 'read', /harness\.paths does not cover/],
    ['a sibling with the same beginning', allow('~/.agent'), '~/.agent-evil', 'read', /does not cover/],
    ['an entry below the need', allow('~/.agent/sub'), '~/.agent', 'read', /does not cover/],
    ['an entry with less access', allow('~/.agent', 'read'), '~/.agent', 'read-write', /access read only/],
    ['a relative path', allow('~/.agent'), '.agent', 'read', /neither absolute/],
    ['a path that climbs', allow('~/.agent'), '~/.agent/../.agent-evil', 'read', /neither absolute/],
    ["another account's home", allow('~/.agent'), '~root/.agent', 'read', /neither absolute/],
    ['the root directory', allow('/'), '/', 'read', /root directory/],
    ['a system directory', allow('/etc'), '/etc', 'read', /system directory/],
    ['a place in a system directory', allow('/'), '/usr/share', 'read', /system directory/],
    ["the runtime's own home", allow('~/.murmur'), '~/.murmur', 'read', /own home/],
    ["a place in the runtime's own home", allow('~/'), '~/.murmur/records', 'read', /own home/],
    ["all of the person's home", allow('~/'), '~', 'read', /own home/],
  ] as const)('refused: %s', async (_name, capabilities, needed, access, reason) => {
    expect(await pathRow(capabilities, { path: needed, access })).toMatchObject({
      status: 'refused',
      granted: 0,
      reason: expect.stringMatching(reason) as unknown,
    });
  });

  test('refused: the workdir, a place in it, and writing to what contains it', async () => {
    const work = path.join(root, 'project', 'work');
    const project = path.join(root, 'project');
    expect(await pathRow(allow(work), { path: work, access: 'read' })).toMatchObject({
      status: 'refused',
      reason: 'it lies inside the workdir',
    });
    expect(await pathRow(allow(work), { path: `${work}/sub`, access: 'read' })).toMatchObject({
      status: 'refused',
    });
    expect(await pathRow(allow(project), { path: project, access: 'read-write' })).toMatchObject({
      status: 'refused',
      reason: 'it contains the workdir',
    });
    expect(await pathRow(allow(project), { path: project, access: 'read' })).toMatchObject({
      status: 'granted',
    });
  });

  test('refused: a file, and a link that leads nowhere', async () => {
    await writeFile(path.join(home, 'file'), '');
    await symlink(path.join(home, 'gone'), path.join(home, 'dangling'));
    expect(await pathRow(allow('~/file'), { path: '~/file', access: 'read' })).toMatchObject({
      reason: 'it is not a directory',
    });
    expect(await pathRow(allow('~/dangling'), { path: '~/dangling', access: 'read' })).toMatchObject({
      reason: 'it is a link that leads nowhere',
    });
  });

  test('a directory that is not there is missing: no refusal, no grant', async () => {
    const needs = await resolveHarnessNeeds(
      options(allow('~/.agent'), { paths: [{ path: '~/.agent/new/deep', access: 'read-write' }] }),
    );
    expect(needs.report.paths).toEqual([
      { path: '~/.agent/new/deep', access: 'read-write', status: 'missing' },
    ]);
    expect(needs.directories).toEqual([]);
  });

  test('a directory that the person keeps elsewhere through a link is granted where it really is', async () => {
    const elsewhere = path.join(root, 'elsewhere');
    await mkdir(elsewhere);
    await symlink(elsewhere, path.join(home, '.linked'));
    const { directories } = await resolveHarnessNeeds(
      options(allow('~/.linked'), { paths: [{ path: '~/.linked', access: 'read-write' }] }),
    );
    expect(directories).toEqual([
      { path: path.join(home, '.linked'), real: elsewhere, access: 'read-write' },
    ]);
  });

  test.each([
    ['outside the allowed directory', '.agent-evil', /outside what/],
    ["the runtime's own home", '.murmur/records', /own home/],
  ])('a link inside an allowed directory does not reach %s', async (_name, target, reason) => {
    await symlink(path.join(home, target), path.join(home, '.agent', 'planted'));
    expect(await pathRow(allow('~/.agent'), { path: '~/.agent/planted', access: 'read' })).toMatchObject({
      status: 'refused',
      granted: 0,
      reason: expect.stringMatching(reason) as unknown,
    });
  });

  test('a link on the way to something missing does not reach outside either', async () => {
    await symlink(path.join(home, '.agent-evil'), path.join(home, '.agent', 'planted'));
    expect(
      await pathRow(allow('~/.agent'), { path: '~/.agent/planted/new', access: 'read-write' }),
    ).toMatchObject({ status: 'refused' });
  });

  test('a link to a protected place is refused even when the entry names the link itself', async () => {
    for (const target of ['/etc', path.join(home, '.murmur'), path.join(root, 'project', 'work')]) {
      await symlink(target, path.join(home, '.alias'));
      expect(await pathRow(allow('~/.alias'), { path: '~/.alias', access: 'read' })).toMatchObject({
        status: 'refused',
        reason: expect.stringContaining('it leads to') as unknown,
      });
      await rm(path.join(home, '.alias'));
    }
  });

  test("the runtime's home is protected under its real name when it is a link", async () => {
    await rm(path.join(home, '.murmur'), { recursive: true });
    const store = path.join(root, 'store');
    await mkdir(store);
    await symlink(store, path.join(home, '.murmur'));
    expect(await pathRow(allow(store), { path: store, access: 'read' })).toMatchObject({ status: 'refused' });
  });

  test('a workdir that does not exist yet is protected all the same', async () => {
    await rm(path.join(root, 'project', 'work'), { recursive: true });
    const inside = path.join(root, 'project', 'work', 'later');
    expect(await pathRow(allow(inside), { path: inside, access: 'read' })).toMatchObject({
      status: 'refused',
    });
  });
});

test('every refused path and host is named in one refusal', async () => {
  const needs = options('{ network: { allow: [ok.example] } }', {
    paths: [
      { path: '~/.agent', access: 'read-write' },
      { path: '/etc', access: 'read' },
    ],
    hosts: ['ok.example', 'no.example'],
  });
  expect(await refusal(() => resolveHarnessNeeds(needs))).toEqual({
    variant: 'HarnessNeedsNotAllowed',
    code: 'E-CAP-021',
    name: 'driver-agent',
    version: '1.0.0',
    refused: [
      { need: '~/.agent (read-write)', reason: 'capabilities.harness.paths does not cover it' },
      { need: '/etc (read)', reason: 'capabilities.harness.paths does not cover it' },
      { need: 'no.example', reason: 'capabilities.network.allow does not cover it' },
    ],
  });
  expect((await examineHarnessNeeds(needs)).report.hosts.map(({ status }) => status)).toEqual([
    'granted',
    'refused',
  ]);
});
