// Bundles drivers into plain modules, so that their parsers can be fed in this process at full speed.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const here = path.dirname(fileURLToPath(import.meta.url));
const packages = path.resolve(here, '../../packages');
const dependencies = path.join(here, 'node_modules/@murmur');

for (const name of readdirSync(dependencies).filter((entry) => /^driver-(?!sdk|kit)/.test(entry))) {
  const bundle = await rolldown({
    input: path.join(packages, name, 'src/index.ts'),
    platform: 'neutral',
    tsconfig: false,
  });
  await bundle.write({ format: 'esm', file: path.join(here, `dist/bundled/${name}.js`) });
  await bundle.close();
}
