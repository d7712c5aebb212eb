/** The one interface version this host serves; a neighbouring version never satisfies. */
export const servedInterface = 'murmur:driver/process@0.6.0';
/** Every exported instance with this prefix is some version of the process interface. */
export const processInterfacePrefix = 'murmur:driver/process@';

/** Each call into a driver gets this much wall-clock time of its own. */
export const driverCallDeadlineMs = 30_000;
/** Silence on stdout for this long ends a run. */
export const inactivityWindowMs = 600_000;
/** Time a harness has to wind down after a delivered interrupt. */
export const interruptGraceMs = 10_000;
/** Time a harness has to exit after its terminal event or the end of its output. */
export const exitGraceMs = 3_000;
/** Bound of the version probe and of the login check. */
export const commandBoundMs = 10_000;
/** How long the rest of stderr is waited for once the harness is gone. */
export const stderrDrainMs = 200;

export const maxLineBytes = 16 * 1024 * 1024;
/** A guest takes messages of at most 64 MiB. */
export const maxEncodedLineBytes = 60 * 1024 * 1024;
export const maxBatchLines = 256;
/** A batch also ends here, so that no call into a driver outgrows what a guest accepts. */
export const maxBatchChars = 4 * 1024 * 1024;
export const lineQueueLines = 1_024;
/** Lines may be long: the queue is bounded by their size as well as by their number. */
export const lineQueueChars = 32 * 1024 * 1024;
export const stderrTailBytes = 4_096;
/** What is kept of the output of a probe or login command, per stream. */
export const commandOutputBytes = 1024 * 1024;

/** Least distance between two progress frames of one tool call. */
export const progressIntervalMs = 250;
/** Tool calls tracked at once, and ids of finished ones remembered. */
export const trackedCalls = 4_096;
/** Sum of the inputs kept for calls that have no result yet. */
export const pendingInputBytes = 64 * 1024 * 1024;
/** Most subscription windows kept for a session. */
export const quotaWindows = 64;
/** Most streamed text kept of one message, for a run that is cut off in the middle of it. */
export const partialTextChars = 256 * 1024;

/** Token in launch plans that stands for the files directory. */
export const filesDirectoryToken = '{files_dir}';
