/*
 * The program's descriptors. Each `pipe` entry is a real pipe (the runtime's own stdio pipes are sockets, on which
 * /dev/stdout cannot be opened). The runtime opens its ends through /proc/<warden>/fd/<n> after the ready record,
 * so no byte passes through the warden.
 */
#ifndef WARDEN_CHANNELS_H
#define WARDEN_CHANNELS_H

#include <stddef.h>

#include "records.h"
#include "spec.h"

struct channels {
  size_t count;
  int program_ends[SPEC_MAX_DESCRIPTORS];
  /* -1 where the program gets /dev/null. */
  int runtime_ends[SPEC_MAX_DESCRIPTORS];
};

/* Opens everything that the specification asks for; nothing stays open when it fails. */
struct failure open_channels(const struct spec *spec, struct channels *channels);

void close_channels(struct channels *channels);

/*
 * In the child: makes the program's ends its descriptors 0, 1, 2, …, moves `report` right behind them (closed on
 * exec; `report` is updated) and closes every other descriptor.
 */
struct failure place_descriptors(const struct channels *channels, int *report);

#endif
