#define _GNU_SOURCE
#include "tree.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "control.h"
#include "processes.h"

enum { FREEZE_ROUNDS = 16, FIRST_WAIT_MS = 5, LONGEST_WAIT_MS = 500 };

bool reap(struct program_state *program) {
  for (;;) {
    int status = 0;
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid == 0) return true;
    if (pid < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    if (pid == program->pid) {
      /* A first process that went without a word took the program with it; its own status is not the program's. */
      if (!program->status_known) program->status = program->in_jail ? SIGKILL : status;
      program->ended = 1;
    }
  }
}

/* Sleeps until a child ended or `milliseconds` passed. SIGCHLD is blocked, so one that came before is not lost. */
static void await_child(int64_t milliseconds) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  struct timespec wait = {.tv_sec = milliseconds / 1000, .tv_nsec = (milliseconds % 1000) * 1000000};
  sigtimedwait(&child, NULL, &wait);
}

bool end_descendants(struct program_state *program, int64_t patience_ms) {
  int64_t deadline = now_ms() + patience_ms;
  int64_t wait_ms = FIRST_WAIT_MS;
  while (reap(program)) {
    if (patience_ms >= 0 && now_ms() >= deadline) return false;
    /*
     * Freeze before killing: a process that forks faster than it is found would otherwise outrun the kill. A round
     * that finds nothing running has the whole tree still; the bound is for processes that cannot stop at once.
     */
    for (int round = 0; round < FREEZE_ROUNDS; round += 1) {
      if (signal_descendants(SIGSTOP, true) == 0) break;
    }
    signal_descendants(SIGKILL, false);
    /* Where /proc is of no use, the program at least is known by its number, which is held until it is reaped. */
    if (program->pid > 0 && !program->ended) kill(program->pid, SIGKILL);
    await_child(wait_ms);
    if (wait_ms < LONGEST_WAIT_MS) wait_ms *= 2;
  }
  return true;
}
