// Files an artifact and kills itself at one point of the way:
// install-until.mjs <store> <content> <number of disk calls to survive, or "count" to print how many there are>
import fs from 'node:fs';
import { openStore } from '@murmur/artifacts';

const [root, content, until] = process.argv.slice(2);
let calls = 0;
for (const name of [
  'openSync',
  'lstatSync',
  'mkdirSync',
  'unlinkSync',
  'renameSync',
  'write',
  'fsync',
  'rmdirSync',
]) {
  const real = fs[name];
  fs[name] = (...values) => {
    calls += 1;
    if (calls === Number(until)) process.kill(process.pid, 'SIGKILL');
    return real.apply(fs, values);
  };
}
const meta = {
  name: 'thing',
  version: '1.0.0',
  runtime: 'static',
  artifactRuntime: 'skill',
  platforms: [],
  description: content,
  tags: [],
};
await openStore(root).install({
  name: 'thing',
  version: '1.0.0',
  platform: null,
  bytes: Buffer.from(content),
  meta,
});
process.stdout.write(String(calls));
