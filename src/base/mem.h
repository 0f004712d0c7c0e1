// SPDX-License-Identifier: MIT
// Memory that is there or ends the program; freed with free().
#pragma once

#include <stddef.h>

void *mem_new(size_t count, size_t size); // zeroed
void *mem_resize(void *old, size_t size);
char *mem_text(const char *words); // a copy
