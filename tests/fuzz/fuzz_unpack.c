// SPDX-License-Identifier: MIT
// Input: an archive. Whatever it is, what comes of it are plain files and folders below the folder,
// within the limits, and nothing beside it.
#include "base/scratch.h"
#include "fuzz.h"
#include "submit/unpack.h"

#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct unpack_limits limits = {.bytes = 100000, .files = 50};

static int64_t bytes_seen;
static int files_seen;

static int see(const char *path, const struct stat *info, int kind, struct FTW *at) {
    (void)path, (void)kind, (void)at;
    assert(S_ISREG(info->st_mode) || S_ISDIR(info->st_mode));
    assert((info->st_mode & 07000) == 0);
    bytes_seen += S_ISREG(info->st_mode) ? info->st_size : 0;
    files_seen++;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct err err = {.set = false};
    char why[UNPACK_WHY_MAX], folder[300];
    struct scratch work;
    const bool made = scratch_make(&work, "a fuzzer", &err);
    assert(made);
    snprintf(folder, sizeof folder, "%s/in", work.path);
    const bool good = unpack_here(data, size, folder, &limits, why, &err);
    assert(!err.set && good == !*why);
    bytes_seen = files_seen = 0;
    nftw(work.path, see, 8, FTW_PHYS);
    assert(bytes_seen <= limits.bytes + 65536);                    // the part that was too much
    assert(files_seen >= 2 && files_seen <= limits.files + 1 + 2); // and the two folders above
    scratch_done(&work);
    return 0;
}
