/*
 * A jail with a root of its own, for one program. Its first process (number 1 inside) builds everything, starts the
 * program and reaps; when it ends, for whatever reason, the kernel ends every process inside.
 */
#ifndef WARDEN_JAIL_H
#define WARDEN_JAIL_H

#include <sys/types.h>

#include "launch.h"
#include "records.h"

/* The guardian's side of a started jail. */
struct jail_start {
  pid_t init;
  /* See link.h. */
  int link;
};

/*
 * In the guardian: makes the namespaces and the first process and maps its ids. `report` is where the jail's
 * processes write a failed step; it is closed by the program's exec.
 */
struct failure start_jail(struct launch *launch, int report, struct jail_start *start);

/* Layers that hold once the program of this specification was executed. */
uint32_t jail_layers(const struct jail_spec *jail);

#endif
