/* The Landlock rule set: what of the composed root may be read, written and executed. */
#ifndef WARDEN_LANDLOCK_H
#define WARDEN_LANDLOCK_H

#include "records.h"
#include "spec.h"

/* The running kernel's Landlock version; 0 where there is none. */
int landlock_version(void);

/*
 * Inside the composed root: makes the rule set of the specification and of what every jail has. All rights that the
 * kernel knows are handled, so whatever no rule names is refused. `ruleset` is close-on-exec.
 */
struct failure open_ruleset(const struct jail_spec *jail, int *ruleset);

/* In the program's process; cannot be undone. Needs no_new_privs. */
struct failure enter_ruleset(int ruleset);

#endif
