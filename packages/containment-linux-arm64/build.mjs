// Builds bin/warden for Linux on arm64: natively there, elsewhere with the cross compiler when it is installed.
import { fileURLToPath } from 'node:url';
import { buildWarden } from '../containment/native/build.mjs';

const native = process.platform === 'linux' && process.arch === 'arm64';
const { failed, message } = buildWarden({
  packageDirectory: fileURLToPath(new URL('.', import.meta.url)),
  compilers: native ? ['cc', 'gcc'] : ['aarch64-linux-gnu-gcc'],
  native,
});
console.log(message);
process.exitCode = failed ? 1 : 0;
