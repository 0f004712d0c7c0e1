// SPDX-License-Identifier: MIT
#include "web/libssl.h"

#include <assert.h>

static struct libssl functions;
static const char *const names[] = {SSL_FUNCTIONS(LIBRARY_NAME)};
static struct library library = {
    .file = LIBSSL, .names = names, .count = sizeof names / sizeof *names, .functions = &functions};

bool libssl_load(struct err *err) { return library_load(&library, err); }

const struct libssl *libssl(void) {
    assert(library.loaded);
    return &functions;
}
