// SPDX-License-Identifier: MIT
// Trained weights as few bytes. A packed file names what it holds and carries a checksum.
#pragma once

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

enum { PACK_NAME_MAX = 64 };

// Appends the weights to `out`. Weights that stand `period` apart are taken to be alike, as those
// of neighbouring stages are; 0 if there is no such order.
void pack_write(struct buf *out, const char *name, const int16_t *weights, size_t count,
                size_t period);
// Fills in `count` weights. False, with nothing to be relied on, if the bytes are not what
// pack_write made of so many weights of that name.
bool pack_read(const void *bytes, size_t size, const char *name, int16_t *weights, size_t count,
               struct err *err);
