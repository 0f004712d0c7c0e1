// SPDX-License-Identifier: MIT
// Files and folders by their paths.
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { PATH_PROGRAM_MAX = 4096 };

// Removes a file, or a folder with all that is in it, however deep and whatever its permissions;
// links are not followed.
void path_remove(const char *path);
// Whether a program of that name would be found by the shell.
bool path_has_program(const char *program);
// Adds what a file holds, up to `most` bytes and one more. False with errno set; what is no regular
// file, such as a pipe or a device, is not read: EINVAL.
bool path_read(const char *path, size_t most, struct buf *out);
// The same in words; false also if it is longer.
bool path_read_whole(const char *path, size_t most, struct buf *out, struct err *err);
// A short file that is read at once, such as the kernel's, below an open folder (AT_FDCWD: as the
// path says): as text, cut to its room; false and "" if it cannot be read.
bool path_read_text(int folder, const char *path, char *text, size_t size);
// Writes words into a file that is there, by one call.
bool path_write_text(const char *path, const char *words);
// Writes a file whole, or not at all: under another name first. False with errno set.
bool path_write(const char *path, const void *bytes, size_t size);
// Makes a folder, unless it is there.
bool path_make_folder(const char *path, struct err *err);
// Whether a name ends with this, and has something before it.
bool path_ends_with(const char *name, const char *end);
// Where this program is, which plays the built-in players too; "" if it cannot be found out. Fills
// in the path and returns it.
const char *path_of_program(char path[static PATH_PROGRAM_MAX]);
