// SPDX-License-Identifier: MIT
// What players write, for people to read. Bytes may be UTF-8 or CP949; what is neither, and what
// would not show or would steer a terminal, is escaped as \xNN.
#pragma once

#include "base/buf.h"

#include <stdbool.h>

// Puts the bytes as UTF-8, if they are that or CP949; false if they are neither.
bool readable_convert(struct buf *out, const char *bytes, size_t length);
// Puts them so that they can be read; of their UTF-8 `max` bytes at most, and "..." for the rest.
void readable_put(struct buf *out, const char *bytes, size_t length, size_t max);
// Of bytes that begin a longer text: how many are whole characters, in the script that they are in.
size_t readable_whole(const char *bytes, size_t length);
// The length of a text that has at most so many bytes and ends with a whole character.
size_t readable_cut(const char *text, size_t length, size_t max);
