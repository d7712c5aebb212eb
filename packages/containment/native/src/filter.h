/*
 * The system call filter: an allow-list, as classic BPF made from one table (syscalls.def) for either architecture.
 *
 * A call that is in no list is answered with ENOSYS, so that libraries fall back as on an older kernel; a forbidden
 * one with EPERM. Building it makes no system call; docs/spec/containment.md ("System calls") lists the rules.
 */
#ifndef WARDEN_FILTER_H
#define WARDEN_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel.h"
#include "records.h"

enum filter_architecture { FILTER_X86_64, FILTER_ARM64 };

enum filter_rule {
  FILTER_UNKNOWN,
  FILTER_ALLOWED,
  FILTER_FORBIDDEN,
  /* Internet families; NETLINK_ROUTE, which only reads the jail's own interfaces. */
  FILTER_SOCKET,
  /* Connected kinds: a datagram pair can be aimed at another socket. */
  FILTER_SOCKETPAIR,
  /* No new namespace. */
  FILTER_CLONE,
  /* Memory files that can never be executed. */
  FILTER_MEMFD,
  /* Not by descriptor alone. */
  FILTER_EXECVEAT,
  /* No typing into terminals. */
  FILTER_IOCTL,
  /* No set-user-id or set-group-id bit in the mode, which is argument 1 or 2. */
  FILTER_MODE_1,
  FILTER_MODE_2,
  /* The same where a file is made: flags and mode are arguments 1 and 2, or 2 and 3. */
  FILTER_OPEN,
  FILTER_OPENAT,
  /* Setting the core limit is answered without effect: lowering it from 1 would let cores be piped again. */
  FILTER_PRLIMIT,
  FILTER_SETRLIMIT,
};

enum { FILTER_MAX_STEPS = 768 };

struct filter {
  size_t length;
  struct kernel_filter_step steps[FILTER_MAX_STEPS];
};

/* The rule of a number, as the table says. */
enum filter_rule filter_rule_of(enum filter_architecture architecture, unsigned number);

/* Builds the filter. False when it would not fit, which is a fault of the table. */
bool filter_build(enum filter_architecture architecture, struct filter *filter);

/* Puts the filter of this architecture on the calling process, which needs no_new_privs, and reads it back. */
struct failure apply_filter(void);

#endif
