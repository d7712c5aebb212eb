#define _GNU_SOURCE
#include "limits.h"

#include <errno.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>

#include "processes.h"

/*
 * One byte and not zero: no core file fits either, but a zero limit does not stop the kernel from piping the dump
 * to a host program (core_pattern "|…"), and exactly one does.
 */
enum { CORE_LIMIT_BYTES = 1 };

/* glibc gives the resources an enumeration type of their own, musl an int. */
#define RESOURCE_OF(number) ((__typeof__(RLIMIT_CORE))(number))

/* In the order of enum spec_limit. The number of open files comes last: the steps before it need descriptors. */
static const int resources[SPEC_LIMITS] = {
    [SPEC_LIMIT_OPEN_FILES] = RLIMIT_NOFILE, [SPEC_LIMIT_PROCESSES] = RLIMIT_NPROC,
    [SPEC_LIMIT_FILE_SIZE] = RLIMIT_FSIZE,   [SPEC_LIMIT_CPU_SECONDS] = RLIMIT_CPU,
    [SPEC_LIMIT_DATA] = RLIMIT_DATA,
};

struct failure apply_limit(int resource, uint64_t value) {
  struct failure failure = {.stage = STAGE_LIMITS, .error = 0, .detail = (uint32_t)resource};
  struct rlimit held;
  if (getrlimit(RESOURCE_OF(resource), &held) != 0) {
    failure.error = errno;
    return failure;
  }
  rlim_t wanted = (rlim_t)value;
  if (held.rlim_max != RLIM_INFINITY && wanted > held.rlim_max) wanted = held.rlim_max;
  struct rlimit limit = {.rlim_cur = wanted, .rlim_max = wanted};
  struct rlimit after;
  if (setrlimit(RESOURCE_OF(resource), &limit) != 0 || getrlimit(RESOURCE_OF(resource), &after) != 0) {
    failure.error = errno;
    return failure;
  }
  if (after.rlim_cur != wanted || after.rlim_max != wanted) {
    failure.error = ERANGE;
    return failure;
  }
  return no_failure();
}

void resolve_limits(struct spec *spec) {
  if (!spec->limit_set[SPEC_LIMIT_PROCESSES]) return;
  /* A user namespace is counted by itself, and the jail's first process is in it. */
  uint64_t running = spec->jail.class == JAIL_NONE ? threads_of_user(getuid()) : 1;
  uint64_t wanted = spec->limits[SPEC_LIMIT_PROCESSES];
  spec->limits[SPEC_LIMIT_PROCESSES] = wanted > (UINT64_MAX >> 1) - running ? (UINT64_MAX >> 1) : wanted + running;
}

struct failure apply_core_limit(void) {
  return apply_limit(RLIMIT_CORE, CORE_LIMIT_BYTES);
}

struct failure apply_limits(const struct spec *spec) {
  struct failure failure = apply_core_limit();
  for (int which = SPEC_LIMITS - 1; which >= 0 && failure.stage == STAGE_NONE; which -= 1) {
    if (spec->limit_set[which]) failure = apply_limit(resources[which], spec->limits[which]);
  }
  return failure;
}
