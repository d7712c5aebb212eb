// Writes docs/manifest.md from the built key tables. Run after the package's build.
import { writeFileSync } from 'node:fs';
import { referencePage } from '../dist/reference-page.js';

writeFileSync(new URL('../../../docs/manifest.md', import.meta.url), referencePage());
