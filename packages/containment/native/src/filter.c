#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_ENTRIES = 400, MAX_SEGMENTS = 2 * MAX_ENTRIES + 1, X32_BIT = 0x40000000 };

/* Architectures by their audit numbers. */
static const uint32_t audit_numbers[] = {[FILTER_X86_64] = 0xc000003eu, [FILTER_ARM64] = 0xc00000b7u};

/* Classic BPF, as far as it is used here. */
enum {
  STEP_LOAD = 0x20,
  STEP_AND = 0x54,
  STEP_JUMP = 0x05,
  STEP_IF_EQUAL = 0x15,
  STEP_IF_AT_LEAST = 0x35,
  STEP_IF_ANY_BIT = 0x45,
  STEP_ANSWER = 0x06,
};

/* Answers of a filter. */
#define ANSWER_KILL 0x80000000u
#define ANSWER_ALLOW 0x7fff0000u
#define ANSWER_ERROR(number) (0x00050000u | (uint32_t)(number))

/* Where seccomp's data keeps what is looked at. */
enum { DATA_NUMBER = 0, DATA_ARCHITECTURE = 4, DATA_ARGUMENTS = 16 };

enum {
  NEW_NAMESPACES = KERNEL_NEW_MOUNT | KERNEL_NEW_CGROUP | KERNEL_NEW_UTS | KERNEL_NEW_IPC | KERNEL_NEW_USER |
                   KERNEL_NEW_PID | KERNEL_NEW_NET,
  SOCKET_KIND = 0xf,
  FAMILY_NETLINK = 16,
  FAMILY_PACKET = 17,
  MEMORY_NEVER_EXECUTED = 0x8,
  MEMORY_EXECUTABLE = 0x10,
  PUSH_CHARACTER = 0x5412,
  CONSOLE_COMMAND = 0x541c,
  SET_ID_BITS = 06000,
  MAKES_A_FILE = 0100 | 020000000,
  CORE_LIMIT = 4,
};

static const struct {
  int16_t numbers[2];
  uint8_t rule;
} table[] = {
#define SYSCALL(name, x86_64, arm64, rule) {{x86_64, arm64}, FILTER_##rule},
#include "syscalls.def"
#undef SYSCALL
};
enum { TABLE_ENTRIES = sizeof table / sizeof table[0] };
_Static_assert((int)TABLE_ENTRIES <= (int)MAX_ENTRIES, "the table outgrew its buffers");

/* Numbers from `first` up to the next segment's first have one rule. */
struct segment {
  uint32_t first;
  uint8_t rule;
};

enum filter_rule filter_rule_of(enum filter_architecture architecture, unsigned number) {
  for (size_t i = 0; i < TABLE_ENTRIES; i += 1) {
    if (table[i].numbers[architecture] >= 0 && (unsigned)table[i].numbers[architecture] == number) {
      return (enum filter_rule)table[i].rule;
    }
  }
  return FILTER_UNKNOWN;
}

static size_t sorted_entries(enum filter_architecture architecture, struct segment *entries) {
  size_t count = 0;
  for (size_t i = 0; i < TABLE_ENTRIES; i += 1) {
    int number = table[i].numbers[architecture];
    if (number < 0) continue;
    size_t at = count;
    for (; at > 0 && entries[at - 1].first > (uint32_t)number; at -= 1) entries[at] = entries[at - 1];
    entries[at] = (struct segment){.first = (uint32_t)number, .rule = table[i].rule};
    count += 1;
  }
  return count;
}

/* Turns entries into segments that cover all numbers; neighbours with one rule become one segment. */
static size_t to_segments(const struct segment *entries, size_t count, struct segment *segments) {
  size_t made = 0;
  segments[made++] = (struct segment){.first = 0, .rule = FILTER_UNKNOWN};
  for (size_t i = 0; i < count; i += 1) {
    struct segment entry = entries[i];
    struct segment *last = &segments[made - 1];
    if (entry.first == last->first) {
      last->rule = entry.rule;
      if (made > 1 && segments[made - 2].rule == entry.rule) made -= 1;
    } else if (entry.rule != last->rule) {
      segments[made++] = entry;
    }
    bool gap = i + 1 == count || entries[i + 1].first != entry.first + 1;
    if (gap) segments[made++] = (struct segment){.first = entry.first + 1, .rule = FILTER_UNKNOWN};
  }
  return made;
}

