/* What /proc says about processes: who descends from whom, and how many threads a user runs. */
#ifndef WARDEN_PROCESSES_H
#define WARDEN_PROCESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Sends `signal` to every living descendant of the caller and returns how many got it. With `running_only`,
 * processes that are stopped already are left out.
 */
size_t signal_descendants(int signal, bool running_only);

/* Threads of all processes of this user; 0 when /proc cannot be read. */
uint64_t threads_of_user(uid_t user);

#endif
