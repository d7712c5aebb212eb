/*
 * The launch specification: what the runtime asks the warden to run.
 *
 * Reading it has no side effect: no system call is made and no memory is allocated. All strings of a parsed
 * specification point into the buffer that was read. The wire format is described in docs/spec/containment.md
 * ("Launch specification"); src/spec-wire.ts is the encoder.
 */
#ifndef WARDEN_SPEC_H
#define WARDEN_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  SPEC_VERSION = 2,
  SPEC_KIND_ONE_SHOT = 1,
  SPEC_HEADER_BYTES = 16,
  SPEC_FIELD_HEADER_BYTES = 8,
  SPEC_MAX_BYTES = 4 * 1024 * 1024,
  SPEC_MAX_PATH_BYTES = 4096,
  SPEC_MAX_ARGUMENTS = 4096,
  SPEC_MAX_VARIABLES = 1024,
  SPEC_MAX_DESCRIPTORS = 19,
  SPEC_LIMITS = 5,
  SPEC_MAX_MOUNTS = 256,
  SPEC_MAX_RULES = 512,
};

/* Fields stand in ascending order of their tag, each at most once. */
enum spec_tag {
  SPEC_TAG_PROGRAM = 1,
  SPEC_TAG_ARGUMENTS = 2,
  SPEC_TAG_ENVIRONMENT = 3,
  SPEC_TAG_DIRECTORY = 4,
  SPEC_TAG_DESCRIPTORS = 5,
  SPEC_TAG_LIMIT_FIRST = 16,
  SPEC_TAG_LIMIT_LAST = SPEC_TAG_LIMIT_FIRST + SPEC_LIMITS - 1,
  /* A root of its own: all of these, or none. */
  SPEC_TAG_CLASS = 32,
  SPEC_TAG_IDENTITY = 33,
  SPEC_TAG_NETWORK = 34,
  SPEC_TAG_HOME = 35,
  SPEC_TAG_SIZES = 36,
  SPEC_TAG_MOUNTS = 37,
  SPEC_TAG_RULES = 38,
};

/* What stands behind a descriptor of the program; the descriptor's number is its place in the list. */
enum spec_descriptor {
  SPEC_DESCRIPTOR_NULL = 0,
  SPEC_DESCRIPTOR_PROGRAM_READS = 1,
  SPEC_DESCRIPTOR_PROGRAM_WRITES = 2,
};

/* Positions in spec.limits. */
enum spec_limit {
  SPEC_LIMIT_OPEN_FILES = 0,
  SPEC_LIMIT_PROCESSES = 1,
  SPEC_LIMIT_FILE_SIZE = 2,
  SPEC_LIMIT_CPU_SECONDS = 3,
  SPEC_LIMIT_DATA = 4,
};

/* Why a specification was refused; reported as the detail of a failed record. */
enum spec_error {
  SPEC_OK = 0,
  SPEC_ERROR_SHORT = 1,
  SPEC_ERROR_MAGIC = 2,
  SPEC_ERROR_VERSION = 3,
  SPEC_ERROR_KIND = 4,
  SPEC_ERROR_LENGTH = 5,
  SPEC_ERROR_RESERVED = 6,
  SPEC_ERROR_FIELD_CUT = 7,
  SPEC_ERROR_TAG_UNKNOWN = 8,
  SPEC_ERROR_TAG_ORDER = 9,
  SPEC_ERROR_FIELD_MISSING = 10,
  SPEC_ERROR_PATH = 11,
  SPEC_ERROR_LIST = 12,
  SPEC_ERROR_TOO_MANY = 13,
  SPEC_ERROR_VARIABLE = 14,
  SPEC_ERROR_VARIABLE_TWICE = 15,
  SPEC_ERROR_DESCRIPTORS = 16,
  SPEC_ERROR_LIMIT = 17,
  SPEC_ERROR_CLASS = 18,
  SPEC_ERROR_IDENTITY = 19,
  SPEC_ERROR_NETWORK = 20,
  SPEC_ERROR_SIZES = 21,
  SPEC_ERROR_ENTRY = 22,
};

/* What a mount or a rule gives; the letter is the one on the wire. */
enum jail_access {
  JAIL_READ = 'r',
  JAIL_WRITE = 'w',
  JAIL_EXECUTE = 'x',
  /* A mount only: an empty directory in the place of whatever is there. */
  JAIL_EMPTY = 'e',
};

struct jail_entry {
  const char *path;
  uint8_t access;
  /* Otherwise it is left out where the host lacks it. */
  bool required;
};

struct jail_spec {
  /* JAIL_NONE: no root of its own, and nothing below means anything. */
  uint8_t class;
  /* Programs may listen and connect on the jail's own loopback. */
  bool loopback;
  uint32_t host_uid;
  uint32_t host_gid;
  uint32_t inside_uid;
  uint32_t inside_gid;
  const char *home;
  uint64_t tmp_bytes;
  uint64_t shm_bytes;
  size_t mount_count;
  struct jail_entry mounts[SPEC_MAX_MOUNTS];
  size_t rule_count;
  struct jail_entry rules[SPEC_MAX_RULES];
};

struct spec {
  const char *program;
  const char *directory;
  const char *arguments[SPEC_MAX_ARGUMENTS + 1];
  const char *environment[SPEC_MAX_VARIABLES + 1];
  size_t descriptor_count;
  uint8_t descriptors[SPEC_MAX_DESCRIPTORS];
  uint8_t limit_set[SPEC_LIMITS];
  uint64_t limits[SPEC_LIMITS];
  struct jail_spec jail;
};

/*
 * Checks the first SPEC_HEADER_BYTES bytes and stores the length of the whole specification, header included,
 * which lies between SPEC_HEADER_BYTES and SPEC_MAX_BYTES.
 */
enum spec_error spec_read_header(const uint8_t *bytes, size_t length, size_t *total);

/* Reads a complete specification; `spec` is meaningful only when SPEC_OK is returned. */
enum spec_error spec_read(const uint8_t *bytes, size_t length, struct spec *spec);

/* For the reader itself: one of the fields from SPEC_TAG_CLASS on, and a path. */
enum spec_error spec_read_jail_field(uint16_t tag, const uint8_t *bytes, size_t length, struct jail_spec *jail);
enum spec_error spec_read_path(const uint8_t *bytes, size_t length, const char **path);

#endif
