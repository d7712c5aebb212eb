import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchDirectory } from '../test/support/scratch.js';
import { probe } from './probe.js';

const directory = scratchDirectory();

describe('probe', () => {
  it('finds the class that this host can deliver, with the layers that held', async () => {
    expect(await probe()).toEqual({
      platform: 'linux',
      achievable: 'sealed',
      enforcementTier: 'mountns+pivot_root+landlock+seccomp',
      layers: expect.arrayContaining(['namespaces', 'hidden-host', 'landlock', 'system-call-filter']),
      shortfall: null,
      blocker: null,
    });
  });

  it('claims no more than it was asked about', async () => {
    expect(await probe({ strongest: 'scoped' })).toMatchObject({ achievable: 'scoped' });
    const { achievable, layers } = await probe({ strongest: 'advisory' });
    expect([achievable, layers.includes('namespaces')]).toEqual(['advisory', false]);
  });

  it('fails when the warden does not work here', async () => {
    const wardenPath = path.join(directory, 'warden');
    writeFileSync(wardenPath, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await expect(probe({ wardenPath })).rejects.toMatchObject({ condition: { variant: 'Runtime' } });
  });
});
