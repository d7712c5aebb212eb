/*
 * The socket between the guardian and the first process of a jail. Its end tells either side that the other is
 * gone. Credentials travel with every message, because only the kernel can tell the guardian under which number it
 * knows a process that lives in another process namespace.
 */
#ifndef WARDEN_LINK_H
#define WARDEN_LINK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum link_kind {
  LINK_NONE = 0,
  /* To the jail: the ids are mapped, go on. */
  LINK_MAPPED = 1,
  /* To the jail: send this signal to the program. */
  LINK_SIGNAL = 2,
  /* From the program's process, before it is executed; the value says which layers hold. */
  LINK_BORN = 3,
  /* From the jail: the program ended with this status. */
  LINK_ENDED = 4,
};

struct link_message {
  uint32_t kind;
  uint32_t value;
};

/* Makes a pair: 0 for the guardian, 1 for the jail. */
bool open_link(int ends[2]);

bool send_link(int link, enum link_kind kind, uint32_t value);

/*
 * Takes one message without waiting; `sender` (when not NULL) is its sender's process number as the caller knows
 * it. LINK_NONE when there is none; `ended` is set when there will be no more.
 */
struct link_message receive_link(int link, pid_t *sender, bool *ended);

/* Waits for one message of this kind; false when another came, the link ended or `patience_ms` passed. */
bool await_link(int link, enum link_kind kind, int patience_ms);

#endif
