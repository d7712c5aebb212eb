// Exchanges a directory for a link to another one and back, until it is killed: swap-for-link.mjs <directory> <target>
import fs from 'node:fs';

const [directory, target] = process.argv.slice(2);
process.stdout.write('ready\n');
for (;;) {
  try {
    fs.renameSync(directory, `${directory}.away`);
    fs.symlinkSync(target, directory);
    fs.unlinkSync(directory);
    fs.renameSync(`${directory}.away`, directory);
  } catch {
    // The test removes things under our hands: put back what can be put back.
    fs.rmSync(directory, { force: true, recursive: true });
    fs.rmSync(`${directory}.away`, { force: true, recursive: true });
    fs.mkdirSync(`${directory}/inner`, { recursive: true });
    fs.writeFileSync(`${directory}/inner/file`, 'inside');
  }
}
