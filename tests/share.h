// SPDX-License-Identifier: MIT
// How much of a long test is run: all, or a tenth with the sanitizers, which make it ten times
// slower. The whole runs in the plain build. Of what is alike, positions by the hundred, a third of
// that is enough for `./test`; `./test long` tries all.
#pragma once

#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(TEST_SANITIZED)
enum { TEST_SHARE = 10 }; // one of so many
#else
enum { TEST_SHARE = 1 };
#endif

// One of so many that are alike.
static inline int test_part(void) { return getenv("TEST_LONG") ? TEST_SHARE : 3 * TEST_SHARE; }
