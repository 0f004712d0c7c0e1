// SPDX-License-Identifier: MIT
// Who a worker is: no two processes ever have one name, whatever their machines are called, and a
// machine knows which of its own are no more. And how fast it is, so that uneven ones show.
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { IDENTITY_MAX = 128 };

// The name of this process: host/pid/MACHINE-START. MACHINE is that of the running system and of
// the space of process numbers; START when the process began.
void identity_name(char name[static IDENTITY_MAX]);
// Whether that is a process of this machine, and it has ended.
bool identity_is_dead(const char *name);
// Positions per millisecond of a fixed search through the rules of Othello, the best of a few short
// runs.
int64_t identity_speed(void);
