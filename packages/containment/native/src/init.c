#define _GNU_SOURCE
#include "init.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capabilities.h"
#include "control.h"
#include "exit_codes.h"
#include "filter.h"
#include "identity.h"
#include "kernel.h"
#include "landlock.h"
#include "limits.h"
#include "link.h"
#include "root.h"
#include "watch.h"

/* How long the guardian may take to map the ids. */
enum { MAPPING_PATIENCE_MS = 10000, LOCKED_MEMORY_BYTES = 65536 };

struct init {
  int link;
  int signals;
  pid_t program;
};

static struct failure failed(enum stage stage, size_t detail) {
  return (struct failure){.stage = stage, .error = errno, .detail = (uint32_t)detail};
}

/* Only the loopback interface exists; it comes down with the namespace. */
static struct failure raise_loopback(void) {
  int any = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (any < 0) return failed(STAGE_NETWORK, 0);
  struct ifreq request;
  memset(&request, 0, sizeof request);
  strcpy(request.ifr_name, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  struct failure failure = ioctl(any, SIOCSIFFLAGS, &request) == 0 ? no_failure() : failed(STAGE_NETWORK, 1);
  close(any);
  return failure;
}

/* What holds for everything inside, whatever limits a program is given. */
static struct failure limit_all(void) {
  static const struct {
    int resource;
    rlim_t value;
  } limits[] = {{RLIMIT_MEMLOCK, LOCKED_MEMORY_BYTES}, {RLIMIT_MSGQUEUE, 0}};
  for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i += 1) {
    struct failure failure = apply_limit(limits[i].resource, limits[i].value);
    if (failure.stage != STAGE_NONE) return failure;
  }
  return apply_core_limit();
}

static struct failure prepare(struct launch *launch, int link) {
  const struct jail_spec *jail = &launch->spec.jail;
  if (!await_link(link, LINK_MAPPED, MAPPING_PATIENCE_MS)) return failed(STAGE_INIT, 0);
  struct failure failure = become_identity(jail, launch->chooses_identity);
  if (failure.stage != STAGE_NONE) return failure;
  /* After the change of ids, which takes it back. That the guardian is still there is seen at the link. */
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return failed(STAGE_PARENT_DEATH, 0);
  /* A program of the same user must not look into this process. */
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return failed(STAGE_INIT, 1);
  if (sethostname("capsule", 7) != 0) return failed(STAGE_NETWORK, 2);
  failure = raise_loopback();
  if (failure.stage != STAGE_NONE) return failure;
  failure = compose_root(jail, &launch->sources);
  if (failure.stage != STAGE_NONE) return failure;
  launch->directory = open(launch->spec.directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (launch->directory < 0) return failed(STAGE_DIRECTORY, 0);
  int program = open(launch->spec.program, O_PATH | O_CLOEXEC);
  if (program < 0) return failed(STAGE_PROGRAM, 0);
  close(program);
  failure = open_ruleset(jail, &launch->ruleset);
  if (failure.stage != STAGE_NONE) return failure;
  failure = limit_all();
  if (failure.stage != STAGE_NONE) return failure;
  failure = drop_capabilities();
  if (failure.stage != STAGE_NONE) return failure;
  return apply_filter();
}

static void obey(struct init *init) {
  bool ended = false;
  struct link_message message = receive_link(init->link, NULL, &ended);
  /* The guardian is gone: so is everything here. */
  if (ended) _exit(EXIT_GUARDIAN_LOST);
  /* The number cannot mean another process: this one is its parent and has not reaped it. */
  if (message.kind == LINK_SIGNAL) kill(init->program, (int)message.value);
}

/* True when the program is among those that ended. */
static bool reap_inside(const struct init *init, int *status) {
  bool ended = false;
  for (;;) {
    int found = 0;
    pid_t pid = waitpid(-1, &found, WNOHANG);
    if (pid < 0 && errno == EINTR) continue;
    if (pid <= 0) return ended;
    if (pid != init->program) continue;
    *status = found;
    ended = true;
  }
}

_Noreturn static void supervise(struct init *init) {
  for (;;) {
    struct pollfd waits[2] = {
        {.fd = init->signals, .events = POLLIN, .revents = 0},
        {.fd = init->link, .events = POLLIN, .revents = 0},
    };
    if (poll(waits, 2, -1) < 0 && errno != EINTR) _exit(EXIT_UNUSABLE);
    if (waits[0].revents != 0) {
      /* A program inside may send this process signals; none of them means anything here. */
      drain_signals(init->signals);
      int status = 0;
      if (reap_inside(init, &status)) {
        send_link(init->link, LINK_ENDED, (uint32_t)status);
        _exit(EXIT_DONE);
      }
    }
    if (waits[1].revents != 0) obey(init);
  }
}

/* Keeps two descriptors and closes the rest, the pipes' ends among them: they would hide the program's end. */
static bool keep_only(struct init *init) {
  enum { PARKED = 64, LINK = 0, SIGNALS = 1 };
  int link = fcntl(init->link, F_DUPFD_CLOEXEC, PARKED);
  int signals = fcntl(init->signals, F_DUPFD_CLOEXEC, PARKED);
  if (link < 0 || signals < 0 || dup2(link, LINK) < 0 || dup2(signals, SIGNALS) < 0) return false;
  init->link = LINK;
  init->signals = SIGNALS;
  return syscall(SYS_close_range, 2u, ~0u, 0u) == 0;
}

_Noreturn static void give_up(int report, struct failure failure) {
  ssize_t ignored = write(report, &failure, sizeof failure);
  (void)ignored;
  _exit(EXIT_NOT_EXECUTED);
}

_Noreturn void run_init(struct launch *launch, int link, int report) {
  prctl(PR_SET_NAME, "warden-init", 0, 0, 0);
  /* The lifeline and the records are the guardian's: a copy here would keep them from ending. */
  close(CONTROL_DESCRIPTOR);
  close(STATUS_DESCRIPTOR);
  struct failure failure = prepare(launch, link);
  if (failure.stage != STAGE_NONE) give_up(report, failure);
  struct init init = {.link = link, .signals = open_signals(), .program = 0};
  if (init.signals < 0) give_up(report, failed(STAGE_INIT, 2));
  pid_t self = getpid();
  init.program = fork();
  if (init.program < 0) give_up(report, failed(STAGE_FORK, 0));
  if (init.program == 0) {
    if (!send_link(link, LINK_BORN, 0)) _exit(EXIT_GUARDIAN_LOST);
    become_program(launch, self, report);
  }
  release_launch(launch);
  if (!keep_only(&init)) _exit(EXIT_UNUSABLE);
  supervise(&init);
}
