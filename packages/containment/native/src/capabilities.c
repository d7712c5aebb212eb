#define _GNU_SOURCE
#include "capabilities.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "kernel.h"

enum {
  MOST_CAPABILITIES = 64,
  AMBIENT = 47,
  AMBIENT_CLEAR_ALL = 4,
  /* No rights by being uid 0, none regained by changing ids, no ambient set: each with its lock. */
  SECURE_BITS = 0x03 | 0x0c | 0xc0,
};

static struct failure failed(int error, int detail) {
  return (struct failure){.stage = STAGE_CAPABILITIES, .error = error, .detail = (uint32_t)detail};
}

/* The kernel answers EINVAL from the first number on that it does not know. */
static struct failure empty_bounding_set(void) {
  for (int number = 0; number < MOST_CAPABILITIES; number += 1) {
    int held = prctl(PR_CAPBSET_READ, number, 0, 0, 0);
    if (held < 0 && errno == EINVAL) return no_failure();
    if (held < 0) return failed(errno, number);
    if (held == 0) continue;
    if (prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0) return failed(errno, number);
    if (prctl(PR_CAPBSET_READ, number, 0, 0, 0) != 0) return failed(EPERM, number);
  }
  return no_failure();
}

struct failure drop_capabilities(void) {
  if (prctl(PR_SET_SECUREBITS, SECURE_BITS, 0, 0, 0) != 0) return failed(errno, MOST_CAPABILITIES);
  struct failure failure = empty_bounding_set();
  if (failure.stage != STAGE_NONE) return failure;
  if (prctl(AMBIENT, AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) return failed(errno, MOST_CAPABILITIES);
  struct kernel_capability_header header = {.version = KERNEL_CAPABILITY_VERSION, .pid = 0};
  struct kernel_capability_data sets[2];
  memset(sets, 0, sizeof sets);
  if (syscall(SYS_capset, &header, sets) != 0) return failed(errno, MOST_CAPABILITIES);
  memset(sets, 0xff, sizeof sets);
  if (syscall(SYS_capget, &header, sets) != 0) return failed(errno, MOST_CAPABILITIES);
  for (size_t i = 0; i < 2; i += 1) {
    if ((sets[i].effective | sets[i].permitted | sets[i].inheritable) != 0) return failed(EPERM, MOST_CAPABILITIES);
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
    return (struct failure){.stage = STAGE_PRIVILEGES, .error = errno, .detail = 0};
  }
  return no_failure();
}
