#!/usr/bin/env node
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { generators } from './generators.js';
import { repositoryRoot, runGenerator } from './run-generator.js';
import { formatReport, isClean } from './tally.js';

const USAGE = `usage: main.js [--cases <n>] [--seed <text>] [--only <generator>]… [--case <number>] [--nightly] [--minutes <n>]
generators: ${generators.map(({ name }) => name).join(', ')}\n`;

const { values } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    case: { type: 'string' },
    nightly: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '60' },
  },
});
const cases = Number(values.cases);
const single = values.case === undefined ? null : Number(values.case);
const chosen = generators.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
const numbers = [cases, Number(values.minutes), single ?? 0];
if (chosen.length < Math.max(1, values.only.length) || numbers.some((n) => !Number.isFinite(n) || n < 0)) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const root = repositoryRoot();
const freshSeed = (): string => randomBytes(6).toString('hex');
let unclean = 0;
let tried = 0;
let faults = 0;

/** One run of every chosen generator with one seed. */
async function round(seed: string, isOver: () => boolean): Promise<void> {
  for (const generator of chosen) {
    if (isOver()) return;
    const range =
      single === null
        ? { from: 0, until: Math.max(1, Math.ceil(cases * generator.share)) }
        : { from: single, until: single + 1 };
    const report = await runGenerator(generator, { seed, root, ...range });
    process.stdout.write(`${formatReport(report)}\n\n`);
    tried += report.cases;
    faults += report.faults.length;
    if (!isClean(report)) unclean += 1;
  }
}

if (values.nightly) {
  const end = performance.now() + Number(values.minutes) * 60_000;
  const isOver = (): boolean => performance.now() >= end;
  const base = values.seed ?? freshSeed();
  // Every round has a seed of its own, printed with its counts.
  for (let number = 0; !isOver(); number += 1) await round(`${base}-${number}`, isOver);
} else {
  await round(values.seed ?? freshSeed(), () => false);
}
process.stdout.write(`${tried} cases, ${faults} unclassified, ${unclean} runs not clean\n`);
process.exitCode = unclean === 0 ? 0 : 1;
