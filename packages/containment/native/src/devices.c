#define _GNU_SOURCE
#include "devices.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel.h"
#include "mount_api.h"

enum { DEVICES_BYTES = 1024 * 1024 };

static const char empty_file[] = ".empty-file";
static const char empty_directory[] = ".empty-directory";
static const char small_file[] = ".small-file";

static const struct {
  const char *name;
  const char *target;
} links[] = {
    {"ptmx", "pts/ptmx"},           {"fd", "/proc/self/fd"},          {"stdin", "/proc/self/fd/0"},
    {"stdout", "/proc/self/fd/1"}, {"stderr", "/proc/self/fd/2"},
};

static struct failure failed(size_t detail) {
  return (struct failure){.stage = STAGE_DEVICES, .error = errno, .detail = (uint32_t)detail};
}

static bool attach_below(int directory, const char *name, int tree, bool is_directory) {
  if (tree < 0) return false;
  int target = make_target(directory, name, is_directory);
  bool attached = target >= 0 && attach_tree(tree, target);
  int error = errno;
  if (target >= 0) close(target);
  errno = error;
  return attached;
}

static bool make_file(int directory, const char *name, const char *text) {
  int file = openat(directory, name, O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC, 0444);
  if (file < 0) return false;
  size_t length = strlen(text);
  bool written = write(file, text, length) == (ssize_t)length;
  int error = errno;
  close(file);
  errno = error;
  return written;
}

static int copy_below(int directory, const char *name) {
  int source = open_path(directory, name);
  if (source < 0) return -1;
  int tree = copy_tree(source);
  uint64_t attributes = KERNEL_ATTR_RDONLY | KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV | KERNEL_ATTR_NOEXEC;
  if (tree >= 0 && !restrict_tree(tree, attributes)) {
    close(tree);
    tree = -1;
  }
  int error = errno;
  close(source);
  errno = error;
  return tree;
}

int copy_empty_file(int devices) {
  return copy_below(devices, empty_file);
}

int copy_empty_directory(int devices) {
  return copy_below(devices, empty_directory);
}

int make_small_file(int devices, const char *text) {
  if (!make_file(devices, small_file, text)) return -1;
  return copy_below(devices, small_file);
}

bool forget_small_file(int devices) {
  return unlinkat(devices, small_file, 0) == 0;
}

static bool place_terminals(int devices) {
  static const char *const options[] = {"newinstance", NULL, "ptmxmode", "0666", "mode", "0620", NULL};
  int terminals = new_file_system("devpts", options, KERNEL_ATTR_NOSUID | KERNEL_ATTR_NOEXEC);
  bool placed = attach_below(devices, "pts", terminals, true);
  if (terminals >= 0) close(terminals);
  return placed;
}

static bool place_shared_memory(int devices, uint64_t bytes) {
  int memory = new_tmpfs(bytes, "1777", KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV | KERNEL_ATTR_NOEXEC);
  bool placed = attach_below(devices, "shm", memory, true);
  if (memory >= 0) close(memory);
  return placed;
}

struct failure place_devices(int root, uint64_t shm_bytes, const struct sources *sources, int *devices) {
  *devices = new_tmpfs(DEVICES_BYTES, "0755", KERNEL_ATTR_NOSUID | KERNEL_ATTR_NOEXEC);
  if (!attach_below(root, "dev", *devices, true)) return failed(DEVICES + 1);
  for (size_t i = 0; i < DEVICES; i += 1) {
    if (!attach_below(*devices, device_names[i], sources->devices[i], false)) return failed(i);
  }
  if (!place_terminals(*devices)) return failed(DEVICES + 2);
  if (!place_shared_memory(*devices, shm_bytes)) return failed(DEVICES + 3);
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i += 1) {
    if (symlinkat(links[i].target, *devices, links[i].name) != 0) return failed(DEVICES + 4);
  }
  if (!make_file(*devices, empty_file, "") || mkdirat(*devices, empty_directory, 0555) != 0) {
    return failed(DEVICES + 5);
  }
  return no_failure();
}

bool close_devices(int devices) {
  bool closed = unlinkat(devices, empty_file, 0) == 0 && unlinkat(devices, empty_directory, AT_REMOVEDIR) == 0 &&
                restrict_mount(devices, KERNEL_ATTR_RDONLY);
  int error = errno;
  close(devices);
  errno = error;
  return closed;
}
