// Bundles `mur`: one entry that answers `--version` alone, and chunks that load with the command that needs them.
// The files that run in child processes are entries of their own.
import { rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { childEntries } from './child-entries.mjs';

rmSync('dist', { recursive: true, force: true });

const bundle = await rolldown({
  input: { mur: 'src/main.ts', cli: 'src/cli.ts', ...childEntries },
  platform: 'node',
  tsconfig: './tsconfig.json',
  external: [/^node:/, /^@bytecodealliance\//, /^@murmur\/containment-linux-/],
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
