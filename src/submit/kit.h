// SPDX-License-Identifier: MIT
// The starter kits (kits/), which are built in. A kit is named by its folder, "reversi/python" or
// "relay". A game that came as a folder has the kits of "any", in which its name is put.
#pragma once

#include "base/buf.h"
#include "base/embed.h"
#include "base/err.h"
#include "games/game.h"

enum { KIT_NAME_MAX = 64 };

// The name of a file inside that kit; NULL: it is no file of it.
const char *kit_file_name(const struct embed *file, const char *kit);
// The first file of the next kit in the list, the first kit if `file` is NULL; NULL: there is none.
// `kit` gets its name.
const struct embed *kit_next(const struct embed *kits, const struct embed *file,
                             char kit[static KIT_NAME_MAX]);
// Is that kit one for this game?
bool kit_is_for(const char *kit, const struct game *game);
// Adds the text of a file as it is in the kit of a game.
void kit_put_file(const struct embed *file, const char *game, struct buf *out);
// The kit of a game and language: its own, or the one of any.
void kit_find(const struct embed *kits, const char *game, const char *language,
              char kit[static KIT_NAME_MAX]);
// Adds the kit as a zip, in a folder that is called `folder`. False: there is no such kit, or with
// an error.
// The files are those of the game that is named; NULL: of the one in the kit's own name.
bool kit_pack(const struct embed *kits, const char *kit, const char *game, const char *folder,
              struct buf *out, struct err *err);

// Which kit of another game the sources in a folder come from, by files that nobody rewrites;
// false: of none. `file` is the one that shows it.
struct kit_origin {
    char game[KIT_NAME_MAX], kit[KIT_NAME_MAX], file[KIT_NAME_MAX];
};
bool kit_of_other_game(const struct embed *kits, const char *folder, const char *game,
                       struct kit_origin *origin);
