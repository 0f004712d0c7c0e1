// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4), for checksums that nobody can forge.
#pragma once

#include <stddef.h>

enum { SHA256_HEX_MAX = 65 };

void sha256_hex(const void *bytes, size_t size, char hex[static SHA256_HEX_MAX]);
