/* The fields of a specification that describe a root of its own. */
#include <string.h>

#include "records.h"
#include "spec.h"

static uint32_t read_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16) | ((uint32_t)bytes[3] << 24);
}

static uint64_t read_u64(const uint8_t *bytes) {
  return (uint64_t)read_u32(bytes) | ((uint64_t)read_u32(bytes + 4) << 32);
}

/* Never the superuser, on either side; the highest number means "unchanged" to the kernel. */
static bool is_identity(uint32_t id) {
  return id != 0 && id != UINT32_MAX;
}

static enum spec_error read_identity(const uint8_t *bytes, size_t length, struct jail_spec *jail) {
  if (length != 16) return SPEC_ERROR_IDENTITY;
  jail->host_uid = read_u32(bytes);
  jail->host_gid = read_u32(bytes + 4);
  jail->inside_uid = read_u32(bytes + 8);
  jail->inside_gid = read_u32(bytes + 12);
  bool valid = is_identity(jail->host_uid) && is_identity(jail->host_gid) && is_identity(jail->inside_uid) &&
               is_identity(jail->inside_gid);
  return valid ? SPEC_OK : SPEC_ERROR_IDENTITY;
}

static enum spec_error read_sizes(const uint8_t *bytes, size_t length, struct jail_spec *jail) {
  if (length != 16) return SPEC_ERROR_SIZES;
  jail->tmp_bytes = read_u64(bytes);
  jail->shm_bytes = read_u64(bytes + 8);
  /* 0 means "as much as there is" to the file system. */
  bool valid = jail->tmp_bytes > 0 && jail->shm_bytes > 0 && jail->tmp_bytes <= INT64_MAX && jail->shm_bytes <= INT64_MAX;
  return valid ? SPEC_OK : SPEC_ERROR_SIZES;
}

/* The home is written into a line of the account file, whose fields are separated by colons. */
static enum spec_error read_home(const uint8_t *bytes, size_t length, struct jail_spec *jail) {
  enum spec_error error = spec_read_path(bytes, length, &jail->home);
  if (error != SPEC_OK) return error;
  return strpbrk(jail->home, ":\n") == NULL ? SPEC_OK : SPEC_ERROR_PATH;
}

/* Letter of the access, `!` (required) or `?`, a path that is not the root, NUL; one after the other. */
static enum spec_error read_entries(const uint8_t *bytes, size_t length, const char *letters, struct jail_entry *entries,
                                    size_t most, size_t *count) {
  size_t offset = 0;
  *count = 0;
  while (offset < length) {
    const uint8_t *end = memchr(bytes + offset, 0, length - offset);
    if (end == NULL) return SPEC_ERROR_LIST;
    if (*count == most) return SPEC_ERROR_TOO_MANY;
    size_t entry_length = (size_t)(end - (bytes + offset)) + 1;
    const uint8_t *entry = bytes + offset;
    if (entry_length < 5 || entry_length > SPEC_MAX_PATH_BYTES + 2) return SPEC_ERROR_ENTRY;
    if (memchr(letters, entry[0], strlen(letters)) == NULL) return SPEC_ERROR_ENTRY;
    if ((entry[1] != '!' && entry[1] != '?') || entry[2] != '/' || entry[3] == '/') return SPEC_ERROR_ENTRY;
    entries[*count] =
        (struct jail_entry){.path = (const char *)entry + 2, .access = entry[0], .required = entry[1] == '!'};
    *count += 1;
    offset += entry_length;
  }
  return SPEC_OK;
}

enum spec_error spec_read_jail_field(uint16_t tag, const uint8_t *bytes, size_t length, struct jail_spec *jail) {
  switch (tag) {
    case SPEC_TAG_CLASS:
      if (length != 1 || (bytes[0] != JAIL_SCOPED && bytes[0] != JAIL_SEALED)) return SPEC_ERROR_CLASS;
      jail->class = bytes[0];
      return SPEC_OK;
    case SPEC_TAG_IDENTITY:
      return read_identity(bytes, length, jail);
    case SPEC_TAG_NETWORK:
      if (length != 1 || bytes[0] > 1) return SPEC_ERROR_NETWORK;
      jail->loopback = bytes[0] == 1;
      return SPEC_OK;
    case SPEC_TAG_HOME:
      return read_home(bytes, length, jail);
    case SPEC_TAG_SIZES:
      return read_sizes(bytes, length, jail);
    case SPEC_TAG_MOUNTS:
      return read_entries(bytes, length, "rwxe", jail->mounts, SPEC_MAX_MOUNTS, &jail->mount_count);
    case SPEC_TAG_RULES:
      return read_entries(bytes, length, "rwx", jail->rules, SPEC_MAX_RULES, &jail->rule_count);
    default:
      return SPEC_ERROR_TAG_UNKNOWN;
  }
}
