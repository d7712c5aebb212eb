#define _GNU_SOURCE
#include "control.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>

int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

enum read_result read_before(int control, uint8_t *bytes, size_t length, int64_t deadline_ms) {
  size_t have = 0;
  while (have < length) {
    int64_t left = deadline_ms - now_ms();
    if (left <= 0) return READ_LATE;
    struct pollfd wait = {.fd = control, .events = POLLIN, .revents = 0};
    int ready = poll(&wait, 1, left > 1000 ? 1000 : (int)left);
    if (ready < 0 && errno != EINTR) return READ_ENDED;
    if (ready <= 0) continue;
    ssize_t got = recv(control, bytes + have, length - have, MSG_DONTWAIT);
    if (got == 0) return READ_ENDED;
    if (got < 0) {
      if (errno == EAGAIN || errno == EINTR) continue;
      return READ_ENDED;
    }
    have += (size_t)got;
  }
  return READ_OK;
}

struct command read_command(const uint8_t *bytes) {
  struct command command = {.kind = COMMAND_INVALID, .signal = 0};
  uint16_t argument = (uint16_t)(bytes[2] | (uint16_t)(bytes[3] << 8));
  if (bytes[0] != 'C' || (bytes[4] | bytes[5] | bytes[6] | bytes[7]) != 0) return command;
  switch (bytes[1]) {
    case COMMAND_GO:
    case COMMAND_KILL:
      if (argument == 0) command.kind = (enum command_kind)bytes[1];
      return command;
    case COMMAND_SIGNAL:
      if (argument == 0 || argument > 64) return command;
      command.kind = COMMAND_SIGNAL;
      command.signal = argument;
      return command;
    default:
      return command;
  }
}
