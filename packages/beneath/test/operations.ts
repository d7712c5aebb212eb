import type { Beneath } from '../src/index.js';

/** Every operation on one path, each ready to run. */
export function operations(root: Beneath, relative: string): [string, () => Promise<unknown>][] {
  return [
    ['read', () => root.read(relative)],
    ['write', () => root.write(relative, 'x')],
    ['append', () => root.append(relative, 'x')],
    ['makeDirectory', () => root.makeDirectory(relative)],
    ['makeDirectory parents', () => root.makeDirectory(relative, { parents: true })],
    ['stat', () => root.stat(relative)],
    ['list', () => root.list(relative)],
    [
      'walk',
      async () => {
        for await (const _step of root.walk(relative));
      },
    ],
    ['measure', () => root.measure(relative)],
    ['rename from', () => root.rename(relative, 'target')],
    ['rename to', () => root.rename('ok', relative)],
    [
      'open',
      async () => {
        await using _below = await root.open(relative);
      },
    ],
    ['remove', () => root.remove(relative)],
  ];
}
