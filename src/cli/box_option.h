// SPDX-License-Identifier: MIT
// --box on the command line.
#pragma once

#include "cli/command.h"
#include "link/box.h"

#define OPTION_BOX_CONTEST                                                                         \
    { "--box", "N|off", "box players at this level (the highest that this machine allows)" }

// For a contest or worker: the level that is asked for, else the highest there is, and says which:
// to `note`, or if that is NULL on standard error. NULL: players are not boxed, or there is an
// error. The box is the caller's, to be freed by box_done in any case.
const struct box *box_option_choose(struct box *box, const struct args *args,
                                    void (*note)(void *owner, const char *words), void *owner,
                                    struct err *err);
// A number or "off" (BOX_OFF).
bool box_option_read(const char *text, int *level, struct err *err);
