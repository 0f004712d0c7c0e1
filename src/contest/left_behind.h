// SPDX-License-Identifier: MIT
// What is found of submissions (submissions.h) where whoever worked on them is no more. `3.archive`
// is there from the moment on that the third is whole until its report, `3.json`, is written; one
// that came after the deadline is `3.late`. `3` and `3.work` are there on the way.
#pragma once

#include <stdbool.h>

// Beside it: how often it was found so. What is worked on in vain again and again, and perhaps is
// why nobody is left, is given up.
#define LEFT_BEHIND_COUNT ".found"
enum { LEFT_BEHIND_MOST = 3 };

const char *left_behind_tail(bool late); // of the archive

// Calls `each` for every archive that is still to be worked on. Of what else was begun it is
// written that it was broken off; what lies on the way is removed.
void left_behind_find(const char *home,
                      void (*each)(void *owner, const char *team, int number, bool late),
                      void *owner);
