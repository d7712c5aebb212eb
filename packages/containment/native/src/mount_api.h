/*
 * Mounts by descriptor. Nothing here resolves a path that a program inside could have prepared: trees are taken and
 * placed by descriptors that were opened without following a link.
 */
#ifndef WARDEN_MOUNT_API_H
#define WARDEN_MOUNT_API_H

#include <stdbool.h>
#include <stdint.h>

/* Opens a path below `root` (or the process's root for AT_FDCWD) without following any link; O_PATH. */
int open_path(int root, const char *path);

/* A detached copy of the tree behind a descriptor, submounts included. */
int copy_tree(int descriptor);

/* Sets KERNEL_ATTR_ flags on a mount, or on a tree with all its submounts, which become private as well. */
bool restrict_mount(int mount, uint64_t attributes);
bool restrict_tree(int tree, uint64_t attributes);

/* Puts a detached tree on what `target` was opened on. */
bool attach_tree(int tree, int target);

/* A new, detached file system with these options (name, value, …, NULL; a NULL value sets a flag). */
int new_file_system(const char *type, const char *const *options, uint64_t attributes);

/* What new_file_system needs for a tmpfs of at most `bytes`. */
int new_tmpfs(uint64_t bytes, const char *mode, uint64_t attributes);

/*
 * Opens `path` below `root` as a place to put a tree on, and makes what is missing of it: directories, and a file
 * at its end unless `directory`.
 */
int make_target(int root, const char *path, bool directory);

#endif
