/*
 * The outer process. It reads the specification, opens what the program needs, forks the guardian and then only
 * watches: when the guardian dies, when the lifeline ends or when it is told to stop, it ends the whole tree.
 *
 * Two processes, because one that is killed with SIGKILL cannot clean up after itself: whichever of the two dies,
 * the other one is a subreaper above or inside the tree and ends it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "control.h"
#include "exit_codes.h"
#include "guardian.h"
#include "identity.h"
#include "launch.h"
#include "limits.h"
#include "records.h"
#include "spec.h"
#include "tree.h"
#include "watch.h"

/* How long the runtime may take for the specification and for the command to go on. */
#ifndef WARDEN_PATIENCE_MS
#define WARDEN_PATIENCE_MS 30000
#endif

/* How long the guardian may take to end the tree before it is replaced. */
enum { GUARDIAN_PATIENCE_MS = 2000 };

static uint8_t spec_bytes[SPEC_MAX_BYTES];
static struct launch launch = {.bytes = spec_bytes, .length = 0, .directory = -1, .ruleset = -1};

static enum exit_code refuse(struct failure failure, enum exit_code code) {
  send_failed(failure);
  return code;
}

static enum exit_code refuse_spec(enum spec_error error) {
  return refuse((struct failure){.stage = STAGE_SPEC, .error = 0, .detail = (uint32_t)error}, EXIT_SPEC_REFUSED);
}

static enum exit_code refuse_step(enum stage stage) {
  return refuse((struct failure){.stage = stage, .error = errno, .detail = 0}, EXIT_NOT_PREPARED);
}

/* All of the specification, checked, before anything is opened. */
static enum exit_code receive_spec(int64_t deadline) {
  enum read_result result = read_before(CONTROL_DESCRIPTOR, spec_bytes, SPEC_HEADER_BYTES, deadline);
  if (result != READ_OK) return result == READ_LATE ? EXIT_LATE : EXIT_SPEC_CUT;
  enum spec_error error = spec_read_header(spec_bytes, SPEC_HEADER_BYTES, &launch.length);
  if (error != SPEC_OK) return refuse_spec(error);
  result = read_before(CONTROL_DESCRIPTOR, spec_bytes + SPEC_HEADER_BYTES, launch.length - SPEC_HEADER_BYTES, deadline);
  if (result != READ_OK) return result == READ_LATE ? EXIT_LATE : EXIT_SPEC_CUT;
  error = spec_read(spec_bytes, launch.length, &launch.spec);
  return error == SPEC_OK ? EXIT_DONE : refuse_spec(error);
}

static enum exit_code open_places(void) {
  /* Opened for its errno only: a script's program must be executed by name. */
  int program = open(launch.spec.program, O_PATH | O_CLOEXEC);
  if (program < 0) return refuse_step(STAGE_PROGRAM);
  close(program);
  launch.directory = open(launch.spec.directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
  return launch.directory < 0 ? refuse_step(STAGE_DIRECTORY) : EXIT_DONE;
}

/* Opens the working directory and the pipes, then waits until the runtime has opened its ends. */
static enum exit_code prepare(int64_t deadline) {
  /* Inside a root of its own both are looked up there. */
  bool own_root = launch.spec.jail.class != JAIL_NONE;
  if (!own_root) {
    enum exit_code code = open_places();
    if (code != EXIT_DONE) return code;
  }
  struct failure failure = no_failure();
  launch.chooses_identity = may_choose_identity();
  if (own_root && launch.chooses_identity) failure = take_sources(&launch.spec.jail, &launch.sources);
  if (failure.stage != STAGE_NONE) return refuse(failure, EXIT_NOT_PREPARED);
  failure = open_channels(&launch.spec, &launch.channels);
  if (failure.stage != STAGE_NONE) return refuse(failure, EXIT_NOT_PREPARED);
  resolve_limits(&launch.spec);

