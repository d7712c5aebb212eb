// Writes docs/diagnostics.md from the built catalog. Run after the package's build.
import { writeFileSync } from 'node:fs';
import { diagnosticsPage } from '../dist/diagnostics-page.js';

writeFileSync(new URL('../../../docs/diagnostics.md', import.meta.url), diagnosticsPage());
