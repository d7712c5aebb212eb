/*
 * What a jail's root is made of, taken from the host as detached trees before anything is covered.
 *
 * As root this is done outside the jail, whose user may not reach every place that was granted; as an ordinary user
 * inside, because only there are mounts allowed.
 */
#ifndef WARDEN_SOURCES_H
#define WARDEN_SOURCES_H

#include "records.h"
#include "spec.h"

enum { DEVICE_NULL, DEVICE_ZERO, DEVICE_FULL, DEVICE_RANDOM, DEVICE_URANDOM, DEVICE_TTY, DEVICES };

enum source_kind {
  /* Optional, and not there. */
  SOURCE_ABSENT,
  SOURCE_DIRECTORY,
  SOURCE_FILE,
  /* Not a tree: the link itself, to be made anew. */
  SOURCE_LINK,
};

struct sources {
  bool taken;
  /* The host's whole tree, for a class that shows it; else -1. */
  int view;
  int devices[DEVICES];
  /* By the mount's place in the specification; -1 where absent or without a source. */
  int trees[SPEC_MAX_MOUNTS];
  uint8_t kinds[SPEC_MAX_MOUNTS];
};

/* Names of the devices below /dev. */
extern const char *const device_names[DEVICES];

struct failure take_sources(const struct jail_spec *jail, struct sources *sources);
void release_sources(struct sources *sources);

#endif
