// SPDX-License-Identifier: MIT
// Memory that is there or ends the program; freed with free().
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *mem_new(size_t count, size_t size); // zeroed
void *mem_lines(size_t size);             // zeroed; whole cache lines that nothing else lies in
void *mem_resize(void *old, size_t size);
char *mem_text(const char *words); // a copy
// A sum of bytes, by which a file that was cut or changed is found out.
uint64_t mem_sum(const void *bytes, size_t size);
// Whether this program was built to find errors: it then reserves far more memory than it uses, and
// falls by itself.
bool mem_is_sanitized(void);
