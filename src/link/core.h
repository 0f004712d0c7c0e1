// SPDX-License-Identifier: MIT
// Who has the core, where no control group can say so: all threads of a family, one by one.
#pragma once

#include "link/family.h"

// Behind all others in the queue for a core (SCHED_IDLE), or as others again. Only root can lead
// them back.
void core_set_idle(struct family *family, bool idle);
// On one of our cores alone, so that the others are left to whoever has the turn; or on all.
void core_set_apart(struct family *family, bool apart);
// How many cores we may run on.
int core_count(void);
