/* Attempts: create a POSIX message queue. Correct jail: refused by RLIMIT_MSGQUEUE 0 (EMFILE, ENOMEM) or EACCES. */
#include "probe.h"

#include <mqueue.h>
int main(void) {
  struct mq_attr a = {.mq_maxmsg = 10, .mq_msgsize = 8192};
  if (syscall(SYS_mq_open, "murmur-probe", O_CREAT | O_RDWR, 0600, &a) < 0) refused("mq_open");
  syscall(SYS_mq_unlink, "murmur-probe");
  allowed("message queue");
}
