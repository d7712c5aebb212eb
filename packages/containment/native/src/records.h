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
  /* From here on: steps of a jail with a root of its own. */
  STAGE_NAMESPACES = 15,
  STAGE_ID_MAPS = 16,
  STAGE_IDENTITY = 17,
  /* Detail: the mount's place in the specification. */
  STAGE_SOURCES = 18,
  STAGE_ROOT = 19,
  STAGE_DEVICES = 20,
  STAGE_PROC = 21,
  STAGE_TMP = 22,
  STAGE_MOUNTS = 23,
  STAGE_ACCOUNTS = 24,
  STAGE_PIVOT = 25,
  STAGE_NETWORK = 26,
  STAGE_NESTED_NAMESPACES = 27,
  /* Detail: the rule's place in the specification, counted from 1; 0 for the rule set itself. */
  STAGE_LANDLOCK = 28,
  STAGE_FILTER = 29,
  STAGE_CAPABILITIES = 30,
  STAGE_INIT = 31,
};

/* The class of a jail. */
enum jail_class { JAIL_NONE = 0, JAIL_SCOPED = 1, JAIL_SEALED = 2 };

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
  LAYER_IDENTITY = 1u << 8,
  LAYER_NAMESPACES = 1u << 9,
  /* A root of its own; without LAYER_HIDDEN it is a read-only view of the host's. */
  LAYER_ROOT = 1u << 10,
  LAYER_HIDDEN = 1u << 11,
  LAYER_PRIVATE_DEVICES = 1u << 12,
  LAYER_PRIVATE_PROC = 1u << 13,
  LAYER_NO_NESTED_NAMESPACES = 1u << 14,
  LAYER_CAPABILITIES = 1u << 15,
  LAYER_LANDLOCK = 1u << 16,
  LAYER_LANDLOCK_NETWORK = 1u << 17,
  LAYER_FILTER = 1u << 18,
};

/* One failure: the step, the errno it met (0 when no system call failed) and a number that the step explains. */
struct failure {
  enum stage stage;
  int error;
  uint32_t detail;
};

static inline struct failure no_failure(void) {
  return (struct failure){.stage = STAGE_NONE, .error = 0, .detail = 0};
}

bool send_ready(const int *runtime_ends, size_t count);
bool send_started(pid_t program);
bool send_failed(struct failure failure);
/* `status` is what wait() gave; the times and the peak memory are those of all children that were waited for. */
bool send_exited(int status, uint32_t layers);

#endif
