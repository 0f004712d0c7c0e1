// SPDX-License-Identifier: MIT
// The list of games; the only place that names them all.
#include "games/registry.h"

#include "games/text.h"

static const struct game *const games[] = {
    &game_cuptactoe, &game_reversi, &game_tower4, &game_hopchess, &game_connect6,
};

int game_count(void) { return (int)(sizeof games / sizeof *games); }

const struct game *game_nth(int n) { return n >= 0 && n < game_count() ? games[n] : NULL; }

const struct game *game_find(const char *name) {
    for (int i = 0; i < game_count(); i++)
        if (text_equal(games[i]->name, name))
            return games[i];
    return NULL;
}
