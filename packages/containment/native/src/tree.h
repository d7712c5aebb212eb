/*
 * Ending every process that descends from the calling one.
 *
 * The caller is a child subreaper: a descendant that loses its parent becomes the caller's child, whatever session
 * or process group it moved to. So "no children left" means "no descendants left".
 */
#ifndef WARDEN_TREE_H
#define WARDEN_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The program's state, in memory shared by both warden processes: either can report for the other. */
struct program_state {
  /* The child whose end is the program's end: itself, or the first process of its jail. 0 until it was forked. */
  volatile pid_t pid;
  volatile int in_jail;
  /* The jail's first process said how the program ended; its own end says less. */
  volatile int status_known;
  /* What holds beyond the layers that every program has. */
  volatile uint32_t layers;
  volatile int ended;
  volatile int status;
  /* The exit or failure record was sent. */
  volatile int reported;
};

/* Reaps what has ended; stores the program's status when it is among them. False when no child is left. */
bool reap(struct program_state *program);

/*
 * Kills and reaps all descendants. Gives up after `patience_ms` (a process in an uninterruptible sleep cannot be
 * killed) and returns whether none is left; a negative patience never gives up.
 */
bool end_descendants(struct program_state *program, int64_t patience_ms);

#endif
