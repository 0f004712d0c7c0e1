// SPDX-License-Identifier: MIT
// How much of a long test is run: all, or a tenth with the sanitizers, which make it ten times
// slower. The whole runs in the plain build. Of what is alike, positions by the hundred, a tenth is
// enough for `./test`, with the sanitizers a thirtieth; `./test long` tries all, or a tenth.
#pragma once

#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TEST_SANITIZED
#endif
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(TEST_SANITIZED)
enum { TEST_SHARE = 10, TEST_PART = 30 }; // one of so many
#else
enum { TEST_SHARE = 1, TEST_PART = 10 };
#endif

// One of so many that are alike.
static inline int test_part(void) { return getenv("TEST_LONG") ? TEST_SHARE : TEST_PART; }
