// SPDX-License-Identifier: MIT
// Files and folders by their paths.
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

// Removes a file, or a folder with all that is in it, however deep and whatever its permissions;
// links are not followed.
void path_remove(const char *path);
// Whether a program of that name would be found by the shell.
bool path_has_program(const char *program);
// Adds what a file holds, up to `most` bytes and one more. False with errno set.
bool path_read(const char *path, size_t most, struct buf *out);
// Writes a file whole, or not at all: under another name first. False with errno set.
bool path_write(const char *path, const void *bytes, size_t size);
