// SPDX-License-Identifier: MIT
// The starter kits (kits/), which are built in. A kit is named by its folder, "reversi/python" or
// "relay".
#pragma once

#include "base/buf.h"
#include "base/embed.h"
#include "base/err.h"

enum { KIT_NAME_MAX = 64 };

// The name of a file inside that kit; NULL: it is no file of it.
const char *kit_file_name(const struct embed *file, const char *kit);
// The first file of the next kit in the list, the first kit if `file` is NULL; NULL: there is none.
// `kit` gets its name.
const struct embed *kit_next(const struct embed *kits, const struct embed *file,
                             char kit[static KIT_NAME_MAX]);
// Adds the kit as a zip, in a folder that is called `folder`. False: there is no such kit, or with
// an error.
bool kit_pack(const struct embed *kits, const char *kit, const char *folder, struct buf *out,
              struct err *err);

// Which kit of another game the sources in a folder come from, by files that nobody rewrites;
// false: of none. `file` is the one that shows it.
struct kit_origin {
    char game[KIT_NAME_MAX], kit[KIT_NAME_MAX], file[KIT_NAME_MAX];
};
bool kit_of_other_game(const struct embed *kits, const char *folder, const char *game,
                       struct kit_origin *origin);
