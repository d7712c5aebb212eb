/* The first process of a jail. */
#ifndef WARDEN_INIT_H
#define WARDEN_INIT_H

#include "launch.h"

_Noreturn void run_init(struct launch *launch, int link, int report);

#endif
