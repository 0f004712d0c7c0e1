// SPDX-License-Identifier: MIT
// Numbers in texts, read whole or not at all, never cut to what fits; and words of a list.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// A number from `least` to `most`: digits, perhaps a minus before them, nothing behind. False, and
// `number` stays, for any other text.
bool text_whole(const char *text, int64_t least, int64_t most, int64_t *number);
// The place of a word in a list of so many, or that number: it is none of them.
int text_among(const char *word, const char *const *list, int count);
// Seconds from 0.001 to 86400 in decimal digits, as microseconds. False, and `us` stays, for any
// other text.
bool text_seconds(const char *text, int64_t *us);
