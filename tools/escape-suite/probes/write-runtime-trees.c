/* Attempts: create a file in /, /usr, /etc, /dev, /proc, /lib. Correct jail: EACCES, EROFS or ENOENT. */
#include "probe.h"

int main(void) {
  const char *path[] = {"/murmur-probe", "/usr/murmur-probe", "/usr/bin/murmur-probe", "/etc/murmur-probe", "/dev/murmur-probe", "/proc/murmur-probe", "/lib/murmur-probe", "/var/murmur-probe", "/root/murmur-probe", "/home/murmur-probe", "/run/murmur-probe", "/var/tmp/murmur-probe", "/opt/murmur-probe"};
  for (size_t i = 0; i < sizeof path / sizeof *path; i++)
    if (open(path[i], O_CREAT | O_WRONLY | O_CLOEXEC, 0644) >= 0) {
      unlink(path[i]);
      allowed(path[i]);
    }
  refused("runtime trees");
}
