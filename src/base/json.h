// SPDX-License-Identifier: MIT
// Jansson, and the little it lacks for us.
#pragma once

#include "base/buf.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// How all our JSON is written: one line, reals without digits that mean nothing.
#define JSON_LINE (JSON_COMPACT | JSON_REAL_PRECISION(12))

// Any bytes as a JSON string; where they are not UTF-8, all but printable ASCII becomes "?".
json_t *json_text(const char *words);
// A whole number from `least` to `most`. False, and `number` stays, for any other value: numbers
// are read whole or not at all, never cut to what fits. (base/whole.h has the same for texts.)
bool json_whole(const json_t *value, int64_t least, int64_t most, int64_t *number);
// The same for an int; what is none is read as `otherwise`.
int json_int(const json_t *value, int otherwise);
// Puts a value as one line, and frees it; false if it cannot be written.
bool json_put(struct buf *out, json_t *take_value);
// Writes a value as one line that may be shown on a terminal (plain.h), and frees it.
void json_print_line(FILE *file, json_t *take_value);
