// SPDX-License-Identifier: MIT
// Circumstances that stop an operation: a sentence that names the thing and the action.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ERR_TEXT_MAX = 512, ERR_VALUES_MAX = 4, ERR_VALUE_MAX = 160 };

// Zeroed by its owner; the first error stays, later ones are dropped.
struct err {
    bool set;
    char text[ERR_TEXT_MAX];
    // The same for who says it in another language: the sentence with its gaps, as err_set was
    // given it, and what stands in them.
    const char *form;
    char values[ERR_VALUES_MAX][ERR_VALUE_MAX];
    int value_count;
    char who[ERR_VALUE_MAX]; // whom it is about, before the sentence; "": nobody
};

// Adds a name to a list of them for a message, "a, b, c", as far as there is room.
void err_list(char *list, size_t size, const char *name);
// Always returns false, for `return err_set(...)`. The format stays where it is: a literal.
__attribute__((format(printf, 2, 3))) bool err_set(struct err *err, const char *format, ...);
// Hands on another error, said of somebody: "WHO was refused: ...". Always returns false.
bool err_refuse(struct err *err, const char *who, const struct err *why);
