#define _GNU_SOURCE
#include "root.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "accounts.h"
#include "devices.h"
#include "kernel.h"
#include "mount_api.h"
#include "process_listing.h"

enum { ROOT_BYTES = 4 * 1024 * 1024, EMPTY_BYTES = 64 * 1024, MOST_EMPTY = 8 };

static struct failure failed(enum stage stage, size_t detail) {
  return (struct failure){.stage = stage, .error = errno, .detail = (uint32_t)detail};
}

/* Where the new root lies until it is the root; each exists on some host, and nothing of it is needed any more. */
static const char *const places[] = {"/tmp", "/run", "/var/tmp", "/mnt", "/proc"};

static int start_root(const struct jail_spec *jail, const struct sources *sources) {
  uint64_t attributes = KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV;
  int root = jail->class == JAIL_SEALED ? new_tmpfs(ROOT_BYTES, "0755", attributes) : sources->view;
  for (size_t i = 0; root >= 0 && i < sizeof places / sizeof places[0]; i += 1) {
    int place = open_path(AT_FDCWD, places[i]);
    if (place < 0) continue;
    bool attached = attach_tree(root, place);
    int error = errno;
    close(place);
    errno = error;
    return attached ? root : -1;
  }
  return -1;
}

static bool attach_at(int root, const char *path, int tree, bool directory) {
  int target = make_target(root, path, directory);
  if (target < 0) return false;
  bool attached = attach_tree(tree, target);
  int error = errno;
  close(target);
  errno = error;
  return attached;
}

/* /bin is a link on most systems. A link that the view has already is left as it is. */
static bool make_link(int root, const char *path, int link) {
  char text[SPEC_MAX_PATH_BYTES];
  ssize_t length = readlinkat(link, "", text, sizeof text - 1);
  if (length < 0) return false;
  text[length] = '\0';
  while (*path == '/') path += 1;
  char parent[SPEC_MAX_PATH_BYTES];
  size_t cut = 0;
  for (size_t i = 0; path[i] != '\0'; i += 1) {
    parent[i] = path[i];
    if (path[i] == '/') cut = i;
  }
  parent[cut] = '\0';
  int directory = make_target(root, parent, true);
  if (directory < 0) return false;
  bool made = symlinkat(text, directory, path + (cut == 0 ? 0 : cut + 1)) == 0 || errno == EEXIST || errno == EROFS;
  int error = errno;
  close(directory);
  errno = error;
  return made;
}

/* An empty directory is filled with what later mounts need for a place, so it is closed to writing at the end. */
static bool make_empty(int root, const char *path, int *kept) {
  *kept = new_tmpfs(EMPTY_BYTES, "0755", KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV | KERNEL_ATTR_NOEXEC);
  return *kept >= 0 && attach_at(root, path, *kept, true);
}

static bool place_mount(int root, const struct jail_entry *entry, const struct sources *sources, size_t which) {
  switch ((enum source_kind)sources->kinds[which]) {
    case SOURCE_ABSENT:
      return true;
    case SOURCE_LINK:
      return make_link(root, entry->path, sources->trees[which]);
    case SOURCE_FILE:
    case SOURCE_DIRECTORY:
      break;
  }
  bool directory = sources->kinds[which] == SOURCE_DIRECTORY;
  return attach_at(root, entry->path, sources->trees[which], directory);
}

static struct failure place_mounts(int root, const struct jail_spec *jail, const struct sources *sources) {
  int empty[MOST_EMPTY];
  size_t empties = 0;
  for (size_t i = 0; i < jail->mount_count; i += 1) {
    const struct jail_entry *entry = &jail->mounts[i];
    if (entry->access == JAIL_EMPTY) {
      if (empties == MOST_EMPTY) errno = E2BIG;
      if (empties == MOST_EMPTY || !make_empty(root, entry->path, &empty[empties])) return failed(STAGE_MOUNTS, i);
      empties += 1;
    } else if (!place_mount(root, entry, sources, i)) {
      return failed(STAGE_MOUNTS, i);
    }
  }
  for (size_t i = 0; i < empties; i += 1) {
    if (!restrict_mount(empty[i], KERNEL_ATTR_RDONLY)) return failed(STAGE_MOUNTS, i);
    close(empty[i]);
  }
  return no_failure();
}

static bool place_tmp(int root, const struct jail_spec *jail) {
  int tmp = new_tmpfs(jail->tmp_bytes, "1777", KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV | KERNEL_ATTR_NOEXEC);
  if (tmp < 0) return false;
  bool attached = attach_at(root, "/tmp", tmp, true);
  int error = errno;
  close(tmp);
  errno = error;
  return attached;
}

/* The old root ends up on top of the new one and is let go: no directory is needed to keep it in between. */
static bool move_into(int root) {
  if (fchdir(root) != 0 || syscall(SYS_pivot_root, ".", ".") != 0) return false;
  return umount2(".", MNT_DETACH) == 0 && chdir("/") == 0;
}

struct failure compose_root(const struct jail_spec *jail, struct sources *sources) {
  /* Nothing that is mounted from now on appears on the host, nor the other way round. */
  if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return failed(STAGE_ROOT, 1);
  if (!sources->taken) {
    struct failure failure = take_sources(jail, sources);
    if (failure.stage != STAGE_NONE) return failure;
  }
  int root = start_root(jail, sources);
  if (root < 0) return failed(STAGE_ROOT, 2);
  int devices = -1;
  struct failure failure = place_devices(root, jail->shm_bytes, sources, &devices);
  if (failure.stage != STAGE_NONE) return failure;
  if (!place_tmp(root, jail)) return failed(STAGE_TMP, 0);
  failure = place_mounts(root, jail, sources);
  if (failure.stage != STAGE_NONE) return failure;
  failure = place_accounts(root, devices, jail);
  if (failure.stage != STAGE_NONE) return failure;
  failure = place_process_listing(root, devices);
  if (failure.stage != STAGE_NONE) return failure;
  if (!close_devices(devices)) return failed(STAGE_DEVICES, DEVICES);
  if (!restrict_mount(root, KERNEL_ATTR_RDONLY)) return failed(STAGE_ROOT, 3);
  if (!move_into(root)) return failed(STAGE_PIVOT, 0);
  close(root);
  if (root == sources->view) sources->view = -1;
  release_sources(sources);
  return no_failure();
}
