/**
 * Builds the fake driver once and writes each variant's name over the marker in its bytes: the variants differ in
 * nothing but that constant, and a build of each would take half a minute. Results in `dist/variants/`.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildComponent, buildDriver, packDriver, WIT_DIRECTORY } from '@murmur/driver-kit';

const LENGTH = 48;
const marker = (name) => `fake-variant:${name}`.padEnd(LENGTH, '_');

const directory = fileURLToPath(new URL('.', import.meta.url));
const outDirectory = fileURLToPath(new URL('../dist/variants/', import.meta.url));
const constants = { FAKE_VARIANT: marker('plain') };

const table = readFileSync(`${directory}describe.ts`, 'utf8').split('describeVariants')[1] ?? '';
const names = [...table.matchAll(/^ {2}'?([a-z-]+)'?: /gm)].map((match) => match[1]);

/** Components that are no process driver of the served version, each by one change to the contract. */
const contract = readFileSync(join(WIT_DIRECTORY, 'process.wit'), 'utf8');
const otherContracts = {
  'other-interface-version': contract.replace('murmur:driver@0.6.0', 'murmur:driver@0.5.0'),
  'imports-more': contract
    .replace('export process;', 'import clipboard;\n  export process;')
    .replace(
      'world process-driver',
      'interface clipboard {\n  read: func() -> string;\n}\n\nworld process-driver',
    ),
};

const { componentPath, unchanged } = await buildDriver({
  directory,
  entry: 'index.ts',
  outDirectory,
  baseName: 'plain',
  constants,
});
const all = [...names, ...Object.keys(otherContracts)];
const plain = readFileSync(componentPath);
const recordPath = `${outDirectory}variants.json`;
/** Written last: variants made from another build, or only some of them, are never taken for finished. */
const record = JSON.stringify({ plain: createHash('sha256').update(plain).digest('hex'), all });
if (unchanged && existsSync(recordPath) && readFileSync(recordPath, 'utf8') === record) {
  console.log(`unchanged: ${all.length} variants of the fake driver`);
} else {
  rmSync(recordPath, { force: true });
  for (const name of names) if (name !== 'plain') await keep(name, renamed(plain, name));
  for (const [name, wit] of Object.entries(otherContracts)) await keep(name, await builtAgainst(wit));
  writeFileSync(recordPath, record);
  console.log(`built: ${all.length} variants of the fake driver`);
}

async function keep(name, component) {
  writeFileSync(`${outDirectory}${name}.wasm`, component);
  await packDriver({
    manifestPath: `${directory}murmur.yaml`,
    component,
    output: `${outDirectory}${name}.mur.zip`,
  });
}

function renamed(component, name) {
  const bytes = Buffer.from(component);
  let found = 0;
  for (let at = bytes.indexOf(marker('plain')); at !== -1; at = bytes.indexOf(marker('plain'), at + LENGTH)) {
    bytes.write(marker(name), at, 'latin1');
    found += 1;
  }
  if (found === 0) throw new Error('the marker of the variant is not in the component');
  return bytes;
}

async function builtAgainst(wit) {
  const witDirectory = mkdtempSync(join(tmpdir(), 'fake-driver-wit-'));
  try {
    writeFileSync(join(witDirectory, 'process.wit'), wit);
    return await buildComponent({ entry: `${directory}index.ts`, constants, witDirectory });
  } finally {
    rmSync(witDirectory, { recursive: true });
  }
}
