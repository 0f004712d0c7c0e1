// SPDX-License-Identifier: MIT
#include "sandbox/fail.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fail(const char *what, const char *name) {
    const char *why = errno ? strerror(errno) : "";
    fprintf(stderr, "arbiter-box: %s%s%s%s%s\n", what, *name ? " " : "", name, *why ? ": " : "",
            why);
    exit(EXIT_NOT_STARTED);
}
