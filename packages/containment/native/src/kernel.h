/*
 * The parts of the kernel's interface that the libc headers lack: musl brings none of the kernel's own headers, and
 * the headers of an older distribution do not know what a newer kernel offers. All of it is stable by contract.
 */
#ifndef WARDEN_KERNEL_H
#define WARDEN_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#ifndef SYS_open_tree
#define SYS_open_tree 428
#define SYS_move_mount 429
#define SYS_fsopen 430
#define SYS_fsconfig 431
#define SYS_fsmount 432
#endif
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

/* Namespaces, for clone. */
#define KERNEL_NEW_MOUNT 0x00020000u
#define KERNEL_NEW_CGROUP 0x02000000u
#define KERNEL_NEW_UTS 0x04000000u
#define KERNEL_NEW_IPC 0x08000000u
#define KERNEL_NEW_USER 0x10000000u
#define KERNEL_NEW_PID 0x20000000u
#define KERNEL_NEW_NET 0x40000000u

/* openat2 */
struct kernel_open_how {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
#define KERNEL_RESOLVE_NO_MAGICLINKS 0x02u
#define KERNEL_RESOLVE_NO_SYMLINKS 0x04u
#define KERNEL_RESOLVE_BENEATH 0x08u
#define KERNEL_RESOLVE_IN_ROOT 0x10u

/* Mounts by descriptor. */
#define KERNEL_AT_EMPTY_PATH 0x1000u
#define KERNEL_AT_RECURSIVE 0x8000u
#define KERNEL_OPEN_TREE_CLONE 1u
#define KERNEL_FSOPEN_CLOEXEC 1u
#define KERNEL_FSCONFIG_SET_FLAG 0u
#define KERNEL_FSCONFIG_SET_STRING 1u
#define KERNEL_FSCONFIG_CMD_CREATE 6u
#define KERNEL_FSMOUNT_CLOEXEC 1u
#define KERNEL_MOVE_FROM_EMPTY_PATH 0x04u
#define KERNEL_MOVE_TO_EMPTY_PATH 0x40u
#define KERNEL_ATTR_RDONLY 0x01u
#define KERNEL_ATTR_NOSUID 0x02u
#define KERNEL_ATTR_NODEV 0x04u
#define KERNEL_ATTR_NOEXEC 0x08u
#define KERNEL_ATTR_IDMAP 0x00100000u
struct kernel_mount_attr {
  uint64_t set;
  uint64_t clear;
  uint64_t propagation;
  uint64_t user_namespace;
};

/* Landlock. The rule is packed in the kernel's definition. */
struct kernel_landlock_ruleset {
  uint64_t handled_fs;
  uint64_t handled_net;
};
struct __attribute__((packed)) kernel_landlock_path_rule {
  uint64_t allowed;
  int32_t parent;
};
#define KERNEL_LANDLOCK_VERSION 1u
#define KERNEL_LANDLOCK_RULE_PATH 1

/* Seccomp's classic BPF. */
struct kernel_filter_step {
  uint16_t code;
  uint8_t if_true;
  uint8_t if_false;
  uint32_t operand;
};
struct kernel_filter_program {
  uint16_t length;
  const struct kernel_filter_step *steps;
};
#define KERNEL_SECCOMP_SET_FILTER 1u
#define KERNEL_SECCOMP_MODE_FILTER 2

/* Capabilities, version 3: two words of each set. */
struct kernel_capability_header {
  uint32_t version;
  int pid;
};
struct kernel_capability_data {
  uint32_t effective;
  uint32_t permitted;
  uint32_t inheritable;
};
#define KERNEL_CAPABILITY_VERSION 0x20080522u

#endif
