#define _GNU_SOURCE
#include "identity.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel.h"
#include "numbers.h"

enum { PROC_PATH_BYTES = 64, MAP_BYTES = 64 };

bool may_choose_identity(void) {
  return geteuid() == 0;
}

static void proc_path(char *path, pid_t process, const char *leaf) {
  memcpy(path, "/proc/", 6);
  size_t digits = write_number(path + 6, (uint64_t)process);
  strcpy(path + 6 + digits, leaf);
}

static bool write_file(pid_t process, const char *leaf, const char *text) {
  char path[PROC_PATH_BYTES];
  proc_path(path, process, leaf);
  int file = open(path, O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  size_t length = strlen(text);
  bool written = write(file, text, length) == (ssize_t)length;
  int error = errno;
  close(file);
  errno = error;
  return written;
}

/* "<inside> <outside> 1" */
static bool write_map(pid_t process, const char *leaf, uint32_t inside, uint32_t outside) {
  char text[MAP_BYTES];
  size_t length = write_number(text, inside);
  text[length] = ' ';
  length += 1;
  length += write_number(text + length, outside);
  memcpy(text + length, " 1", sizeof " 1");
  return write_file(process, leaf, text);
}

struct failure map_identity(pid_t child, const struct jail_spec *jail) {
  struct failure failure = {.stage = STAGE_ID_MAPS, .error = 0, .detail = 0};
  /* An ordinary user may map a group only after the child gave up changing its groups. */
  bool mapped = (may_choose_identity() || write_file(child, "/setgroups", "deny")) &&
                write_map(child, "/gid_map", jail->inside_gid, jail->host_gid) &&
                write_map(child, "/uid_map", jail->inside_uid, jail->host_uid);
  if (mapped) return no_failure();
  failure.error = errno;
  return failure;
}

struct failure become_identity(const struct jail_spec *jail, bool chosen) {
  struct failure failure = {.stage = STAGE_IDENTITY, .error = 0, .detail = 0};
  if (chosen && (setgroups(0, NULL) != 0 || getgroups(0, NULL) != 0)) {
    failure.error = errno;
    return failure;
  }
  uid_t user = jail->inside_uid;
  gid_t group = jail->inside_gid;
  if (setresgid(group, group, group) != 0 || setresuid(user, user, user) != 0) {
    failure.error = errno;
    return failure;
  }
  uid_t users[3];
  gid_t groups[3];
  bool held = getresuid(&users[0], &users[1], &users[2]) == 0 && getresgid(&groups[0], &groups[1], &groups[2]) == 0;
  for (size_t i = 0; i < 3; i += 1) held = held && users[i] == user && groups[i] == group;
  if (held) return no_failure();
  failure.error = EPERM;
  return failure;
}

int open_owner_namespace(const struct jail_spec *jail) {
  pid_t child = (pid_t)syscall(SYS_clone, (unsigned long)(KERNEL_NEW_USER | (unsigned)SIGCHLD), 0, 0, 0, 0);
  if (child < 0) return -1;
  if (child == 0) {
    /* Killed as soon as its namespace was opened. */
    for (;;) pause();
  }
  int opened = -1;
  if (write_map(child, "/gid_map", 0, jail->host_gid) && write_map(child, "/uid_map", 0, jail->host_uid)) {
    char path[PROC_PATH_BYTES];
    proc_path(path, child, "/ns/user");
    opened = open(path, O_RDONLY | O_CLOEXEC);
  }
  int error = errno;
  kill(child, SIGKILL);
  while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
  errno = error;
  return opened;
}
