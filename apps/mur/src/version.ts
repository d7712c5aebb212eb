import manifest from '../package.json' with { type: 'json' };

/** Version of this `mur`, from its package. */
export const VERSION: string = manifest.version;
