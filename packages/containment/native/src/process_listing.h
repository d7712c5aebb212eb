/* A /proc of the jail's own: its processes, and of the machine only what programs need to run at all. */
#ifndef WARDEN_PROCESS_LISTING_H
#define WARDEN_PROCESS_LISTING_H

#include "records.h"

/*
 * Puts it into the root, read-only, with every entry hidden that is not on the list of harmless ones, so that what
 * a later kernel adds is hidden as well. Before that, ends the making of further user namespaces in the jail's own.
 */
struct failure place_process_listing(int root, int devices);

#endif
