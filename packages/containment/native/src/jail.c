#define _GNU_SOURCE
#include "jail.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "identity.h"
#include "init.h"
#include "kernel.h"
#include "landlock.h"
#include "link.h"

enum { LANDLOCK_WITH_NETWORK = 4 };

static struct failure failed(enum stage stage) {
  return (struct failure){.stage = stage, .error = errno, .detail = 0};
}

struct failure start_jail(struct launch *launch, int report, struct jail_start *start) {
  int ends[2];
  if (!open_link(ends)) return failed(STAGE_INIT);
  unsigned long flags = KERNEL_NEW_USER | KERNEL_NEW_MOUNT | KERNEL_NEW_PID | KERNEL_NEW_NET | KERNEL_NEW_IPC |
                        KERNEL_NEW_UTS | (unsigned long)SIGCHLD;
  pid_t init = (pid_t)syscall(SYS_clone, flags, 0, 0, 0, 0);
  if (init == 0) {
    close(ends[0]);
    run_init(launch, ends[1], report);
  }
  struct failure failure = init < 0 ? failed(STAGE_NAMESPACES) : no_failure();
  close(ends[1]);
  if (failure.stage == STAGE_NONE) failure = map_identity(init, &launch->spec.jail);
  if (failure.stage == STAGE_NONE && !send_link(ends[0], LINK_MAPPED, 0)) failure = failed(STAGE_INIT);
  /* A first process that is not let go on sees the link end. */
  if (failure.stage != STAGE_NONE) close(ends[0]);
  *start = (struct jail_start){.init = init, .link = failure.stage == STAGE_NONE ? ends[0] : -1};
  return failure;
}

uint32_t jail_layers(const struct jail_spec *jail) {
  if (jail->class == JAIL_NONE) return 0;
  uint32_t layers = LAYER_IDENTITY | LAYER_NAMESPACES | LAYER_ROOT | LAYER_PRIVATE_DEVICES | LAYER_PRIVATE_PROC |
                    LAYER_NO_NESTED_NAMESPACES | LAYER_CAPABILITIES | LAYER_LANDLOCK | LAYER_FILTER;
  if (jail->class == JAIL_SEALED) layers |= LAYER_HIDDEN;
  if (!jail->loopback && landlock_version() >= LANDLOCK_WITH_NETWORK) layers |= LAYER_LANDLOCK_NETWORK;
  return layers;
}
