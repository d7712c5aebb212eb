/** A text is read once in a process: making code for its schema first takes longer than walking the schema. */
export const parseOptions = { jitless: true } as const;
