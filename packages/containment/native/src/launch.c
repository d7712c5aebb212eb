#define _GNU_SOURCE
#include "launch.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "exit_codes.h"
#include "landlock.h"
#include "limits.h"

static struct failure failed(enum stage stage) {
  return (struct failure){.stage = stage, .error = errno, .detail = 0};
}

static struct failure prepare(const struct launch *launch, pid_t guardian, int *report) {
  if (setsid() < 0) return failed(STAGE_SESSION);
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return failed(STAGE_PARENT_DEATH);
  /* The guardian may have died before the line above. */
  if (getppid() != guardian) return (struct failure){.stage = STAGE_PARENT_DEATH, .error = ESRCH, .detail = 0};
  if (fchdir(launch->directory) != 0) return failed(STAGE_DIRECTORY);
  /* Without it a set-user-id program would run as somebody whose processes the warden may not kill. */
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) {
    return failed(STAGE_PRIVILEGES);
  }
  struct failure failure = launch->ruleset < 0 ? no_failure() : enter_ruleset(launch->ruleset);
  if (failure.stage != STAGE_NONE) return failure;
  failure = place_descriptors(&launch->channels, report);
  if (failure.stage != STAGE_NONE) return failure;
  failure = apply_limits(&launch->spec);
  if (failure.stage != STAGE_NONE) return failure;
  /* Dispositions were reset when the warden started. */
  sigset_t empty;
  sigemptyset(&empty);
  if (sigprocmask(SIG_SETMASK, &empty, NULL) != 0) return failed(STAGE_SIGNALS);
  return no_failure();
}

void release_launch(struct launch *launch) {
  if (launch->directory >= 0) close(launch->directory);
  if (launch->ruleset >= 0) close(launch->ruleset);
  release_sources(&launch->sources);
  close_channels(&launch->channels);
  explicit_bzero(launch->bytes, launch->length);
}

_Noreturn void become_program(const struct launch *launch, pid_t guardian, int report) {
  struct failure failure = prepare(launch, guardian, &report);
  if (failure.stage == STAGE_NONE) {
    const struct spec *spec = &launch->spec;
    execve(spec->program, (char *const *)spec->arguments, (char *const *)spec->environment);
    failure = failed(STAGE_EXECUTE);
  }
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(EXIT_NOT_EXECUTED);
}
