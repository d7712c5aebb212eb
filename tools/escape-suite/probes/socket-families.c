/* Attempts: every socket family from 0 to 45 with every common type. Correct jail: only AF_INET and AF_INET6 (and AF_UNIX when granted). */
#include "probe.h"

int main(void) {
  char what[64];
  for (int family = 0; family < 46; family++) {
    if (family == AF_INET || family == AF_INET6) continue;
    for (int type = 1; type <= 5; type++) {
      /* The jail's own interfaces, which the kernel lets everybody read. */
      if (family == AF_NETLINK && (type == SOCK_RAW || type == SOCK_DGRAM)) continue;
      int s = socket(family, type | SOCK_CLOEXEC, 0);
      if (s >= 0 || (errno != EPERM && errno != EACCES)) {
        snprintf(what, sizeof what, "family %d type %d reached the kernel", family, type);
        allowed(what);
      }
    }
  }
  refused("families");
}
