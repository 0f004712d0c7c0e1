// SPDX-License-Identifier: MIT
// The first stage: from outside into the namespaces, by bubblewrap.
#pragma once

#include "sandbox/options.h"

// Where the player starts and may write, inside.
#define WRAP_HOME "/player"

// Becomes bubblewrap, which starts this program again as the second stage.
_Noreturn void wrap_start(const struct options *options, char **argv);
// Whether bubblewrap can make all of it on this machine; if not, what it says goes to `why`. And
// whether there is a bubblewrap that can be started.
bool wrap_works(char *why, unsigned long size, bool *has_bwrap);
