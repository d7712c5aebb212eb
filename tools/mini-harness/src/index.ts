import { fileURLToPath } from 'node:url';

/** Absolute path of the executable `mini-agent`; link it into a directory on PATH under that name. */
export const miniAgentPath: string = fileURLToPath(new URL('../bin/mini-agent.mjs', import.meta.url));
