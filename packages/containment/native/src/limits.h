/* Process limits: set with hard equal to soft, then read back. */
#ifndef WARDEN_LIMITS_H
#define WARDEN_LIMITS_H

#include "records.h"
#include "spec.h"

/*
 * Before the fork: turns "so many more processes" into the kernel's count, which includes what the user runs
 * already. Lowers nothing and applies nothing.
 */
void resolve_limits(struct spec *spec);

/*
 * In the child: applies the specification's limits and the core limit, which always holds. A limit above the
 * inherited hard one is lowered to it. The detail of a failure is the resource's number.
 */
struct failure apply_limits(const struct spec *spec);

#endif
