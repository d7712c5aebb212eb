/* Giving up every capability, in every set, for good. */
#ifndef WARDEN_CAPABILITIES_H
#define WARDEN_CAPABILITIES_H

#include "records.h"

/*
 * Empties the bounding, ambient, inheritable, permitted and effective set, locks the bits that could bring one
 * back, sets no_new_privs, and reads all of it back: a drop that was refused must not pass for one that worked.
 */
struct failure drop_capabilities(void);

#endif
