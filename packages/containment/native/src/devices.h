/* A /dev of the jail's own: a few harmless devices of the host, its own terminals and its own shared memory. */
#ifndef WARDEN_DEVICES_H
#define WARDEN_DEVICES_H

#include <stdbool.h>

#include "records.h"
#include "sources.h"

/*
 * Puts it into the root. `devices` is the file system behind it, still writable; it also keeps an empty file and an
 * empty directory that stand in for what is to be hidden, and takes other small files (place_small_file).
 */
struct failure place_devices(int root, uint64_t shm_bytes, const struct sources *sources, int *devices);

/* Tree copies of the stand-ins. */
int copy_empty_file(int devices);
int copy_empty_directory(int devices);

/*
 * Makes a file of this text on the file system behind /dev, as a tree to be put elsewhere; once it is there, its name
 * here is to be forgotten, before the next one is made.
 */
int make_small_file(int devices, const char *text);
bool forget_small_file(int devices);

/* Removes the stand-ins' names and ends all writing. */
bool close_devices(int devices);

#endif
