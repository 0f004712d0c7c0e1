// SPDX-License-Identifier: MIT
// What a contest takes of its contestants: which languages, which files, and what C++ is compiled
// as (docs/submissions.md). Without such rules anything goes.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "spec/spec.h"

#include <stdbool.h>

// By its word, or SUBMIT_COUNT; and its word.
enum submit_language submit_language_find(const char *word);
const char *submit_language_word(enum submit_language language);
// The standard by its name in this list, or NULL; `accepted` gets all of them in words.
const char *cpp_standard_find(const char *word, char *accepted, size_t size);
// What g++ is told, so that it takes no more than that; NULL is the usual one.
const char *cpp_flags(const char *cpp);
// Whether a folder fits, with all that lies in it; if not, `why` says which file does not. False
// with an error: a circumstance here.
bool submit_rules_allow(const struct submit_rules *rules, const char *folder, struct buf *why,
                        struct err *err);
