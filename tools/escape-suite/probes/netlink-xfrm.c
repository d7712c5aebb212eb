/* Attempts: open netlink sockets other than NETLINK_ROUTE, which shows the jail's own interfaces only. Correct jail: EACCES. */
#include "probe.h"

int main(void) {
  const int proto[] = {6, 12, 4, 9, 15};
  for (size_t i = 0; i < 5; i++)
    if (socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, proto[i]) >= 0) allowed("netlink");
  refused("netlink");
}
