// SPDX-License-Identifier: MIT
// Who has the core, where no control group can say so: all threads of a tree, one by one.
#pragma once

#include "link/process_tree.h"

// Behind all others in the queue for a core (SCHED_IDLE), or as others again. Only root can lead
// them back.
void core_set_idle(struct process_tree *tree, bool idle);
// On one of our cores alone, so that the others are left to whoever has the turn; or on all.
void core_set_apart(struct process_tree *tree, bool apart);
// How many cores we may run on.
int core_count(void);
