// SPDX-License-Identifier: MIT
// Files that are not compared, by what they hold: may a player be hidden in one?
#pragma once

#include <stddef.h>

enum { SUSPECT_BYTES = 1 << 16 }; // so many from its beginning tell

// A reason to look at it, or NULL.
const char *suspect_reason(const char *bytes, size_t size);
