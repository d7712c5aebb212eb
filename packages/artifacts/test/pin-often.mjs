// Pins artifacts of its own in a project's lock: pin-often.mjs <project> <prefix> <times>
import { writeLock } from '@murmur/artifacts';

const [project, prefix, times] = process.argv.slice(2);
for (let round = 0; round < Number(times); round += 1) {
  await writeLock(project, [
    { name: `${prefix}-${round}`, version: '1', sha256: { any: 'a'.repeat(64) }, by: 'operator' },
  ]);
}
