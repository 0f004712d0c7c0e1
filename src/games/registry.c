// SPDX-License-Identifier: MIT
// The list of games; the only place that names them all.
#include "games/registry.h"

#include "games/text.h"

const struct game *const games[] = {
    &game_cuptactoe, &game_reversi, &game_tower4, &game_hopchess, &game_connect6,
};

const int game_count = (int)(sizeof games / sizeof *games);

const struct game *game_find(const char *name) {
    for (int i = 0; i < game_count; i++)
        if (text_equal(games[i]->name, name))
            return games[i];
    return NULL;
}
