// SPDX-License-Identifier: MIT
// Fresh folders for players, below $TMPDIR.
#pragma once

#include "base/err.h"

// Makes one for a player, which is named in the error; the caller frees the path. NULL: it cannot.
char *scratch_new(const char *player, struct err *err);
// Removes it with all that is in it.
void scratch_remove(const char *path);
