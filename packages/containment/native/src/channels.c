#define _GNU_SOURCE
#include "channels.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "identity.h"

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

/* Above every number that a program's descriptor can have, so that placing one never overwrites another. */
enum { PARKING = 32 };
_Static_assert(PARKING > SPEC_MAX_DESCRIPTORS + 1, "parked descriptors must not meet placed ones");

static struct failure failed(enum stage stage, size_t which) {
  return (struct failure){.stage = stage, .error = errno, .detail = (uint32_t)which};
}

static bool open_channel(enum spec_descriptor kind, const struct jail_spec *owner, int *program_end, int *runtime_end) {
  if (kind == SPEC_DESCRIPTOR_NULL) {
    *program_end = open("/dev/null", O_RDWR | O_CLOEXEC);
    return *program_end >= 0;
  }
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  *program_end = kind == SPEC_DESCRIPTOR_PROGRAM_READS ? ends[0] : ends[1];
  *runtime_end = kind == SPEC_DESCRIPTOR_PROGRAM_READS ? ends[1] : ends[0];
  /* Opening /dev/stdout opens the pipe anew, which only its owner may. */
  return owner == NULL || fchown(*program_end, owner->host_uid, owner->host_gid) == 0;
}

struct failure open_channels(const struct spec *spec, struct channels *channels) {
  bool other_owner = spec->jail.class != JAIL_NONE && may_choose_identity();
  const struct jail_spec *owner = other_owner ? &spec->jail : NULL;
  channels->count = spec->descriptor_count;
  for (size_t i = 0; i < channels->count; i += 1) {
    channels->program_ends[i] = -1;
    channels->runtime_ends[i] = -1;
  }
  for (size_t i = 0; i < channels->count; i += 1) {
    enum spec_descriptor kind = (enum spec_descriptor)spec->descriptors[i];
    if (open_channel(kind, owner, &channels->program_ends[i], &channels->runtime_ends[i])) continue;
    struct failure failure = failed(STAGE_PIPES, i);
    close_channels(channels);
    return failure;
  }
  return no_failure();
}

void close_channels(struct channels *channels) {
  for (size_t i = 0; i < channels->count; i += 1) {
    if (channels->program_ends[i] >= 0) close(channels->program_ends[i]);
    if (channels->runtime_ends[i] >= 0) close(channels->runtime_ends[i]);
    channels->program_ends[i] = -1;
    channels->runtime_ends[i] = -1;
  }
}

struct failure place_descriptors(const struct channels *channels, int *report) {
  int parked[SPEC_MAX_DESCRIPTORS];
  int parked_report = fcntl(*report, F_DUPFD_CLOEXEC, PARKING);
  if (parked_report < 0) return failed(STAGE_DESCRIPTORS, channels->count);
  *report = parked_report;
  for (size_t i = 0; i < channels->count; i += 1) {
    parked[i] = fcntl(channels->program_ends[i], F_DUPFD_CLOEXEC, PARKING);
    if (parked[i] < 0) return failed(STAGE_DESCRIPTORS, i);
  }
  for (size_t i = 0; i < channels->count; i += 1) {
    if (dup2(parked[i], (int)i) < 0) return failed(STAGE_DESCRIPTORS, i);
  }
  if (dup3(parked_report, (int)channels->count, O_CLOEXEC) < 0) return failed(STAGE_DESCRIPTORS, channels->count);
  *report = (int)channels->count;
  /* No fallback loop: a kernel without close_range could leave a descriptor open that nobody listed. */
  if (syscall(SYS_close_range, (unsigned)channels->count + 1u, ~0u, 0u) != 0) {
    return failed(STAGE_DESCRIPTORS, channels->count + 1);
  }
  return no_failure();
}
