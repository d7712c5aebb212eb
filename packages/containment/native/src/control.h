/*
 * The control socket: descriptor 3. In come the launch specification and then commands; nothing goes out. Its end
 * is the lifeline: the kernel closes the runtime's side when the runtime dies, whatever it died of.
 */
#ifndef WARDEN_CONTROL_H
#define WARDEN_CONTROL_H

#include <stddef.h>
#include <stdint.h>

enum { CONTROL_DESCRIPTOR = 3, COMMAND_BYTES = 8 };

enum read_result { READ_OK, READ_ENDED, READ_LATE };

/* Milliseconds of the monotonic clock. */
int64_t now_ms(void);

/* Reads exactly `length` bytes before the moment `deadline_ms`; never waits past it. */
enum read_result read_before(int control, uint8_t *bytes, size_t length, int64_t deadline_ms);

enum command_kind {
  COMMAND_INVALID = 0,
  COMMAND_GO = 1,
  COMMAND_SIGNAL = 2,
  COMMAND_KILL = 3,
};

struct command {
  enum command_kind kind;
  int signal;
};

/* Decodes one command; anything but the exact form is COMMAND_INVALID. */
struct command read_command(const uint8_t *bytes);

#endif
