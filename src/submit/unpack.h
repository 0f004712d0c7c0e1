// SPDX-License-Identifier: MIT
// An archive from a stranger, unpacked: plain files and folders alone, nothing outside of the
// folder, bounded in size, number, memory and time. tar (also packed by gzip, bzip2, xz or zstd),
// zip and 7-Zip.
#pragma once

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum { UNPACK_WHY_MAX = 300 };

struct unpack_limits {
    int64_t bytes; // of all files together
    int files;     // and folders
};

// Into a folder that is made for it. False with an error: a circumstance here; without one: the
// archive is refused, and `why` says so. What was unpacked by then stays.
bool unpack_archive(const void *bytes, size_t size, const char *folder,
                    const struct unpack_limits *limits, char why[static UNPACK_WHY_MAX],
                    struct err *err);
// The same in this process, without bounds of memory and time; for tests.
bool unpack_here(const void *bytes, size_t size, const char *folder,
                 const struct unpack_limits *limits, char why[static UNPACK_WHY_MAX],
                 struct err *err);