static void emit(struct filter *filter, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t operand) {
  if (filter->length < FILTER_MAX_STEPS) {
    filter->steps[filter->length] = (struct kernel_filter_step){code, if_true, if_false, operand};
  }
  filter->length += 1;
}

static void answer(struct filter *filter, uint32_t value) {
  emit(filter, STEP_ANSWER, 0, 0, value);
}

/* The low half: what the kernel looks at where an argument is an int or has no flag above. */
static void load_argument(struct filter *filter, unsigned which) {
  emit(filter, STEP_LOAD, 0, 0, DATA_ARGUMENTS + 8 * which);
}

static void answer_if_equal(struct filter *filter, uint32_t value, uint32_t then) {
  emit(filter, STEP_IF_EQUAL, 0, 1, value);
  answer(filter, then);
}

static void answer_unless_equal(struct filter *filter, uint32_t value, uint32_t then) {
  emit(filter, STEP_IF_EQUAL, 1, 0, value);
  answer(filter, then);
}

static void answer_if_any(struct filter *filter, uint32_t bits, uint32_t then) {
  emit(filter, STEP_IF_ANY_BIT, 0, 1, bits);
  answer(filter, then);
}

static void answer_unless_any(struct filter *filter, uint32_t bits, uint32_t then) {
  emit(filter, STEP_IF_ANY_BIT, 1, 0, bits);
  answer(filter, then);
}

static void emit_socket(struct filter *filter) {
  load_argument(filter, 0);
  answer_if_equal(filter, AF_INET, ANSWER_ALLOW);
  answer_if_equal(filter, AF_INET6, ANSWER_ALLOW);
  answer_if_equal(filter, AF_UNIX, ANSWER_ERROR(EACCES));
  answer_if_equal(filter, FAMILY_PACKET, ANSWER_ERROR(EACCES));
  answer_unless_equal(filter, FAMILY_NETLINK, ANSWER_ERROR(EPERM));
  load_argument(filter, 2);
  answer_unless_equal(filter, 0, ANSWER_ERROR(EACCES));
  load_argument(filter, 1);
  emit(filter, STEP_AND, 0, 0, SOCKET_KIND);
  answer_if_equal(filter, SOCK_RAW, ANSWER_ALLOW);
  answer_if_equal(filter, SOCK_DGRAM, ANSWER_ALLOW);
  answer(filter, ANSWER_ERROR(EACCES));
}

static void emit_socketpair(struct filter *filter) {
  load_argument(filter, 0);
  answer_unless_equal(filter, AF_UNIX, ANSWER_ERROR(EPERM));
  load_argument(filter, 1);
  emit(filter, STEP_AND, 0, 0, SOCKET_KIND);
  answer_if_equal(filter, SOCK_STREAM, ANSWER_ALLOW);
  answer_if_equal(filter, SOCK_SEQPACKET, ANSWER_ALLOW);
  answer(filter, ANSWER_ERROR(EACCES));
}

static void emit_open(struct filter *filter, unsigned flags) {
  load_argument(filter, flags + 1);
  answer_unless_any(filter, SET_ID_BITS, ANSWER_ALLOW);
  load_argument(filter, flags);
  answer_if_any(filter, MAKES_A_FILE, ANSWER_ERROR(EPERM));
  answer(filter, ANSWER_ALLOW);
}

static void emit_limit(struct filter *filter, enum filter_rule rule) {
  load_argument(filter, rule == FILTER_PRLIMIT ? 1 : 0);
  answer_unless_equal(filter, CORE_LIMIT, ANSWER_ALLOW);
  if (rule == FILTER_PRLIMIT) {
    /* A new value is given when either half of its address is set. */
    load_argument(filter, 2);
    answer_unless_equal(filter, 0, ANSWER_ERROR(0));
    emit(filter, STEP_LOAD, 0, 0, DATA_ARGUMENTS + 8 * 2 + 4);
    answer_if_equal(filter, 0, ANSWER_ALLOW);
  }
  answer(filter, ANSWER_ERROR(0));
}

