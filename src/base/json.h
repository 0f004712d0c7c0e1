// SPDX-License-Identifier: MIT
// Jansson, and the little it lacks for us.
#pragma once

#include <jansson.h>
#include <stdio.h>

// How all our JSON is written: one line, reals without digits that mean nothing.
#define JSON_LINE (JSON_COMPACT | JSON_REAL_PRECISION(12))

// Any bytes as a JSON string; where they are not UTF-8, all but printable ASCII becomes "?".
json_t *json_text(const char *words);
// Writes a value as one line and frees it.
void json_print_line(FILE *file, json_t *take_value);
