#define _GNU_SOURCE
#include "processes.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

enum { MOST_PROCESSES = 65536, HIGHEST_PID = 4194304, STAT_BYTES = 1024, LISTING_BYTES = 32768 };

struct process {
  pid_t pid;
  pid_t parent;
  uint64_t start;
  uint64_t threads;
  char state;
};

struct listing_entry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[];
};

/* Static, because nothing is allocated after the fork. The pages are touched only when a tree has to be ended. */
static struct process table[MOST_PROCESSES];
static uint8_t descends[HIGHEST_PID / 8 + 1];

static bool is_marked(pid_t pid) {
  return pid > 0 && pid <= HIGHEST_PID && (descends[pid / 8] & (1u << (pid % 8))) != 0;
}

static void mark(pid_t pid) {
  if (pid > 0 && pid <= HIGHEST_PID) descends[pid / 8] = (uint8_t)(descends[pid / 8] | (1u << (pid % 8)));
}

/* The number that a directory of /proc is named after, or 0. */
static pid_t pid_of_name(const char *name) {
  pid_t pid = 0;
  for (const char *at = name; *at != '\0'; at += 1) {
    if (*at < '0' || *at > '9' || pid > HIGHEST_PID / 10) return 0;
    pid = pid * 10 + (*at - '0');
  }
  return pid <= HIGHEST_PID ? pid : 0;
}

/* "<pid>/stat" without stdio. */
static void stat_path(pid_t pid, char *path) {
  char digits[12];
  size_t count = 0;
  for (pid_t left = pid; left > 0; left /= 10) {
    digits[count] = (char)('0' + left % 10);
    count += 1;
  }
  for (size_t i = 0; i < count; i += 1) path[i] = digits[count - 1 - i];
  memcpy(path + count, "/stat", sizeof "/stat");
}

/* Fields of /proc/<pid>/stat count from behind the last ')': the name before it is the program's own choice. */
static bool read_process(int proc, pid_t pid, struct process *process) {
  char path[24];
  stat_path(pid, path);
  int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char text[STAT_BYTES];
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0) return false;
  text[length] = '\0';
  char *at = strrchr(text, ')');
  if (at == NULL || at[1] != ' ' || at[2] == '\0') return false;
  process->pid = pid;
  process->state = at[2];
  at += 3;
  for (int field = 4; field <= 22; field += 1) {
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(at, &end, 10);
    if (end == at) return false;
    if (field == 4) process->parent = (pid_t)value;
    if (field == 20) process->threads = value;
    if (field == 22) process->start = value;
    at = end;
  }
  return true;
}

typedef void visit(int proc, pid_t pid, void *context);

static void each_process(int proc, visit *visitor, void *context) {
  static char listing[LISTING_BYTES] __attribute__((aligned(8)));
  if (lseek(proc, 0, SEEK_SET) < 0) return;
  for (;;) {
    long got = syscall(SYS_getdents64, proc, listing, sizeof listing);
    if (got <= 0) return;
    for (long offset = 0; offset < got;) {
      const struct listing_entry *entry = (const struct listing_entry *)(const void *)(listing + offset);
      pid_t pid = pid_of_name(entry->name);
      if (pid > 0) visitor(proc, pid, context);
      offset += entry->length;
    }
  }
}

static void add_to_table(int proc, pid_t pid, void *context) {
  size_t *count = context;
  if (*count < MOST_PROCESSES && read_process(proc, pid, &table[*count])) *count += 1;
}

/* A pid may be reused between the listing and the signal: hold it by descriptor, then look again who it is. */
static bool signal_process(int proc, const struct process *process, int signal) {
  int handle = (int)syscall(SYS_pidfd_open, process->pid, 0);
  if (handle < 0) {
    /* Our own unreaped children keep their pid; deeper ones become ours when their parents are gone. */
    if (errno == ESRCH || process->parent != getpid()) return false;
    return kill(process->pid, signal) == 0;
  }
  struct process again;
  bool same = read_process(proc, process->pid, &again) && again.start == process->start;
  bool sent = same && syscall(SYS_pidfd_send_signal, handle, signal, NULL, 0) == 0;
  close(handle);
  return sent;
}

size_t signal_descendants(int signal, bool running_only) {
  int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return 0;
  size_t count = 0;
  each_process(proc, add_to_table, &count);

  memset(descends, 0, sizeof descends);
  mark(getpid());
  bool grew = true;
  while (grew) {
    grew = false;
    for (size_t i = 0; i < count; i += 1) {
      if (is_marked(table[i].pid) || !is_marked(table[i].parent)) continue;
      mark(table[i].pid);
      grew = true;
    }
  }

  size_t sent = 0;
  for (size_t i = 0; i < count; i += 1) {
    const struct process *process = &table[i];
    if (process->pid == getpid() || !is_marked(process->pid)) continue;
    if (process->state == 'Z' || process->state == 'X') continue;
    if (running_only && (process->state == 'T' || process->state == 't')) continue;
    if (signal_process(proc, process, signal)) sent += 1;
  }
  close(proc);
  return sent;
}

struct thread_count {
  uid_t user;
  uint64_t threads;
};

static void add_threads(int proc, pid_t pid, void *context) {
  struct thread_count *total = context;
  char path[24];
  stat_path(pid, path);
  struct stat owner;
  struct process process;
  if (fstatat(proc, path, &owner, 0) != 0 || owner.st_uid != total->user) return;
  if (read_process(proc, pid, &process)) total->threads += process.threads;
}

uint64_t threads_of_user(uid_t user) {
  int proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return 0;
  struct thread_count total = {.user = user, .threads = 0};
  each_process(proc, add_threads, &total);
  close(proc);
  return total.threads;
}
