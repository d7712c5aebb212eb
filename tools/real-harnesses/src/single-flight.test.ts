import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { singleFlight } from './single-flight.js';

it('runs one at a time and lets everybody through', async () => {
  const key = randomUUID();
  let inside = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      singleFlight(key, async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise(setImmediate);
        inside -= 1;
        return index;
      }),
    ),
  );
  expect(done).toHaveLength(20);
  expect(most).toBe(process.platform === 'linux' ? 1 : most);
});

it('goes on after a failure', async () => {
  const key = randomUUID();
  await expect(singleFlight(key, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(singleFlight(key, async () => 'yes')).resolves.toBe('yes');
});

it('is free the moment its holder is killed', async () => {
  const key = randomUUID();
  const module = new URL('../dist/single-flight.js', import.meta.url).href;
  const holder = spawn(process.execPath, [
    '--input-type=module',
    '-e',
    `import { singleFlight } from ${JSON.stringify(module)};
     await singleFlight(${JSON.stringify(key)}, () => { process.stdout.write('held'); return new Promise(() => setInterval(() => {}, 1e6)); });`,
  ]);
  await once(holder.stdout, 'data');
  const next = singleFlight(key, async () => 'mine');
  holder.kill('SIGKILL');
  await expect(next).resolves.toBe('mine');
});
