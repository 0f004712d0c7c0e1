// SPDX-License-Identifier: MIT
// From the folder of a game to what runs: rules.c becomes a module of WebAssembly by clang, a
// module becomes a shared object of this machine by wasm2c and gcc. The compilers are programs of
// the system; what they say of the rules is handed on.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "games/game.h"

// Makes FOLDER/rules.wasm of FOLDER/rules.c, whose game is called so. What the compiler says is
// added to `said`, also if all is well.
bool make_module(const char *folder, const char *name, struct buf *said, struct err *err);
// Makes a shared object of a module whose facts are these; NULL: one that is asked for its facts
// alone, and made in a hurry.
bool make_native(const char *module, const char *object, const struct game *facts, struct err *err);
// The name of that object's file: another one for another module, and for another version of what
// it is made with.
enum { MAKE_NAME_MAX = 40 };
void make_native_name(const struct buf *module, char name[static MAKE_NAME_MAX]);
