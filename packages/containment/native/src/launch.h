/* The program's own process, from the fork to the exec. */
#ifndef WARDEN_LAUNCH_H
#define WARDEN_LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "channels.h"
#include "records.h"
#include "sources.h"
#include "spec.h"

struct launch {
  /* What was received, and what it says; the strings of `spec` lie in `bytes`. */
  uint8_t *bytes;
  size_t length;
  struct spec spec;
  struct channels channels;
  /* The working directory, opened before the fork. */
  int directory;
  /* The caller may choose whom a program in a jail runs as. */
  bool chooses_identity;
  /* For a jail: what its root is made of, and the rule set that the program enters; -1 without one. */
  struct sources sources;
  int ruleset;
};

/*
 * In a process that has forked the one that needs all this: closes the descriptors, of which the pipes would hide
 * the program's end, and overwrites the environment and the arguments, which are no business of it any more.
 */
void release_launch(struct launch *launch);

/*
 * Runs in the child and never returns: it becomes the program, or writes one struct failure to `report` and exits.
 * `report` is closed by a successful exec. Only async-signal-safe calls are made.
 */
_Noreturn void become_program(const struct launch *launch, pid_t guardian, int report);

#endif
