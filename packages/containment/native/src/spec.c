#include "spec.h"

#include <string.h>

static uint16_t read_u16(const uint8_t *bytes) {
  return (uint16_t)(bytes[0] | (uint16_t)(bytes[1] << 8));
}

static uint32_t read_u32(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | ((uint32_t)bytes[1] << 8) | ((uint32_t)bytes[2] << 16) | ((uint32_t)bytes[3] << 24);
}

static uint64_t read_u64(const uint8_t *bytes) {
  return (uint64_t)read_u32(bytes) | ((uint64_t)read_u32(bytes + 4) << 32);
}

enum spec_error spec_read_header(const uint8_t *bytes, size_t length, size_t *total) {
  if (length < SPEC_HEADER_BYTES) return SPEC_ERROR_SHORT;
  if (memcmp(bytes, "MURW", 4) != 0) return SPEC_ERROR_MAGIC;
  if (read_u16(bytes + 4) != SPEC_VERSION) return SPEC_ERROR_VERSION;
  if (read_u16(bytes + 6) != SPEC_KIND_ONE_SHOT) return SPEC_ERROR_KIND;
  uint32_t stated = read_u32(bytes + 8);
  if (stated < SPEC_HEADER_BYTES || stated > SPEC_MAX_BYTES) return SPEC_ERROR_LENGTH;
  if (read_u32(bytes + 12) != 0) return SPEC_ERROR_RESERVED;
  *total = stated;
  return SPEC_OK;
}

/* An absolute path: one terminating NUL, none before it. */
enum spec_error spec_read_path(const uint8_t *bytes, size_t length, const char **path) {
  if (length < 2 || length > SPEC_MAX_PATH_BYTES) return SPEC_ERROR_PATH;
  if (bytes[0] != '/' || memchr(bytes, 0, length) != bytes + length - 1) return SPEC_ERROR_PATH;
  *path = (const char *)bytes;
  return SPEC_OK;
}

/* Strings one after the other, each closed by a NUL; `entries` gets a closing NULL as execve wants it. */
static enum spec_error read_list(const uint8_t *bytes, size_t length, const char **entries, size_t most) {
  size_t count = 0;
  size_t offset = 0;
  while (offset < length) {
    const uint8_t *end = memchr(bytes + offset, 0, length - offset);
    if (end == NULL) return SPEC_ERROR_LIST;
    if (count == most) return SPEC_ERROR_TOO_MANY;
    entries[count] = (const char *)(bytes + offset);
    count += 1;
    offset = (size_t)(end - bytes) + 1;
  }
  entries[count] = NULL;
  return SPEC_OK;
}

/* NAME=value with a name, and no name twice: which of two a program would see is up to its libc. */
static enum spec_error check_variables(const char *const *variables) {
  for (size_t i = 0; variables[i] != NULL; i += 1) {
    const char *sign = strchr(variables[i], '=');
    if (sign == NULL || sign == variables[i]) return SPEC_ERROR_VARIABLE;
    size_t name_and_sign = (size_t)(sign - variables[i]) + 1;
    for (size_t j = 0; j < i; j += 1) {
      if (strncmp(variables[i], variables[j], name_and_sign) == 0) return SPEC_ERROR_VARIABLE_TWICE;
    }
  }
  return SPEC_OK;
}

static enum spec_error read_descriptors(const uint8_t *bytes, size_t length, struct spec *spec) {
  if (length < 3 || length > SPEC_MAX_DESCRIPTORS) return SPEC_ERROR_DESCRIPTORS;
  for (size_t i = 0; i < length; i += 1) {
    uint8_t kind = bytes[i];
    if (kind > SPEC_DESCRIPTOR_PROGRAM_WRITES) return SPEC_ERROR_DESCRIPTORS;
    if (i == 0 && kind == SPEC_DESCRIPTOR_PROGRAM_WRITES) return SPEC_ERROR_DESCRIPTORS;
    if ((i == 1 || i == 2) && kind == SPEC_DESCRIPTOR_PROGRAM_READS) return SPEC_ERROR_DESCRIPTORS;
    if (i > 2 && kind == SPEC_DESCRIPTOR_NULL) return SPEC_ERROR_DESCRIPTORS;
    spec->descriptors[i] = kind;
  }
  spec->descriptor_count = length;
  return SPEC_OK;
}

