// Files a changing artifact again and again: install-often.mjs <store> <times> <name of this installer>
import { openStore } from '@murmur/artifacts';

const [root, times, who] = process.argv.slice(2);
const meta = {
  name: 'thing',
  version: '1.0.0',
  runtime: 'static',
  artifactRuntime: 'skill',
  platforms: [],
  description: null,
  tags: [],
};
for (let round = 0; round < Number(times); round += 1) {
  const bytes = Buffer.from(`${who} ${round} `.repeat(1000));
  await openStore(root).install({ name: 'thing', version: '1.0.0', platform: null, bytes, meta });
}
