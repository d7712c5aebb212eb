import { execFileSync } from 'node:child_process';
import { readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { request, textOf } from '../test/support/spawn.js';
import { openJail } from './jail.js';
import { locateWarden } from './warden-location.js';

const script = fileURLToPath(new URL('../test/fixtures/probe.mjs', import.meta.url));
const packageDirectory = fileURLToPath(new URL('..', import.meta.url));
const root = process.getuid?.() === 0;

/** Root itself may still mount what is masked. */
const ORDINARY = 'setpriv --reuid 65534 --regid 65534 --clear-groups';

interface Seen {
  readonly found: { readonly achievable: string; readonly shortfall: string; readonly blocker: unknown };
  readonly refusal: unknown;
}

/** Probes in namespaces of its own, after a command that takes something away from them. */
function probeAfter(namespaces: readonly string[], command: string, by = ''): Seen {
  const line = `${command} && exec ${by} "$0" "$@"`;
  const args = [...namespaces, '/bin/sh', '-c', line, process.execPath, script, locateWarden()];
  return JSON.parse(execFileSync('unshare', args, { encoding: 'utf8' })) as Seen;
}

function expectRefusal({ found, refusal }: Seen, blocker: object): void {
  expect(found).toMatchObject({ achievable: 'advisory', enforcementTier: 'none', blocker });
  expect(refusal).toEqual({
    variant: 'ContainmentFloorUnmet',
    declared: 'scoped',
    achieved: 'advisory',
    reason: found.shortfall,
  });
}

describe('a host that cannot contain', () => {
  it('because the number of user namespaces is exhausted', () => {
    const seen = probeAfter(['-U', '-r', '-m'], 'echo 0 > /proc/sys/user/max_user_namespaces');
    expectRefusal(seen, { name: 'KernelUnsupported', step: 'make namespaces', errno: 'ENOSPC' });
    expect(seen.found.shortfall).toContain('user.max_user_namespaces');
  });

  it('because parts of /proc are masked, as in a container', () => {
    const seen = root
      ? probeAfter(['-m'], 'mount -t tmpfs none /proc/acpi', ORDINARY)
      : probeAfter(['-U', '-c', '--keep-caps', '-m'], 'mount -t tmpfs none /proc/acpi');
    expectRefusal(seen, { name: 'ProcMaskedOrDenied', step: 'place the process listing', errno: 'EPERM' });
    expect(seen.found.shortfall).toContain('unmasked');
  });

  it('because the ids that a jail would use do not exist in the namespace around it', () => {
    const seen = probeAfter(['-U', '-r', '-m'], 'true');
    expectRefusal(seen, { name: 'IdMapDenied', step: 'map the ids', errno: 'EPERM' });
  });

  it('because a system call filter forbids namespaces: inside a jail', async () => {
    const warden = realpathSync(locateWarden());
    const dependencies = path.join(packageDirectory, 'node_modules', '@murmur');
    const linked = readdirSync(dependencies).map((name) => realpathSync(path.join(dependencies, name)));
    const readOnly = [...new Set([realpathSync(packageDirectory), ...linked])];
    await using jail = await openJail({
      class: 'sealed',
      label: 'test',
      grants: { readOnly, executables: [process.execPath, warden] },
    });
    const jailed = await jail.spawn(request(process.execPath, [script, warden], { stdout: 'pipe' }));
    const seen = JSON.parse(await textOf(jailed.stdout)) as Seen;
    expectRefusal(seen, { name: 'NamespaceCreationDenied', step: 'make namespaces', errno: 'EPERM' });
  });
});
