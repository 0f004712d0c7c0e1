// SPDX-License-Identifier: MIT
// A body on its way, in a file without a name: however many come slowly, they take no memory, and
// nothing is left of one that was broken off.
#pragma once

#include "base/err.h"

#include <stddef.h>

struct spool;

struct spool *spool_new(const char *folder, struct err *err);
bool spool_put(struct spool *spool, const void *bytes, size_t length);
// All of it, until the spool is freed; NULL if it cannot be had.
const void *spool_bytes(struct spool *spool, size_t *length);
void spool_free(struct spool *spool);
