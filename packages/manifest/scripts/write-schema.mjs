// Writes schema/murmur.schema.json from the built schema of the reader. Runs after the package's build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { capsuleJsonSchema } from '../dist/json-schema.js';

mkdirSync(new URL('../schema/', import.meta.url), { recursive: true });
const target = new URL('../schema/murmur.schema.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(capsuleJsonSchema(), null, 2)}\n`);
