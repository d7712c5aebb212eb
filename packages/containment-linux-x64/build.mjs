// Builds bin/warden for Linux on x86-64; elsewhere there is nothing to build.
import { fileURLToPath } from 'node:url';
import { buildWarden } from '../containment/native/build.mjs';

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.log(`warden: nothing to build for ${process.platform} ${process.arch} here`);
} else {
  const { failed, message } = buildWarden({
    packageDirectory: fileURLToPath(new URL('.', import.meta.url)),
    compilers: ['musl-gcc', 'cc', 'gcc'],
    native: true,
  });
  console.log(message);
  process.exitCode = failed ? 1 : 0;
}
