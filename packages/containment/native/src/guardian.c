#define _GNU_SOURCE
#include "guardian.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "control.h"
#include "jail.h"
#include "link.h"
#include "watch.h"

/* What the loop learnt in one turn. */
enum happening { NOTHING, EXECUTED, NOT_EXECUTED, STOP, LIFELINE_ENDED, PROGRAM_ENDED };

struct guardian {
  int signals;
  /* The child's report of a failed step; -1 once it is closed. */
  int report;
  /* To the jail's first process; -1 without a jail. */
  int link;
  /* The program's own process, as it is known here. */
  pid_t born;
  struct program_state *program;
  uint8_t command[COMMAND_BYTES];
  size_t command_length;
  struct failure failure;
};

void report_end(struct program_state *program, bool tree_ended) {
  if (program->reported) return;
  send_exited(program->status, LAYERS_ADVISORY | program->layers | (tree_ended ? (uint32_t)LAYER_TREE_ENDED : 0u));
  /* Marked afterwards: killed between the two, the report comes twice, which does no harm; never would. */
  program->reported = 1;
}

static enum exit_code fail(struct program_state *program, struct failure failure, enum exit_code code) {
  end_descendants(program, TREE_PATIENCE_MS);
  send_failed(failure);
  program->reported = 1;
  return code;
}

static enum exit_code prepare_failed(struct program_state *program, enum stage stage) {
  struct failure failure = {.stage = stage, .error = errno, .detail = 0};
  return fail(program, failure, EXIT_NOT_PREPARED);
}

static enum happening obey(struct guardian *guardian) {
  struct command command = read_command(guardian->command);
  if (command.kind == COMMAND_SIGNAL) {
    /* The number cannot mean another process: it is free for reuse only after reap() saw the program's end. */
    if (guardian->link >= 0) {
      send_link(guardian->link, LINK_SIGNAL, (uint32_t)command.signal);
    } else if (!guardian->program->ended) {
      kill(guardian->program->pid, command.signal);
    }
    return NOTHING;
  }
  /* `kill`, and everything that is not a command: a runtime that cannot be understood is not waited for. */
  return STOP;
}

static enum happening read_commands(struct guardian *guardian) {
  for (;;) {
    ssize_t got = recv(CONTROL_DESCRIPTOR, guardian->command + guardian->command_length,
                       COMMAND_BYTES - guardian->command_length, MSG_DONTWAIT);
    if (got == 0) return LIFELINE_ENDED;
    if (got < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN ? NOTHING : LIFELINE_ENDED;
    }
    guardian->command_length += (size_t)got;
    if (guardian->command_length < COMMAND_BYTES) continue;
    guardian->command_length = 0;
    enum happening happening = obey(guardian);
    if (happening != NOTHING) return happening;
  }
}

/* What the jail's first process and the program's said. That the link ended is learnt from the end of the former. */
static void read_link(struct guardian *guardian) {
  bool ended = guardian->link < 0;
  while (!ended) {
    pid_t sender = 0;
    struct link_message message = receive_link(guardian->link, &sender, &ended);
    if (message.kind == LINK_NONE) return;
    if (message.kind == LINK_BORN) guardian->born = sender;
    if (message.kind == LINK_ENDED) {
      guardian->program->status = (int)message.value;
      guardian->program->status_known = 1;
    }
  }
}

/* The exec closed the child's end, or a failed step wrote to it. */
static enum happening read_report(struct guardian *guardian) {
  ssize_t got = read(guardian->report, &guardian->failure, sizeof guardian->failure);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return NOTHING;
  close(guardian->report);
  guardian->report = -1;
  if (got == (ssize_t)sizeof guardian->failure) return NOT_EXECUTED;
  read_link(guardian);
  if (guardian->born != 0) return EXECUTED;
  /* The jail's first process was killed while it was building. */
  guardian->failure = (struct failure){.stage = STAGE_INIT, .error = 0, .detail = 3};
  return NOT_EXECUTED;
}

static enum happening wait_turn(struct guardian *guardian) {
  struct pollfd waits[3] = {
      {.fd = guardian->report, .events = POLLIN, .revents = 0},
      {.fd = guardian->signals, .events = POLLIN, .revents = 0},
      {.fd = CONTROL_DESCRIPTOR, .events = POLLIN | POLLRDHUP, .revents = 0},
  };
  if (poll(waits, 3, -1) < 0) return errno == EINTR ? NOTHING : STOP;
  /* The report comes first, so that a program that ended at once was started before. */
  if (waits[0].revents != 0) return read_report(guardian);
  if (waits[1].revents != 0) {
    if (drain_signals(guardian->signals)) return STOP;
    /* Before the reaping: what was said came before the end. */
    read_link(guardian);
    reap(guardian->program);
    if (guardian->program->ended) return PROGRAM_ENDED;
  }
  if (waits[2].revents != 0) return read_commands(guardian);
  return NOTHING;
}

static enum exit_code finish(struct guardian *guardian, enum exit_code code) {
  bool ended = end_descendants(guardian->program, TREE_PATIENCE_MS);
  report_end(guardian->program, ended);
  return ended ? code : EXIT_SURVIVORS;
}

static enum exit_code supervise(struct guardian *guardian) {
  for (;;) {
    switch (wait_turn(guardian)) {
      case NOTHING:
        break;
      case EXECUTED:
        send_started(guardian->born);
        break;
      case NOT_EXECUTED:
        return fail(guardian->program, guardian->failure, EXIT_NOT_EXECUTED);
      case PROGRAM_ENDED:
        return finish(guardian, EXIT_DONE);
      case STOP:
        return finish(guardian, EXIT_DONE);
      case LIFELINE_ENDED:
        end_descendants(guardian->program, -1);
        return EXIT_TREE_ENDED;
    }
  }
}

static struct failure start_program(struct launch *launch, int report, struct guardian *guardian) {
  if (launch->spec.jail.class != JAIL_NONE) {
    guardian->program->in_jail = 1;
    guardian->program->layers = jail_layers(&launch->spec.jail);
    struct jail_start start;
    struct failure failure = start_jail(launch, report, &start);
    if (start.init > 0) guardian->program->pid = start.init;
    guardian->link = start.link;
    return failure;
  }
  pid_t self = getpid();
  pid_t child = fork();
  if (child == 0) become_program(launch, self, report);
  if (child < 0) return (struct failure){.stage = STAGE_FORK, .error = errno, .detail = 0};
  guardian->program->pid = child;
  guardian->born = child;
  return no_failure();
}

enum exit_code guard(struct launch *launch, struct program_state *program, pid_t outer) {
  prctl(PR_SET_NAME, "warden-guard", 0, 0, 0);
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0) != 0) {
    return prepare_failed(program, STAGE_GUARDIAN);
  }
  if (getppid() != outer) return EXIT_NOT_STARTED;
  struct guardian guardian = {.signals = open_signals(), .report = -1, .link = -1, .program = program};
  int report[2];
  if (guardian.signals < 0 || pipe2(report, O_CLOEXEC | O_NONBLOCK) != 0) {
    return prepare_failed(program, STAGE_GUARDIAN);
  }
  struct failure failure = start_program(launch, report[1], &guardian);
  if (failure.stage != STAGE_NONE) return fail(program, failure, EXIT_NOT_PREPARED);
  guardian.report = report[0];
  close(report[1]);
  release_launch(launch);
  return supervise(&guardian);
}
