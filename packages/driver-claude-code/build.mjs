/** Builds the driver's component and archive into `dist/`; does nothing when its inputs are unchanged. */
import { fileURLToPath } from 'node:url';
import { buildDriver } from '@murmur/driver-kit';

const built = await buildDriver({ directory: fileURLToPath(new URL('.', import.meta.url)) });
console.log(`${built.unchanged ? 'unchanged' : 'built'}: ${built.archivePath}`);
