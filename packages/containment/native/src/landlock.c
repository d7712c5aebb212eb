#define _GNU_SOURCE
#include "landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"

#define RIGHT(bit) (UINT64_C(1) << (bit))
#define RIGHT_EXECUTE RIGHT(0)
#define RIGHT_WRITE_FILE RIGHT(1)
#define RIGHT_READ_FILE RIGHT(2)
#define RIGHT_READ_DIR RIGHT(3)
#define RIGHT_REMOVE_DIR RIGHT(4)
#define RIGHT_REMOVE_FILE RIGHT(5)
#define RIGHT_MAKE_DIR RIGHT(7)
#define RIGHT_MAKE_REG RIGHT(8)
#define RIGHT_MAKE_FIFO RIGHT(10)
#define RIGHT_MAKE_SYM RIGHT(12)
#define RIGHT_REFER RIGHT(13)
#define RIGHT_TRUNCATE RIGHT(14)
#define RIGHT_IOCTL_DEV RIGHT(15)
#define NETWORK_BIND_AND_CONNECT UINT64_C(3)

enum { VERSION_REFER = 2, VERSION_TRUNCATE = 3, VERSION_NETWORK = 4, VERSION_IOCTL = 5 };

/* Rights that a rule on a file may carry. */
#define RIGHTS_OF_FILES \
  (RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE | RIGHT_IOCTL_DEV)
#define RIGHTS_READ (RIGHT_READ_FILE | RIGHT_READ_DIR)
/* No sockets and no devices are made. */
#define RIGHTS_WRITE                                                                                          \
  (RIGHTS_READ | RIGHT_WRITE_FILE | RIGHT_REMOVE_DIR | RIGHT_REMOVE_FILE | RIGHT_MAKE_DIR | RIGHT_MAKE_REG | \
   RIGHT_MAKE_FIFO | RIGHT_MAKE_SYM | RIGHT_REFER | RIGHT_TRUNCATE)
#define RIGHTS_DEVICE (RIGHT_READ_FILE | RIGHT_WRITE_FILE | RIGHT_IOCTL_DEV)
#define RIGHTS_TERMINALS (RIGHTS_DEVICE | RIGHT_READ_DIR)

/* What every jail has, whatever it was granted. */
static const struct {
  const char *path;
  uint64_t rights;
} own_rules[] = {
    {"/dev/null", RIGHTS_DEVICE},   {"/dev/zero", RIGHTS_DEVICE},      {"/dev/full", RIGHTS_DEVICE},
    {"/dev/tty", RIGHTS_DEVICE},    {"/dev/random", RIGHT_READ_FILE},  {"/dev/urandom", RIGHT_READ_FILE},
    {"/dev/pts", RIGHTS_TERMINALS}, {"/dev/shm", RIGHTS_WRITE},        {"/proc", RIGHTS_READ},
    {"/tmp", RIGHTS_WRITE},         {"/etc/passwd", RIGHT_READ_FILE},  {"/etc/group", RIGHT_READ_FILE},
    {"/etc/hosts", RIGHT_READ_FILE}, {"/etc/hostname", RIGHT_READ_FILE}, {"/etc/resolv.conf", RIGHT_READ_FILE},
    {"/etc/nsswitch.conf", RIGHT_READ_FILE},
};

static struct failure failed(size_t rule) {
  return (struct failure){.stage = STAGE_LANDLOCK, .error = errno, .detail = (uint32_t)rule};
}

int landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, KERNEL_LANDLOCK_VERSION);
  return version < 0 ? 0 : (int)version;
}

/* Each version's rights; a bit that the kernel does not know would make it refuse the whole set. */
static uint64_t handled_rights(int version) {
  uint64_t rights = RIGHT_REFER - 1;
  if (version >= VERSION_REFER) rights |= RIGHT_REFER;
  if (version >= VERSION_TRUNCATE) rights |= RIGHT_TRUNCATE;
  if (version >= VERSION_IOCTL) rights |= RIGHT_IOCTL_DEV;
  return rights;
}

static bool add_rule(int ruleset, const char *path, uint64_t rights, uint64_t handled) {
  struct kernel_landlock_path_rule rule = {.allowed = rights & handled, .parent = -1};
  /* A link is not followed: its target has a rule of its own, or none. */
  rule.parent = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
  if (rule.parent < 0) return false;
  struct stat found;
  bool added = fstat(rule.parent, &found) == 0;
  /* A right that only directories have is refused on anything else. */
  if (added && !S_ISDIR(found.st_mode)) rule.allowed &= RIGHTS_OF_FILES;
  added = added && syscall(SYS_landlock_add_rule, ruleset, KERNEL_LANDLOCK_RULE_PATH, &rule, 0u) == 0;
  int error = errno;
  close(rule.parent);
  errno = error;
  return added;
}

static uint64_t rights_of(enum jail_access access) {
  switch (access) {
    case JAIL_READ:
      return RIGHTS_READ;
    case JAIL_WRITE:
      return RIGHTS_WRITE;
    case JAIL_EXECUTE:
      return RIGHTS_READ | RIGHT_EXECUTE;
    case JAIL_EMPTY:
      break;
  }
  return RIGHT_READ_DIR;
}

static bool is_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP;
}

struct failure open_ruleset(const struct jail_spec *jail, int *ruleset) {
  int version = landlock_version();
  if (version == 0) {
    if (errno == 0) errno = ENOSYS;
    return failed(0);
  }
  struct kernel_landlock_ruleset handled = {
      .handled_fs = handled_rights(version),
      .handled_net = version >= VERSION_NETWORK && !jail->loopback ? NETWORK_BIND_AND_CONNECT : 0,
  };
  size_t size = version >= VERSION_NETWORK ? sizeof handled : sizeof handled.handled_fs;
  int set = (int)syscall(SYS_landlock_create_ruleset, &handled, size, 0u);
  if (set < 0) return failed(0);
  for (size_t i = 0; i < sizeof own_rules / sizeof own_rules[0]; i += 1) {
    if (!add_rule(set, own_rules[i].path, own_rules[i].rights, handled.handled_fs) && !is_absent(errno)) {
      return failed(0);
    }
  }
  for (size_t i = 0; i < jail->rule_count; i += 1) {
    const struct jail_entry *entry = &jail->rules[i];
    if (add_rule(set, entry->path, rights_of(entry->access), handled.handled_fs)) continue;
    if (!entry->required && is_absent(errno)) continue;
    return failed(i + 1);
  }
  *ruleset = set;
  return no_failure();
}

struct failure enter_ruleset(int ruleset) {
  if (syscall(SYS_landlock_restrict_self, ruleset, 0u) != 0) return failed(0);
  return no_failure();
}
