// SPDX-License-Identifier: MIT
// A module of WebAssembly, read before any other program sees it: whether it is one of rules, and
// without what only tools look at. The caller owns all bytes.
#pragma once

#include "base/buf.h"
#include "base/err.h"

enum { MODULE_NAME_MAX = 100, MODULE_PAGES_MAX = 1024 }; // letters of a name; 64 MiB

// The functions that a module of rules exports, as src/games/wasm.c lists them: how many values
// each takes and gives, all of them i32. Beside them it exports its memory.
struct module_export {
    const char *name; // NULL ends the list
    unsigned params, results;
};
extern const struct module_export module_exports[];

// Adds the module to `plain`, without its custom sections; false: why it is none of rules.
bool module_read(const void *bytes, size_t size, struct buf *plain, struct err *err);