static enum spec_error read_limit(const uint8_t *bytes, size_t length, size_t which, struct spec *spec) {
  if (length != 8) return SPEC_ERROR_LIMIT;
  uint64_t value = read_u64(bytes);
  /* The highest value means "no limit" to the kernel; leaving the field out says that. */
  if (value == UINT64_MAX) return SPEC_ERROR_LIMIT;
  spec->limit_set[which] = 1;
  spec->limits[which] = value;
  return SPEC_OK;
}

static enum spec_error read_field(uint16_t tag, const uint8_t *bytes, size_t length, struct spec *spec) {
  if (tag >= SPEC_TAG_LIMIT_FIRST && tag <= SPEC_TAG_LIMIT_LAST) {
    return read_limit(bytes, length, (size_t)(tag - SPEC_TAG_LIMIT_FIRST), spec);
  }
  if (tag >= SPEC_TAG_CLASS && tag <= SPEC_TAG_RULES) return spec_read_jail_field(tag, bytes, length, &spec->jail);
  switch (tag) {
    case SPEC_TAG_PROGRAM:
      return spec_read_path(bytes, length, &spec->program);
    case SPEC_TAG_ARGUMENTS: {
      enum spec_error error = read_list(bytes, length, spec->arguments, SPEC_MAX_ARGUMENTS);
      if (error == SPEC_OK && spec->arguments[0] == NULL) return SPEC_ERROR_LIST;
      return error;
    }
    case SPEC_TAG_ENVIRONMENT: {
      enum spec_error error = read_list(bytes, length, spec->environment, SPEC_MAX_VARIABLES);
      return error == SPEC_OK ? check_variables(spec->environment) : error;
    }
    case SPEC_TAG_DIRECTORY:
      return spec_read_path(bytes, length, &spec->directory);
    case SPEC_TAG_DESCRIPTORS:
      return read_descriptors(bytes, length, spec);
    default:
      return SPEC_ERROR_TAG_UNKNOWN;
  }
}

enum spec_error spec_read(const uint8_t *bytes, size_t length, struct spec *spec) {
  size_t total = 0;
  enum spec_error error = spec_read_header(bytes, length, &total);
  if (error != SPEC_OK) return error;
  if (total != length) return SPEC_ERROR_LENGTH;

  memset(spec, 0, sizeof *spec);
  uint64_t seen = 0;
  uint16_t last_tag = 0;
  size_t offset = SPEC_HEADER_BYTES;
  while (offset < length) {
    if (length - offset < SPEC_FIELD_HEADER_BYTES) return SPEC_ERROR_FIELD_CUT;
    uint16_t tag = read_u16(bytes + offset);
    uint16_t reserved = read_u16(bytes + offset + 2);
    size_t field_length = read_u32(bytes + offset + 4);
    offset += SPEC_FIELD_HEADER_BYTES;
    if (reserved != 0) return SPEC_ERROR_RESERVED;
    if (field_length > length - offset) return SPEC_ERROR_FIELD_CUT;
    if (tag <= last_tag) return SPEC_ERROR_TAG_ORDER;
    error = read_field(tag, bytes + offset, field_length, spec);
    if (error != SPEC_OK) return error;
    seen |= UINT64_C(1) << tag;
    last_tag = tag;
    offset += field_length;
  }

  for (uint16_t tag = SPEC_TAG_PROGRAM; tag <= SPEC_TAG_DESCRIPTORS; tag += 1) {
    if ((seen & (UINT64_C(1) << tag)) == 0) return SPEC_ERROR_FIELD_MISSING;
  }
  uint64_t jail_fields = ((UINT64_C(2) << SPEC_TAG_RULES) - 1) & ~((UINT64_C(1) << SPEC_TAG_CLASS) - 1);
  if ((seen & jail_fields) != 0 && (seen & jail_fields) != jail_fields) return SPEC_ERROR_FIELD_MISSING;
  return SPEC_OK;
}
