// SPDX-License-Identifier: MIT
// A body on its way, in a file without a name: however many come slowly, they take no memory, and
// nothing is left of one that was broken off.
#pragma once

#include "base/err.h"

#include <stddef.h>

struct upload_file;

struct upload_file *upload_file_new(const char *folder, struct err *err);
bool upload_file_put(struct upload_file *upload, const void *bytes, size_t length);
// All of it, until the upload is freed; NULL if it cannot be had.
const void *upload_file_bytes(struct upload_file *upload, size_t *length);
void upload_file_free(struct upload_file *upload);
