/*
 * The inner process: parent and reaper of the program, the one that reads commands and reports. It ends the tree
 * when the program ends, when it is told to, when the lifeline ends and when the outer process dies.
 */
#ifndef WARDEN_GUARDIAN_H
#define WARDEN_GUARDIAN_H

#include "exit_codes.h"
#include "launch.h"
#include "tree.h"

/* How long the report of the program's end waits for descendants that cannot be killed. */
enum { TREE_PATIENCE_MS = 10000 };

/* Sends the exit record unless one was sent. */
void report_end(struct program_state *program, bool tree_ended);

/* Runs in the guardian's process, from its fork to its end. `outer` is the process that forked it. */
enum exit_code guard(struct launch *launch, struct program_state *program, pid_t outer);

#endif
