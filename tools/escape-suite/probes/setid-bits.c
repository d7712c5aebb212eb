/* Attempts: make a file with a set-user-id or set-group-id bit, by mode, by creation and by node. Correct jail: EPERM. */
#include "probe.h"

int main(void) {
  int fd = open("setid", O_CREAT | O_RDWR | O_CLOEXEC, 0755);
  if (fd < 0) inconclusive("open");
  if (fchmod(fd, 04755) == 0) allowed("fchmod");
  if (chmod("setid", 02755) == 0) allowed("chmod");
  if (fchmodat(AT_FDCWD, "setid", 06755, 0) == 0) allowed("fchmodat");
  if (open("setid2", O_CREAT | O_WRONLY | O_CLOEXEC, 04755) >= 0) allowed("open");
  if (mknod("setid3", S_IFREG | 04755, 0) == 0) allowed("mknod");
  struct { uint64_t flags, mode, resolve; } how = {O_CREAT | O_WRONLY, 04755, 0};
  if (syscall(437, AT_FDCWD, "setid4", &how, sizeof how) >= 0) allowed("openat2");
  refused("set-id bits");
}
