// SPDX-License-Identifier: MIT
// Circumstances that stop an operation: a sentence that names the thing and the action.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ERR_TEXT_MAX = 512 };

// Zeroed by its owner; the first error stays, later ones are dropped.
struct err {
    bool set;
    char text[ERR_TEXT_MAX];
};

// Adds a name to a list of them for a message, "a, b, c", as far as there is room.
void err_list(char *list, size_t size, const char *name);
// Always returns false, for `return err_set(...)`.
__attribute__((format(printf, 2, 3))) bool err_set(struct err *err, const char *format, ...);
