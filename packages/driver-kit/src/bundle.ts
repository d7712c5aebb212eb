/**
 * Bundles a driver's TypeScript or JavaScript into one module without imports, which is what the engine of the
 * guest takes.
 *
 * @throws Error when something is imported that cannot be bundled (a Node module, say), or `process` is not exported.
 */
export async function bundleDriver(
  entry: string,
  constants: Readonly<Record<string, string>>,
): Promise<string> {
  // Loaded here: whoever only checks or tests drivers needs no bundler.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: entry,
    // Neither Node nor a browser: what is not bundled does not exist in the guest.
    platform: 'neutral',
    tsconfig: false,
    transform: {
      define: Object.fromEntries(
        Object.entries(constants).map(([name, value]) => [name, JSON.stringify(value)]),
      ),
    },
    onwarn(warning) {
      if (warning.code === 'UNRESOLVED_IMPORT') throw new Error(warning.message);
    },
  });
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      codeSplitting: false,
      comments: false,
      intro: GUEST_PRELUDE,
    });
    const [chunk, ...others] = output;
    if (others.length > 0)
      throw new Error(`${entry} bundles into ${output.length} files; a driver must be one`);
    if (chunk.imports.length > 0)
      throw new Error(`${entry} imports ${chunk.imports.join(', ')}, which no driver can`);
    // The engine would build a component whose every call traps.
    if (!chunk.exports.includes('process'))
      throw new Error(`${entry} does not export \`process\`, the exports object of a driver`);
    return chunk.code;
  } finally {
    await bundle.close();
  }
}

/**
 * Clock and randomness are answered at build time or not at all inside the guest: the clock traps the instance,
 * random numbers repeat in every instance. An exception in their place can be caught and names the mistake.
 */
const GUEST_PRELUDE = `{
  const absent = (what) => () => { throw new Error(what + ' does not exist for a driver: the runtime hands in ids, and nothing depends on the time'); };
  const RealDate = Date;
  const GuardedDate = function (...parts) {
    if (parts.length === 0) absent('the current time')();
    return new RealDate(...parts);
  };
  GuardedDate.prototype = RealDate.prototype;
  GuardedDate.UTC = RealDate.UTC;
  GuardedDate.parse = RealDate.parse;
  GuardedDate.now = absent('Date.now');
  globalThis.Date = GuardedDate;
  Math.random = absent('Math.random');
}`;
