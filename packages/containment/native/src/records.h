/*
 * Status records: what the warden tells the runtime, each 64 bytes, little-endian, written in one call to the
 * status socket. The layout is described in docs/spec/containment.md ("Status records").
 *
 * The socket is one of its own, not the control socket's other direction: a runtime that writes a command to a
 * warden which has just ended gets an error there, and must not lose the last record with it.
 */
#ifndef WARDEN_RECORDS_H
#define WARDEN_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { STATUS_DESCRIPTOR = 4, RECORD_VERSION = 1, RECORD_BYTES = 64 };

enum record_kind {
  RECORD_READY = 1,
  RECORD_STARTED = 2,
  RECORD_FAILED = 3,
  RECORD_EXITED = 4,
};

/* The step that failed. */
enum stage {
  STAGE_NONE = 0,
  STAGE_SPEC = 1,
  STAGE_PROGRAM = 2,
  STAGE_DIRECTORY = 3,
  STAGE_PIPES = 4,
  STAGE_GUARDIAN = 5,
  STAGE_FORK = 6,
  STAGE_SESSION = 7,
  STAGE_PARENT_DEATH = 8,
  STAGE_LIMITS = 9,
  STAGE_PRIVILEGES = 10,
  STAGE_DESCRIPTORS = 11,
  STAGE_SIGNALS = 12,
  STAGE_EXECUTE = 13,
  STAGE_GUARDIAN_LOST = 14,
};

/* What was applied around the program. */
enum layer {
  LAYER_REAPER = 1u << 0,
  LAYER_LIFELINE = 1u << 1,
  LAYER_SESSION = 1u << 2,
  LAYER_ENVIRONMENT = 1u << 3,
  LAYER_LIMITS = 1u << 4,
  LAYER_DESCRIPTORS = 1u << 5,
  LAYER_NO_NEW_PRIVILEGES = 1u << 6,
  /* Every process that the program left behind was killed and reaped. */
  LAYER_TREE_ENDED = 1u << 7,
  LAYERS_ADVISORY = (1u << 7) - 1u,
};

/* One failure: the step, the errno it met (0 when no system call failed) and a number that the step explains. */
struct failure {
  enum stage stage;
  int error;
  uint32_t detail;
};

bool send_ready(const int *runtime_ends, size_t count);
bool send_started(pid_t program);
bool send_failed(struct failure failure);
/* `status` is what wait() gave; the times and the peak memory are those of all children that were waited for. */
bool send_exited(int status, uint32_t layers);

#endif
