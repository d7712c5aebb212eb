// Calls the app's entry with a clock on which time goes by faster, so that a window of minutes passes in a moment.
import cli from '../../dist/cli.js';

const FACTOR = 400;
const start = Date.now();

await cli.runCli(process.argv.slice(2), {
  now: () => start + (Date.now() - start) * FACTOR,
  setTimer(callback, ms) {
    const timer = setTimeout(callback, ms / FACTOR);
    return { cancel: () => clearTimeout(timer) };
  },
});
