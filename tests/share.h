// SPDX-License-Identifier: MIT
// How much of a long test is run: all, or a tenth with the sanitizers, which make it ten times
// slower. The whole runs in the plain build.
#pragma once

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
