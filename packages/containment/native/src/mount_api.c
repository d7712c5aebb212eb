#define _GNU_SOURCE
#include "mount_api.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"
#include "numbers.h"
#include "spec.h"

static int open_link_free(int root, const char *path, uint64_t flags, uint64_t resolve) {
  struct kernel_open_how how = {
      .flags = O_PATH | O_NOFOLLOW | O_CLOEXEC | flags,
      .mode = 0,
      .resolve = KERNEL_RESOLVE_NO_SYMLINKS | KERNEL_RESOLVE_NO_MAGICLINKS | resolve,
  };
  return (int)syscall(SYS_openat2, root, path, &how, sizeof how);
}

int open_path(int root, const char *path) {
  if (root == AT_FDCWD) return open_link_free(root, path, 0, 0);
  while (*path == '/') path += 1;
  return open_link_free(root, *path == '\0' ? "." : path, 0, KERNEL_RESOLVE_BENEATH);
}

int copy_tree(int descriptor) {
  unsigned flags = KERNEL_OPEN_TREE_CLONE | KERNEL_AT_EMPTY_PATH | KERNEL_AT_RECURSIVE | O_CLOEXEC;
  return (int)syscall(SYS_open_tree, descriptor, "", flags);
}

static bool set_attributes(int mount, uint64_t attributes, uint64_t propagation, unsigned recursive) {
  struct kernel_mount_attr attr = {
      .set = attributes, .clear = 0, .propagation = propagation, .user_namespace = 0};
  return syscall(SYS_mount_setattr, mount, "", KERNEL_AT_EMPTY_PATH | recursive, &attr, sizeof attr) == 0;
}

bool restrict_mount(int mount, uint64_t attributes) {
  return set_attributes(mount, attributes, 0, 0);
}

bool restrict_tree(int tree, uint64_t attributes) {
  return set_attributes(tree, attributes, MS_PRIVATE, KERNEL_AT_RECURSIVE);
}

bool attach_tree(int tree, int target) {
  return syscall(SYS_move_mount, tree, "", target, "", KERNEL_MOVE_FROM_EMPTY_PATH | KERNEL_MOVE_TO_EMPTY_PATH) == 0;
}

int new_file_system(const char *type, const char *const *options, uint64_t attributes) {
  int context = (int)syscall(SYS_fsopen, type, KERNEL_FSOPEN_CLOEXEC);
  if (context < 0) return -1;
  bool done = true;
  for (; done && *options != NULL; options += 2) {
    unsigned command = options[1] == NULL ? KERNEL_FSCONFIG_SET_FLAG : KERNEL_FSCONFIG_SET_STRING;
    done = syscall(SYS_fsconfig, context, command, options[0], options[1], 0) == 0;
  }
  done = done && syscall(SYS_fsconfig, context, KERNEL_FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0;
  int mount = done ? (int)syscall(SYS_fsmount, context, KERNEL_FSMOUNT_CLOEXEC, (unsigned)attributes) : -1;
  int error = errno;
  close(context);
  errno = error;
  return mount;
}

int new_tmpfs(uint64_t bytes, const char *mode, uint64_t attributes) {
  char size[NUMBER_BYTES];
  write_number(size, bytes);
  const char *options[] = {"size", size, "mode", mode, NULL};
  return new_file_system("tmpfs", options, attributes);
}

/* One segment further; `parent` is closed unless it is the root that the walk began with. */
static int step(int root, int parent, const char *name, bool directory) {
  if (directory) {
    if (mkdirat(parent, name, 0755) != 0 && errno != EEXIST && errno != EROFS && errno != EACCES) return -1;
  } else {
    int file = openat(parent, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
    if (file >= 0) close(file);
    if (file < 0 && errno != EEXIST && errno != EROFS && errno != EACCES) return -1;
  }
  (void)root;
  return open_link_free(parent, name, directory ? O_DIRECTORY : 0, KERNEL_RESOLVE_BENEATH);
}

int make_target(int root, const char *path, bool directory) {
  char name[SPEC_MAX_PATH_BYTES];
  int at = root;
  while (*path == '/') path += 1;
  while (*path != '\0') {
    const char *end = strchrnul(path, '/');
    size_t length = (size_t)(end - path);
    memcpy(name, path, length);
    name[length] = '\0';
    for (path = end; *path == '/';) path += 1;
    int next = step(root, at, name, *path != '\0' || directory);
    int error = errno;
    if (at != root) close(at);
    errno = error;
    if (next < 0) return -1;
    at = next;
  }
  return at == root ? open_path(root, "/") : at;
}
