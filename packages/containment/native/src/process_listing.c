#define _GNU_SOURCE
#include "process_listing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "kernel.h"
#include "mount_api.h"

enum { LISTING_BYTES = 32768, KIND_DIRECTORY = 4, KIND_LINK = 10 };

static const char *const shown[] = {
    "cpuinfo", "meminfo", "stat",    "loadavg",   "uptime",     "version", "filesystems",
    "mounts",  "net",     "cgroups", "diskstats", "partitions", "swaps",   "vmstat",
    "self",    "sys",     "thread-self",
};

struct listing_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t kind;
  char name[];
};

static struct failure failed(enum stage stage, size_t detail) {
  return (struct failure){.stage = stage, .error = errno, .detail = (uint32_t)detail};
}

static bool is_shown(const char *name) {
  if (name[0] == '.' || (name[0] >= '0' && name[0] <= '9')) return true;
  for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i += 1) {
    if (strcmp(name, shown[i]) == 0) return true;
  }
  return false;
}

static int new_listing(void) {
  uint64_t attributes = KERNEL_ATTR_NOSUID | KERNEL_ATTR_NODEV | KERNEL_ATTR_NOEXEC;
  static const char *const named[] = {"hidepid", "invisible", NULL};
  /* Kernels before 5.8 know the number only. */
  static const char *const numbered[] = {"hidepid", "2", NULL};
  int listing = new_file_system("proc", named, attributes);
  return listing >= 0 || errno != EINVAL ? listing : new_file_system("proc", numbered, attributes);
}

/* Read back, because a limit that did not take would leave the filter alone between a program and new rights. */
static bool end_nesting(int listing) {
  static const char path[] = "sys/user/max_user_namespaces";
  int file = openat(listing, path, O_RDWR | O_CLOEXEC);
  if (file < 0) return false;
  char held[2] = "";
  bool ended = write(file, "0", 1) == 1 && pread(file, held, sizeof held, 0) == 2 && held[0] == '0' && held[1] == '\n';
  int error = errno;
  close(file);
  errno = error;
  return ended;
}

static bool hide(int listing, const char *name, bool directory, int devices) {
  int stand_in = directory ? copy_empty_directory(devices) : copy_empty_file(devices);
  int target = stand_in < 0 ? -1 : open_path(listing, name);
  bool hidden = target >= 0 && attach_tree(stand_in, target);
  int error = errno;
  if (target >= 0) close(target);
  if (stand_in >= 0) close(stand_in);
  errno = error;
  return hidden;
}

static bool hide_others(int listing, int devices) {
  static uint8_t bytes[LISTING_BYTES] __attribute__((aligned(8)));
  int directory = openat(listing, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return false;
  bool done = true;
  for (;;) {
    long length = syscall(SYS_getdents64, directory, bytes, sizeof bytes);
    if (length <= 0) {
      done = done && length == 0;
      break;
    }
    for (long at = 0; done && at < length;) {
      const struct listing_entry *entry = (const struct listing_entry *)(bytes + at);
      if (!is_shown(entry->name) && entry->kind != KIND_LINK) {
        done = hide(listing, entry->name, entry->kind == KIND_DIRECTORY, devices);
      }
      at += entry->length;
    }
    if (!done) break;
  }
  int error = errno;
  close(directory);
  errno = error;
  return done;
}

struct failure place_process_listing(int root, int devices) {
  int listing = new_listing();
  if (listing < 0) return failed(STAGE_PROC, 0);
  if (!end_nesting(listing)) return failed(STAGE_NESTED_NAMESPACES, 0);
  int target = make_target(root, "/proc", true);
  if (target < 0 || !attach_tree(listing, target)) return failed(STAGE_PROC, 1);
  close(target);
  if (!hide_others(listing, devices)) return failed(STAGE_PROC, 2);
  if (!restrict_mount(listing, KERNEL_ATTR_RDONLY)) return failed(STAGE_PROC, 3);
  close(listing);
  return no_failure();
}
