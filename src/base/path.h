// SPDX-License-Identifier: MIT
// Files and folders by their paths.
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

// Makes a fresh folder below $TMPDIR, for us alone; the caller frees the path. NULL with an error,
// which says whom it was for.
char *path_new_folder(const char *whom, struct err *err);
// Removes a folder with all that is in it; links are not followed.
void path_remove(const char *folder);
// Whether a program of that name would be found by the shell.
bool path_has_program(const char *program);
// Adds what a file holds, up to `most` bytes and one more. False with errno set.
bool path_read(const char *path, size_t most, struct buf *out);
// Writes a file whole, or not at all: under another name first. False with errno set.
bool path_write(const char *path, const void *bytes, size_t size);
