import fc from 'fast-check';

class Violation extends Error {}

/** An input that breaks a rule, shrunk, and what it breaks. */
export interface Falsified<Input> {
  readonly input: Input;
  readonly problem: string;
}

/**
 * Looks for an input that `judge` has something to say about, and shrinks it. The same seed and number of runs try the
 * same inputs.
 */
export async function falsify<Input>(
  inputs: fc.Arbitrary<Input>,
  judge: (input: Input) => Promise<string | null>,
  { seed, runs }: { readonly seed: number; readonly runs: number },
): Promise<Falsified<Input> | null> {
  const details = await fc.check(
    fc.asyncProperty(inputs, async (input) => {
      const problem = await judge(input);
      if (problem !== null) throw new Violation(problem);
    }),
    { seed, numRuns: runs },
  );
  if (!details.failed) return null;
  const [input] = details.counterexample ?? [];
  const { errorInstance } = details;
  // Anything else is a fault of the judge, not of the driver.
  if (!(errorInstance instanceof Violation)) throw errorInstance;
  return { input: input as Input, problem: errorInstance.message };
}
