// Writes a file through the package and stops for ever between the temporary and the rename:
// write-and-stop.mjs <directory>
import fs from 'node:fs';
import { openBeneath } from '@murmur/beneath';

fs.renameSync = () => {
  fs.writeSync(1, 'before rename\n');
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};
const root = await openBeneath(process.argv[2]);
await root.write('file', 'new');
