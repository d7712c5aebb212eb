import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { runSuite } from '../src/run-suite.js';

const sources = fileURLToPath(new URL('../../../packages/containment/native/src', import.meta.url));
const directory = mkdtempSync('/var/tmp/broken-wardens-');
chmodSync(directory, 0o755);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Break {
  readonly name: string;
  /** File, text in it, what stands there instead. Two where two layers do the same. */
  readonly edits: readonly (readonly [file: string, from: string, to: string])[];
  readonly class: 'scoped' | 'sealed';
  /** Probes that get out once this layer is gone. */
  readonly flips: readonly string[];
}

const BREAKS: readonly Break[] = [
  {
    name: 'the filter',
    edits: [['init.c', 'return apply_filter();', 'return no_failure();']],
    class: 'sealed',
    flips: ['socket-families', 'memfd-exec-proc', 'denied-syscalls', 'setid-bits'],
  },
  {
    name: 'Landlock',
    edits: [['launch.c', 'enter_ruleset(launch->ruleset)', 'no_failure()']],
    class: 'scoped',
    flips: ['exec-unlisted', 'opath-then-openat', 'ldso-unlisted.sh'],
  },
  {
    name: 'noexec on what is writable',
    edits: [['sources.c', 'if (access != JAIL_EXECUTE) attributes |= KERNEL_ATTR_NOEXEC;', '']],
    class: 'sealed',
    flips: ['mmap-exec-workdir', 'ldso-workdir.sh', 'ld-preload-workdir.sh'],
  },
  {
    name: 'the read-only view',
    edits: [
      [
        'sources.c',
        'KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV;\n    sources->view',
        'KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV;\n    sources->view',
      ],
      ['root.c', 'if (!restrict_mount(root, KERNEL_ATTR_RDONLY))', 'if (false)'],
    ],
    class: 'scoped',
    flips: ['outside-chmod', 'outside-utimes', 'outside-setxattr'],
  },
  {
    name: 'read-only grants',
    edits: [['sources.c', 'if (access != JAIL_WRITE) attributes |= KERNEL_ATTR_RDONLY;', '']],
    class: 'sealed',
    flips: ['read-only-subpath.sh', 'exec-tree-write.sh'],
  },
  {
    name: 'the mask of the process listing',
    edits: [
      [
        'process_listing.c',
        'if (!hide_others(listing, devices))',
        'if (false && !hide_others(listing, devices))',
      ],
    ],
    class: 'sealed',
    flips: ['proc-sys-writes.sh'],
  },
  {
    name: 'the drop of capabilities',
    edits: [['init.c', 'failure = drop_capabilities();', 'failure = no_failure();']],
    class: 'sealed',
    flips: ['capabilities-left'],
  },
  {
    name: 'the namespace of shared memory',
    edits: [['jail.c', 'KERNEL_NEW_IPC |', '']],
    class: 'sealed',
    flips: ['shm-foreign'],
  },
];

function buildBroken(which: Break): string {
  const copy = mkdtempSync(path.join(directory, 'native-'));
  cpSync(sources, copy, { recursive: true });
  for (const [name, from, to] of which.edits) {
    const file = path.join(copy, name);
    const text = readFileSync(file, 'utf8');
    if (!text.includes(from)) throw new Error(`${name} has no ${from}`);
    writeFileSync(file, text.replace(from, to));
  }
  const warden = path.join(copy, 'warden');
  const files = readdirSync(copy).filter((name) => name.endsWith('.c'));
  execFileSync('cc', ['-std=c17', '-O1', '-w', '-static', '-o', warden, ...files], { cwd: copy });
  chmodSync(copy, 0o755);
  return warden;
}

describe('the suite notices a warden without', () => {
  it.each(BREAKS)('$name', async (which) => {
    const cells = await runSuite(which.class, { only: which.flips, wardenPath: buildBroken(which) });
    expect(cells.map(({ probe, inside }) => [probe, inside.split(' ', 1)[0]])).toEqual(
      cells.map(({ probe }) => [probe, 'ALLOWED']),
    );
    expect(cells.length).toBe(which.flips.length);
  });
});
