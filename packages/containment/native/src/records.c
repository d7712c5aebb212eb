#define _GNU_SOURCE
#include "records.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

static void put_u16(uint8_t *at, uint16_t value) {
  at[0] = (uint8_t)(value & 0xff);
  at[1] = (uint8_t)(value >> 8);
}

static void put_u32(uint8_t *at, uint32_t value) {
  put_u16(at, (uint16_t)(value & 0xffff));
  put_u16(at + 2, (uint16_t)(value >> 16));
}

static void put_u64(uint8_t *at, uint64_t value) {
  put_u32(at, (uint32_t)(value & 0xffffffff));
  put_u32(at + 4, (uint32_t)(value >> 32));
}

static void begin(uint8_t *record, enum record_kind kind) {
  memset(record, 0, RECORD_BYTES);
  memcpy(record, "MWST", 4);
  put_u16(record + 4, RECORD_VERSION);
  put_u16(record + 6, (uint16_t)kind);
}

/* A few records per run fit any socket buffer: a reader that does not read is given up, never waited for. */
static bool send_record(const uint8_t *record) {
  ssize_t sent;
  do {
    sent = send(STATUS_DESCRIPTOR, record, RECORD_BYTES, MSG_NOSIGNAL | MSG_DONTWAIT);
  } while (sent < 0 && errno == EINTR);
  return sent == RECORD_BYTES;
}

bool send_ready(const int *runtime_ends, size_t count) {
  uint8_t record[RECORD_BYTES];
  begin(record, RECORD_READY);
  put_u32(record + 16, (uint32_t)count);
  for (size_t i = 0; i < count; i += 1) {
    put_u16(record + 20 + 2 * i, runtime_ends[i] < 0 ? UINT16_MAX : (uint16_t)runtime_ends[i]);
  }
  return send_record(record);
}

bool send_started(pid_t program) {
  uint8_t record[RECORD_BYTES];
  begin(record, RECORD_STARTED);
  put_u32(record + 20, (uint32_t)program);
  return send_record(record);
}

bool send_failed(struct failure failure) {
  uint8_t record[RECORD_BYTES];
  begin(record, RECORD_FAILED);
  put_u16(record + 8, (uint16_t)failure.stage);
  put_u32(record + 12, (uint32_t)failure.error);
  put_u32(record + 16, failure.detail);
  return send_record(record);
}

static uint64_t microseconds(struct timeval time) {
  return (uint64_t)time.tv_sec * 1000000u + (uint64_t)time.tv_usec;
}

bool send_exited(int status, uint32_t layers) {
  struct rusage usage;
  memset(&usage, 0, sizeof usage);
  getrusage(RUSAGE_CHILDREN, &usage);
  uint8_t record[RECORD_BYTES];
  begin(record, RECORD_EXITED);
  put_u32(record + 20, WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : UINT32_MAX);
  put_u32(record + 24, WIFSIGNALED(status) ? (uint32_t)WTERMSIG(status) : 0);
  put_u32(record + 28, 0);
  put_u64(record + 32, microseconds(usage.ru_utime));
  put_u64(record + 40, microseconds(usage.ru_stime));
  put_u64(record + 48, (uint64_t)usage.ru_maxrss * 1024u);
  put_u32(record + 56, layers);
  return send_record(record);
}
