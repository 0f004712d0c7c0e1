// SPDX-License-Identifier: MIT
#include "sandbox/fail.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

_Noreturn void fail(const char *what, const char *name) {
    const char *why = errno ? strerror(errno) : "";
    fprintf(stderr, "arbiter-box: %s%s%s%s%s\n", what, *name ? " " : "", name, *why ? ": " : "",
            why);
    _exit(EXIT_NOT_STARTED); // nothing is to be tidied up, nor looked through by a sanitizer
}
