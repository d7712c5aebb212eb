#define _GNU_SOURCE
#include "watch.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

bool own_signals(void) {
  for (int number = 1; number <= 64; number += 1) signal(number, SIG_DFL);
  sigset_t all;
  sigfillset(&all);
  return sigprocmask(SIG_SETMASK, &all, NULL) == 0;
}

int open_signals(void) {
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGTERM);
  sigaddset(&watched, SIGINT);
  sigaddset(&watched, SIGHUP);
  sigaddset(&watched, SIGQUIT);
  return signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
}

bool drain_signals(int signals) {
  bool stop = false;
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == (ssize_t)sizeof info) {
    if (info.ssi_signo != SIGCHLD) stop = true;
  }
  return stop;
}