static void emit_rule(struct filter *filter, enum filter_rule rule) {
  switch (rule) {
    case FILTER_UNKNOWN:
      answer(filter, ANSWER_ERROR(ENOSYS));
      return;
    case FILTER_ALLOWED:
      break;
    case FILTER_FORBIDDEN:
      answer(filter, ANSWER_ERROR(EPERM));
      return;
    case FILTER_SOCKET:
      emit_socket(filter);
      return;
    case FILTER_SOCKETPAIR:
      emit_socketpair(filter);
      return;
    case FILTER_CLONE:
      load_argument(filter, 0);
      answer_if_any(filter, NEW_NAMESPACES, ANSWER_ERROR(EPERM));
      break;
    case FILTER_MEMFD:
      load_argument(filter, 1);
      answer_if_any(filter, MEMORY_EXECUTABLE, ANSWER_ERROR(EPERM));
      answer_unless_any(filter, MEMORY_NEVER_EXECUTED, ANSWER_ERROR(ENOSYS));
      break;
    case FILTER_EXECVEAT:
      load_argument(filter, 4);
      answer_if_any(filter, KERNEL_AT_EMPTY_PATH, ANSWER_ERROR(EPERM));
      break;
    case FILTER_IOCTL:
      load_argument(filter, 1);
      answer_if_equal(filter, PUSH_CHARACTER, ANSWER_ERROR(EPERM));
      answer_if_equal(filter, CONSOLE_COMMAND, ANSWER_ERROR(EPERM));
      break;
    case FILTER_MODE_1:
    case FILTER_MODE_2:
      load_argument(filter, rule == FILTER_MODE_1 ? 1 : 2);
      answer_if_any(filter, SET_ID_BITS, ANSWER_ERROR(EPERM));
      break;
    case FILTER_OPEN:
    case FILTER_OPENAT:
      emit_open(filter, rule == FILTER_OPEN ? 1 : 2);
      return;
    case FILTER_PRLIMIT:
    case FILTER_SETRLIMIT:
      emit_limit(filter, rule);
      return;
  }
  answer(filter, ANSWER_ALLOW);
}

/* A balanced search: the number is in the accumulator on every way to a leaf. */
static void emit_search(struct filter *filter, const struct segment *segments, size_t count) {
  if (count == 1) {
    emit_rule(filter, (enum filter_rule)segments[0].rule);
    return;
  }
  size_t middle = count / 2;
  emit(filter, STEP_IF_AT_LEAST, 0, 1, segments[middle].first);
  /* A jump of its own, because a condition reaches 255 steps only. */
  size_t jump = filter->length;
  emit(filter, STEP_JUMP, 0, 0, 0);
  emit_search(filter, segments, middle);
  if (jump < FILTER_MAX_STEPS) filter->steps[jump].operand = (uint32_t)(filter->length - jump - 1);
  emit_search(filter, segments + middle, count - middle);
}

bool filter_build(enum filter_architecture architecture, struct filter *filter) {
  static struct segment entries[MAX_ENTRIES];
  static struct segment segments[MAX_SEGMENTS];
  size_t count = to_segments(entries, sorted_entries(architecture, entries), segments);
  filter->length = 0;
  /* A call by another architecture's entry would be judged by the wrong table. */
  emit(filter, STEP_LOAD, 0, 0, DATA_ARCHITECTURE);
  answer_unless_equal(filter, audit_numbers[architecture], ANSWER_KILL);
  emit(filter, STEP_LOAD, 0, 0, DATA_NUMBER);
  if (architecture == FILTER_X86_64) {
    emit(filter, STEP_IF_AT_LEAST, 0, 1, X32_BIT);
    answer(filter, ANSWER_KILL);
  }
  emit_search(filter, segments, count);
  return filter->length <= FILTER_MAX_STEPS;
}

#if defined(__x86_64__)
enum { RUNNING_ARCHITECTURE = FILTER_X86_64 };
#elif defined(__aarch64__)
enum { RUNNING_ARCHITECTURE = FILTER_ARM64 };
#else
#error "no table for this architecture"
#endif

struct failure apply_filter(void) {
  static struct filter filter;
  struct failure failure = {.stage = STAGE_FILTER, .error = 0, .detail = 0};
  if (!filter_build((enum filter_architecture)RUNNING_ARCHITECTURE, &filter)) {
    failure.error = E2BIG;
    return failure;
  }
  struct kernel_filter_program program = {.length = (uint16_t)filter.length, .steps = filter.steps};
  if (syscall(SYS_seccomp, KERNEL_SECCOMP_SET_FILTER, 0u, &program) != 0 ||
      prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != KERNEL_SECCOMP_MODE_FILTER) {
    failure.error = errno;
    return failure;
  }
  return no_failure();
}
