/*
 * Who the program is: one user and one group, mapped into a user namespace of its own, and never the host's
 * superuser. Where the runtime is root, files that root owns are shown to the program as its own by an id-mapped
 * mount.
 */
#ifndef WARDEN_IDENTITY_H
#define WARDEN_IDENTITY_H

#include <stdbool.h>
#include <sys/types.h>

#include "records.h"
#include "spec.h"

/* Whether this process may choose whom a program runs as. */
bool may_choose_identity(void);

/* From outside: maps the one user and the one group into the child's user namespace. */
struct failure map_identity(pid_t child, const struct jail_spec *jail);

/*
 * In the child, once it is mapped: takes the ids and gives up every other group. An ordinary user cannot drop groups;
 * `chosen` says that the caller could choose whom to run as, and then it has to work.
 */
struct failure become_identity(const struct jail_spec *jail, bool chosen);

/* A user namespace in which the superuser is the jail's user, for id-mapped mounts; -1 with errno. */
int open_owner_namespace(const struct jail_spec *jail);

#endif
