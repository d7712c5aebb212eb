#define _GNU_SOURCE
#include "sources.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "identity.h"
#include "kernel.h"
#include "mount_api.h"

const char *const device_names[DEVICES] = {"null", "zero", "full", "random", "urandom", "tty"};

static const struct {
  const char *path;
  unsigned major;
  unsigned minor;
} device_sources[DEVICES] = {
    {"/dev/null", 1, 3},   {"/dev/zero", 1, 5},    {"/dev/full", 1, 7},
    {"/dev/random", 1, 8}, {"/dev/urandom", 1, 9}, {"/dev/tty", 5, 0},
};

static struct failure failed(enum stage stage, size_t detail) {
  return (struct failure){.stage = stage, .error = errno, .detail = (uint32_t)detail};
}

static int closing(int descriptor, int result) {
  int error = errno;
  close(descriptor);
  errno = error;
  return result;
}

static int take_tree(int source, uint64_t attributes) {
  int tree = copy_tree(source);
  if (tree < 0 || restrict_tree(tree, attributes)) return tree;
  return closing(tree, -1);
}

/* The number is checked, lest a file that only has a device's name is trusted as one. */
static int take_device(size_t which) {
  int source = open_path(AT_FDCWD, device_sources[which].path);
  if (source < 0) return -1;
  struct stat found;
  dev_t wanted = makedev(device_sources[which].major, device_sources[which].minor);
  if (fstat(source, &found) != 0) return closing(source, -1);
  if (!S_ISCHR(found.st_mode) || found.st_rdev != wanted) {
    errno = ENODEV;
    return closing(source, -1);
  }
  return closing(source, take_tree(source, KERNEL_ATTR_NOSUID | KERNEL_ATTR_NOEXEC));
}

static uint64_t attributes_of(uint8_t access) {
  uint64_t attributes = KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV;
  if (access != JAIL_WRITE) attributes |= KERNEL_ATTR_RDONLY;
  if (access != JAIL_EXECUTE) attributes |= KERNEL_ATTR_NOEXEC;
  return attributes;
}

/* Shows what the superuser owns as the jail's user's own. */
static bool map_owner(int tree, const struct jail_spec *jail) {
  int owner = open_owner_namespace(jail);
  if (owner < 0) return false;
  struct kernel_mount_attr attr = {
      .set = KERNEL_ATTR_IDMAP, .clear = 0, .propagation = 0, .user_namespace = (uint64_t)owner};
  bool done = syscall(SYS_mount_setattr, tree, "", KERNEL_AT_EMPTY_PATH, &attr, sizeof attr) == 0;
  int error = errno;
  close(owner);
  errno = error;
  return done;
}

static bool is_absent(int error) {
  return error == ENOENT || error == ENOTDIR || error == ELOOP || error == EACCES;
}

static bool take_mount(const struct jail_spec *jail, const struct jail_entry *entry, int *tree, uint8_t *kind) {
  int source = open_path(AT_FDCWD, entry->path);
  if (source < 0) return !entry->required && is_absent(errno);
  struct stat found;
  if (fstat(source, &found) != 0) return closing(source, -1) == 0;
  if (S_ISLNK(found.st_mode)) {
    /* A link that was granted would stand for whatever it points to at this moment. */
    errno = ELOOP;
    if (entry->required) return closing(source, -1) == 0;
    *tree = source;
    *kind = SOURCE_LINK;
    return true;
  }
  *kind = S_ISDIR(found.st_mode) ? SOURCE_DIRECTORY : SOURCE_FILE;
  *tree = closing(source, take_tree(source, attributes_of(entry->access)));
  if (*tree < 0) return false;
  bool foreign = entry->required && found.st_uid == 0 && may_choose_identity();
  /* Without it a writable tree could not be written; a readable one is what its mode says. */
  return !foreign || map_owner(*tree, jail) || entry->access != JAIL_WRITE;
}

struct failure take_sources(const struct jail_spec *jail, struct sources *sources) {
  sources->view = -1;
  for (size_t i = 0; i < DEVICES; i += 1) sources->devices[i] = -1;
  for (size_t i = 0; i < SPEC_MAX_MOUNTS; i += 1) sources->trees[i] = -1;
  sources->taken = true;
  for (size_t i = 0; i < jail->mount_count; i += 1) {
    const struct jail_entry *entry = &jail->mounts[i];
    sources->kinds[i] = SOURCE_ABSENT;
    if (entry->access == JAIL_EMPTY) continue;
    if (!take_mount(jail, entry, &sources->trees[i], &sources->kinds[i])) return failed(STAGE_SOURCES, i);
  }
  for (size_t i = 0; i < DEVICES; i += 1) {
    sources->devices[i] = take_device(i);
    if (sources->devices[i] < 0) return failed(STAGE_DEVICES, i);
  }
  if (jail->class == JAIL_SCOPED) {
    int root = open_path(AT_FDCWD, "/");
    if (root < 0) return failed(STAGE_ROOT, 0);
    uint64_t attributes = KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV;
    sources->view = closing(root, take_tree(root, attributes));
    if (sources->view < 0) return failed(STAGE_ROOT, 0);
  }
  return no_failure();
}

void release_sources(struct sources *sources) {
  if (!sources->taken) return;
  if (sources->view >= 0) close(sources->view);
  for (size_t i = 0; i < DEVICES; i += 1) {
    if (sources->devices[i] >= 0) close(sources->devices[i]);
  }
  for (size_t i = 0; i < SPEC_MAX_MOUNTS; i += 1) {
    if (sources->trees[i] >= 0) close(sources->trees[i]);
  }
  sources->taken = false;
}
