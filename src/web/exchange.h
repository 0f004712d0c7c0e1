// SPDX-License-Identifier: MIT
// One request and its answer, apart from how they travel; and the table of routes. Who frees an
// exchange frees body and answer with it.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "web/guard.h"
#include "web/venue.h"

enum { PATH_TEXT_MAX = 256, BODY_MAX = 1 << 18 };

struct exchange {
    // what was asked
    bool post;
    char path[PATH_TEXT_MAX], query[PATH_TEXT_MAX];
    bool organiser; // has the key
    bool takes_gzip;
    struct buf body;
    char word[2][64]; // what stood for the stars of the route
    // the answer
    int status;
    const char *type;
    char header[2][256]; // "Name: value"; "" if none
    struct buf answer;
    const char *fixed; // instead of `answer`: bytes that stay
    size_t fixed_length;
    bool leave; // the server ends after it
};

struct web {
    struct venue *venue;
    struct guard guard;
    bool personal;
    bool leaving;
};

// Finds the route, checks who may, and answers.
void exchange_answer(struct web *web, struct exchange *x);
// Whether a POST to the path may have a body at all, before it is read.
bool exchange_may_post(const struct web *web, struct exchange *x);
void exchange_done(struct exchange *x);

// Answers.
void answer_json(struct exchange *x, int status, json_t *take_value);
// What is wrong: a literal, or what err_set was told. The page says it in its own language by the
// form and the values (docs/api.md).
void answer_error(struct exchange *x, int status, const char *words);
void answer_err(struct exchange *x, int status, const struct err *err);
// A file that is built in, by its path; false if there is none.
bool answer_file(struct exchange *x, const char *path);
