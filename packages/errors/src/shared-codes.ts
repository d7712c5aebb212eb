/** A turn of the harness failed. The terminal and the door both take this code from here. */
export const HARNESS_TURN_FAILED_CODE = 'E-RUN-033';

/** A call into the process driver failed. */
export const PROCESS_DRIVER_CALL_FAILED_CODE = 'E-RUN-034';

/** The harness was silent for a full window. */
export const HARNESS_INACTIVE_CODE = 'E-RUN-035';

/** The harness no longer knows the session it should resume. */
export const HARNESS_SESSION_GONE_CODE = 'E-RUN-036';
