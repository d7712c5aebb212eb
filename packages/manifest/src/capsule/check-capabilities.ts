import type { CheckInput } from './check.js';

/** Judges the capsule's own `capabilities`. Throws `E-MAN-003`. */
export function checkCapabilities({ manifest, refuse, writes }: CheckInput): void {
  const { shell, spawn } = manifest.capabilities;
  if (writes(['capabilities', 'task_io'])) {
    refuse(['capabilities', 'task_io'], 'belongs to the entry of a hook, not to the capsule');
  }

  const allowed = new Set(shell?.allow);
  const atHost = new Set<string>();
  shell?.interpreterRuntime.forEach((grant, index) => {
    const path = ['capabilities', 'shell', 'interpreter_runtime', index, 'binary'];
    if (!allowed.has(grant.binary)) refuse(path, 'is not listed in capabilities.shell.allow');
    atHost.add(grant.binary);
  });
  shell?.stagedRuntime.forEach((grant, index) => {
    const path = ['capabilities', 'shell', 'staged_runtime', index, 'binary'];
    if (!allowed.has(grant.binary)) refuse(path, 'is not listed in capabilities.shell.allow');
    if (atHost.has(grant.binary)) refuse(path, 'stands under interpreter_runtime as well');
  });

  spawn.workdirSnapshot.forEach((name, index) => {
    if (spawn.allow.includes(name)) return;
    refuse(['capabilities', 'spawn', 'workdir_snapshot', index], 'is not listed in capabilities.spawn.allow');
  });
}
