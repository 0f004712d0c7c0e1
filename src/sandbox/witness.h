// SPDX-License-Identifier: MIT
// Tells on the player's standard error which system calls it is refused, for who wants to know why
// a player does not run in the box.
#pragma once

#include "sandbox/filter.h"

// Loads the filter with a witness beside it: a process that is nobody's child, filtered itself, and
// out of the player's reach but for signals. Where none can be had the filter is loaded without.
// False with errno set if there is no filter.
bool witness_load(const struct filter *filter);