  if (!send_ready(launch.channels.runtime_ends, launch.channels.count)) return EXIT_NOT_STARTED;
  uint8_t bytes[COMMAND_BYTES];
  enum read_result result = read_before(CONTROL_DESCRIPTOR, bytes, COMMAND_BYTES, deadline);
  if (result != READ_OK) return result == READ_LATE ? EXIT_LATE : EXIT_NOT_STARTED;
  return read_command(bytes).kind == COMMAND_GO ? EXIT_DONE : EXIT_COMMAND_REFUSED;
}

/* After the guardian's death: ends whatever it left, which is this process's now, and reports in its place. */
static enum exit_code take_over(struct program_state *program) {
  bool ended = end_descendants(program, TREE_PATIENCE_MS);
  if (program->ended) {
    report_end(program, ended);
  } else if (!program->reported) {
    refuse((struct failure){.stage = STAGE_GUARDIAN_LOST, .error = 0, .detail = 0}, EXIT_GUARDIAN_LOST);
  }
  if (!ended) end_descendants(program, -1);
  return EXIT_GUARDIAN_LOST;
}

/*
 * The guardian sees the end of the lifeline as well and is left to end the tree; only when it does not (the program
 * may have stopped it) is it killed and replaced. It must not be frozen with the rest: were this process killed
 * between the freeze and the kill, nobody would be left who can act.
 */
static enum exit_code watch_guardian(pid_t guardian, int signals, struct program_state *program) {
  struct pollfd waits[2] = {
      {.fd = signals, .events = POLLIN, .revents = 0},
      {.fd = CONTROL_DESCRIPTOR, .events = POLLRDHUP, .revents = 0},
  };
  int64_t deadline = INT64_MAX;
  for (;;) {
    int status = 0;
    if (waitpid(guardian, &status, WNOHANG) == guardian) {
      if (!WIFEXITED(status)) return take_over(program);
      /* Nobody is left unless the guardian gave up on a process that cannot be killed. */
      end_descendants(program, -1);
      return (enum exit_code)WEXITSTATUS(status);
    }
    int64_t left = deadline - now_ms();
    if (left <= 0) kill(guardian, SIGKILL);
    int timeout = deadline == INT64_MAX ? -1 : left > 0 ? (int)left : GUARDIAN_PATIENCE_MS;
    if (poll(waits, 2, timeout) < 0 && errno != EINTR) kill(guardian, SIGKILL);
    bool stop = waits[0].revents != 0 && drain_signals(signals);
    if (stop) kill(guardian, SIGTERM);
    /* Looked at once: an ended socket stays ended, and would keep this loop from sleeping. */
    bool ended = waits[1].revents != 0;
    if (ended) waits[1].fd = -1;
    waits[1].revents = 0;
    if ((stop || ended) && deadline == INT64_MAX) deadline = now_ms() + GUARDIAN_PATIENCE_MS;
  }
}

static enum exit_code run(void) {
  int signals = open_signals();
  struct program_state *program =
      mmap(NULL, sizeof *program, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (signals < 0 || program == MAP_FAILED) return refuse_step(STAGE_GUARDIAN);
  pid_t self = getpid();
  pid_t guardian = fork();
  if (guardian < 0) return refuse_step(STAGE_GUARDIAN);
  if (guardian == 0) {
    close(signals);
    enum exit_code code = guard(&launch, program, self);
    _exit(code);
  }
  release_launch(&launch);
  return watch_guardian(guardian, signals, program);
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "--version") == 0) {
    static const char version[] = "warden 2\n";
    return write(STDOUT_FILENO, version, sizeof version - 1) == (ssize_t)(sizeof version - 1) ? 0 : EXIT_UNUSABLE;
  }
  if (argc != 1 || !own_signals()) return EXIT_UNUSABLE;
  if (fcntl(CONTROL_DESCRIPTOR, F_SETFD, FD_CLOEXEC) != 0 || fcntl(STATUS_DESCRIPTOR, F_SETFD, FD_CLOEXEC) != 0) {
    return EXIT_UNUSABLE;
  }
  /* The second belt to the lifeline, should another process hold a copy of the runtime's end. */
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) {
    return EXIT_UNUSABLE;
  }
  int64_t deadline = now_ms() + WARDEN_PATIENCE_MS;
  enum exit_code code = receive_spec(deadline);
  if (code == EXIT_DONE) code = prepare(deadline);
  if (code == EXIT_DONE) code = run();
  return code;
}
