import { fileURLToPath } from 'node:url';

/** Absolute path of the executable `fake-agent`; link it into a directory on PATH under that name. */
export const fakeAgentPath: string = fileURLToPath(new URL('../bin/fake-agent.mjs', import.meta.url));
