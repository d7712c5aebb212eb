import { fileURLToPath } from 'node:url';

const component = (file) => fileURLToPath(new URL(`../../packages/components/dist/${file}`, import.meta.url));

/** Programs that run in child processes of `mur`, by the name their bundle gets. */
export const childEntries = {
  guest: component('child/guest-main.js'),
  transpile: component('child/transpile-main.js'),
};
