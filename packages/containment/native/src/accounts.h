/* The small files of /etc that say who and where a program is, made up so that they say nothing about the host. */
#ifndef WARDEN_ACCOUNTS_H
#define WARDEN_ACCOUNTS_H

#include "records.h"
#include "spec.h"

struct failure place_accounts(int root, int devices, const struct jail_spec *jail);

#endif
