/* Process limits: set with hard equal to soft, then read back. */
#ifndef WARDEN_LIMITS_H
#define WARDEN_LIMITS_H

#include <stdint.h>

#include "records.h"
#include "spec.h"

/*
 * Before the fork: turns "so many more processes" into the kernel's count, which includes what the user runs
 * already, or in a jail its first process. Lowers nothing and applies nothing.
 */
void resolve_limits(struct spec *spec);

/*
 * In the child: applies the specification's limits and the core limit, which always holds. A limit above the
 * inherited hard one is lowered to it. The detail of a failure is the resource's number.
 */
struct failure apply_limits(const struct spec *spec);

/* One resource by its number, and the core limit alone. */
struct failure apply_limit(int resource, uint64_t value);
struct failure apply_core_limit(void);

#endif
