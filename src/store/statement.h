// SPDX-License-Identifier: MIT
// What the questions of the store share, inside this folder: statements, and what comes of them.
#pragma once

#include "store/database.h"
#include "store/store.h"

struct store {
    const struct back_end *back_end;
    struct database *database;
};

// Values of a statement.
#define TEXT(words)                                                                                \
    { .text = (words) }
#define NUMBER(n)                                                                                  \
    { .number = (n) }
#define COUNT(values) (int)(sizeof(values) / sizeof *(values))

// Hands over the first column of every row, a text.
struct text_hand_over {
    void (*each)(void *owner, const char *text);
    void *owner;
};

bool statement_run(struct store *s, const char *sql, const struct value *values, int count,
                   struct rows rows, struct err *err);
// One without values and rows.
bool statement_command(struct store *s, const char *sql, struct err *err);
// Ends a transaction: what it did stands if all went well.
bool statement_settle(struct store *s, bool good, struct err *err);
// For rows of one number (owner is an int64_t) or one text (owner is a text_hand_over).
void statement_take_number(void *owner, const struct value *columns);
void statement_hand_over_text(void *owner, const struct value *columns);
