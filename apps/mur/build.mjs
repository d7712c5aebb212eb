// Bundles `mur` as CommonJS, which Node starts faster than modules and whose compiled form every version of Node can
// keep: an entry that answers `--version` alone, and the whole command line in one file. What runs in child processes
// are entries of their own.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { childEntries } from './child-entries.mjs';

rmSync('dist', { recursive: true, force: true });

async function bundle(input, output) {
  const built = await rolldown({
    input,
    platform: 'node',
    tsconfig: './tsconfig.json',
    external: [/^node:/, /^@bytecodealliance\//, /^@murmur\/containment-linux-/],
  });
  await built.write({
    dir: 'dist',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
    ...output,
  });
  await built.close();
}

await bundle({ mur: 'src/main.ts' }, { format: 'cjs' });
await bundle({ cli: 'src/cli.ts' }, { format: 'cjs', codeSplitting: false });
// Plain ASCII is read without decoding, and V8 holds it in half the memory.
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
writeFileSync('dist/cli.js', readFileSync('dist/cli.js', 'utf8').replaceAll(/[^\0-\x7f]/g, escaped));
// Drivers are built, tested and recorded by few: what that takes loads with those commands alone.
await bundle({ 'driver-tools': 'src/driver/driver-tools.ts' }, { format: 'cjs', codeSplitting: false });
await bundle({ guest: childEntries.guest }, { format: 'cjs' });
await bundle({ transpile: childEntries.transpile }, { format: 'esm', entryFileNames: '[name].mjs' });
writeFileSync('dist/package.json', '{ "type": "commonjs" }\n');
