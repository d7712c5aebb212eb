/* Attempts: attach System V shared memory of the host (argv 1: its key). Correct jail: ENOENT. */
#include "probe.h"

#include <sys/shm.h>
int main(int argc, char **argv) {
  if (argc < 2) inconclusive("needs a key");
  /* For the launcher: a segment to look for. */
  if (argc > 2) return shmget((key_t)strtol(argv[1], NULL, 0), 4096, IPC_CREAT | 0600) < 0;
  if (shmget((key_t)strtol(argv[1], NULL, 0), 0, 0) >= 0) allowed("shared memory of the host");
  refused("shared memory");
}
