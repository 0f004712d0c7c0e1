// SPDX-License-Identifier: MIT
// Memory that is there or ends the program.
#pragma once

#include <stddef.h>

void *mem_new(size_t count, size_t size); // zeroed; freed with free()
