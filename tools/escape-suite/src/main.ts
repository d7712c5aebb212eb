import { runSuite } from './run-suite.js';

const [jailClass, ...only] = process.argv.slice(2);
if (jailClass !== 'scoped' && jailClass !== 'sealed') {
  console.error('usage: main.js scoped|sealed [probe…]');
  process.exitCode = 2;
} else {
  const cells = await runSuite(jailClass, only.length === 0 ? {} : { only });
  for (const cell of cells) console.log(JSON.stringify(cell));
  if (!cells.every((cell) => cell.holds)) process.exitCode = 1;
}
