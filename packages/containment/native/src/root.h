/*
 * The composed root. `sealed` starts from nothing, `scoped` from a read-only view of the host; both get the same
 * devices, process listing, scratch space, accounts and grants on top.
 */
#ifndef WARDEN_ROOT_H
#define WARDEN_ROOT_H

#include "records.h"
#include "sources.h"
#include "spec.h"

/* In a mount namespace of the jail's own: builds the root and moves into it; the host's is gone afterwards. */
struct failure compose_root(const struct jail_spec *jail, struct sources *sources);

#endif
