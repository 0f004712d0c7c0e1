// SPDX-License-Identifier: MIT
#include "submit/libarchive.h"

#include <assert.h>

static struct libarchive functions;
static const char *const names[] = {ARCHIVE_FUNCTIONS(LIBRARY_NAME)};
static struct library library = {.file = LIBARCHIVE,
                                 .names = names,
                                 .count = sizeof names / sizeof *names,
                                 .functions = &functions};

bool libarchive_load(struct err *err) { return library_load(&library, err); }

const struct libarchive *libarchive(void) {
    assert(library.loaded);
    return &functions;
}
