export type { Generator, OpenGenerator, Outcome, Surroundings } from './generator.js';
export { generators } from './generators.js';
export { createRandom, type Random } from './random.js';
export { type RunOptions, repositoryRoot, runGenerator } from './run-generator.js';
export {
  type FoundFault,
  formatReport,
  type GeneratorReport,
  isClean,
  type MemoryMark,
  memoryGrowth,
} from './tally.js';
