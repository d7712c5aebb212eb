#define _GNU_SOURCE
#include "accounts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "mount_api.h"
#include "numbers.h"

enum { ACCOUNT_BYTES = SPEC_MAX_PATH_BYTES + 256 };

static char *append(char *at, const char *text) {
  return stpcpy(at, text);
}

static char *append_number(char *at, uint32_t value) {
  return at + write_number(at, value);
}

static void describe_user(char *text, const struct jail_spec *jail) {
  char *at = append(text, "root:x:0:0:root:/root:/bin/sh\ncapsule:x:");
  at = append_number(at, jail->inside_uid);
  at = append(at, ":");
  at = append_number(at, jail->inside_gid);
  at = append(at, ":Murmur capsule:");
  at = append(at, jail->home);
  append(at, ":/bin/sh\n");
}

static void describe_group(char *text, const struct jail_spec *jail) {
  char *at = append(text, "root:x:0:\ncapsule:x:");
  at = append_number(at, jail->inside_gid);
  append(at, ":\n");
}

static bool place(int root, int devices, const struct jail_spec *jail, const char *path, const char *text) {
  int target = make_target(root, path, false);
  /* A view of the host has no place for a file that the host lacks or keeps as a link; then there is none. */
  if (target < 0) return jail->class == JAIL_SCOPED && (errno == ENOENT || errno == ELOOP);
  int file = make_small_file(devices, text);
  bool placed = file >= 0 && attach_tree(file, target) && forget_small_file(devices);
  int error = errno;
  if (file >= 0) close(file);
  close(target);
  errno = error;
  return placed;
}

struct failure place_accounts(int root, int devices, const struct jail_spec *jail) {
  char user[ACCOUNT_BYTES];
  char group[ACCOUNT_BYTES];
  describe_user(user, jail);
  describe_group(group, jail);
  const struct {
    const char *path;
    const char *text;
  } files[] = {
      {"/etc/passwd", user},
      {"/etc/group", group},
      {"/etc/hostname", "capsule\n"},
      {"/etc/hosts", "127.0.0.1 localhost capsule\n::1 localhost capsule\n"},
      {"/etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n"},
      {"/etc/resolv.conf", "nameserver 127.0.0.1\noptions timeout:2 attempts:2\n"},
  };
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i += 1) {
    if (place(root, devices, jail, files[i].path, files[i].text)) continue;
    return (struct failure){.stage = STAGE_ACCOUNTS, .error = errno, .detail = (uint32_t)i};
  }
  return no_failure();
}
