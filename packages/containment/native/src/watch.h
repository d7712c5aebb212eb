/* Waiting for what may happen while a program runs: signals to the warden, the end of the lifeline, its commands. */
#ifndef WARDEN_WATCH_H
#define WARDEN_WATCH_H

#include <stdbool.h>

/* Blocks every signal and gives all of them their default action, which the program inherits. */
bool own_signals(void);

/* A descriptor that reports SIGCHLD and the signals that ask the warden to stop, for the calling process. */
int open_signals(void);

/* Takes what is pending from it; true when one of them asks the warden to stop. */
bool drain_signals(int signals);

#endif
