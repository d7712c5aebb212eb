/** Puts the contract into the package: a driver is built against the text shipped with the kit. */
import { cpSync, mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const from = fileURLToPath(new URL('../../../wit/driver/process.wit', import.meta.url));
const directory = fileURLToPath(new URL('../dist/wit/', import.meta.url));
mkdirSync(directory, { recursive: true });
cpSync(from, `${directory}process.wit`);
