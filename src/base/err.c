// SPDX-License-Identifier: MIT
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *err, const char *format, ...) {
    if (err->set)
        return false;
    err->set = true;
    va_list args;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    for (char *p = err->text; *p; p++) // somebody's words may be in it: one line, no escape codes
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    return false;
}

void err_list(char *list, size_t size, const char *name) {
    const size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}
