// SPDX-License-Identifier: MIT
// Perfect matchings: can these be paired off, all of them, if some pairs are not allowed?
#pragma once

#include <stdbool.h>

struct matching;

// Among `count` players; `allowed` says which two may meet.
struct matching *matching_new(int count, bool (*allowed)(const void *owner, int a, int b),
                              const void *owner);
void matching_free(struct matching *matching);
// Pairs all who are left, whoever with whom; false if that cannot be done.
bool matching_complete(struct matching *matching);
// Takes one out of the game, or puts him back.
void matching_remove(struct matching *matching, int player);
void matching_restore(struct matching *matching, int player);
