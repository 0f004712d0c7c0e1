// SPDX-License-Identifier: MIT
// The list of games; the only place that names them all. Games from outside stand behind it.
#include "games/registry.h"

#include "games/text.h"

static const struct game *const games[] = {
    &game_cuptactoe, &game_reversi, &game_tower4, &game_hopchess, &game_connect6,
};

enum { GAMES = sizeof games / sizeof *games };

static const struct game_source *outside;

void game_set_source(const struct game_source *source) { outside = source; }

int game_count(void) { return GAMES + (outside ? outside->count() : 0); }

const struct game *game_nth(int n) {
    if (n < 0 || n >= game_count())
        return NULL;
    return n < GAMES ? games[n] : outside->nth(n - GAMES);
}

const struct game *game_find(const char *name) {
    for (int i = 0; i < GAMES; i++)
        if (text_equal(games[i]->name, name))
            return games[i];
    return outside ? outside->find(name) : NULL;
}
