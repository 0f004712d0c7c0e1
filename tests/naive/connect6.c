// SPDX-License-Identifier: MIT
#include "naive_games.h"

#include <string.h>

enum overline { OVERLINE_LOSE, OVERLINE_IGNORE, OVERLINE_WIN };

enum { BLOCKED = 3 };

struct connect6 {
    int size;
    enum overline overline;
    bool blocks_are_stones; // of both colours, else of none
    int cell[19][19];       // [y][x]: 0 empty, 1, 2, BLOCKED
    int stones;             // placed so far
};

static bool is_free(const struct connect6 *c, int x, int y) {
    return x >= 0 && x < c->size && y >= 0 && y < c->size && c->cell[y][x] == 0;
}

static bool is_full(const struct connect6 *c) {
    for (int y = 0; y < c->size; y++) {
        for (int x = 0; x < c->size; x++) {
            if (c->cell[y][x] == 0) {
                return false;
            }
        }
    }
    return true;
}

static bool counts_for(const struct connect6 *c, int player, int x, int y) {
    if (x < 0 || x >= c->size || y < 0 || y >= c->size) {
        return false;
    }
    return c->cell[y][x] == player || (c->cell[y][x] == BLOCKED && c->blocks_are_stones);
}

// The length of the run through the player's stone on (x, y), both ways along one direction.
static int run_through(const struct connect6 *c, int player, int x, int y, int dx, int dy) {
    int length = 1;
    for (int i = 1; counts_for(c, player, x + i * dx, y + i * dy); i++) {
        length++;
    }
    for (int i = 1; counts_for(c, player, x - i * dx, y - i * dy); i++) {
        length++;
    }
    return length;
}

// Black one stone, then two each, white first: B WW BB WW ...
static int turn_after(int stones) { return (stones + 1) / 2 % 2 == 0 ? 1 : 2; }

static void read_blocks(struct connect6 *c, const char *text) {
    const char *s = text;
    int count = 0;
    do {
        int x, y;
        if (!naive_read_pair(&s, &x, &y) || !is_free(c, x, y)) {
            naive_refuse("blocks", text);
        }
        c->cell[y][x] = BLOCKED;
        count++;
    } while (*s++ == ' ');
    if (s[-1] != '\0' || count % 2 != 0 || count > 10) {
        naive_refuse("blocks", text);
    }
}

static void connect6_start(struct naive *n, const char *const *settings) {
    static const char *const overlines[] = {"lose", "ignore", "win", NULL};
    static const char *const counts[] = {"both", "neither", NULL};
    struct connect6 *c = n->state;
    c->size = naive_number(settings, "size", 19, 6, 19);
    c->overline = (enum overline)naive_choice(settings, "overline", overlines);
    c->blocks_are_stones = naive_choice(settings, "blocks_count", counts) == 0;
    const char *blocks = naive_setting(settings, "blocks", "none");
    if (strcmp(blocks, "none") != 0) {
        read_blocks(c, blocks);
    }
}

static void connect6_legal(const struct naive *n, struct naive_list *list) {
    const struct connect6 *c = n->state;
    for (int y = 0; y < c->size; y++) {
        for (int x = 0; x < c->size; x++) {
            if (is_free(c, x, y)) {
                naive_list_pair(list, x, y);
            }
        }
    }
}

static bool connect6_play(struct naive *n, const char *text) {
    static const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    struct connect6 *c = n->state;
    const int player = n->turn;
    int x, y;
    if (!naive_read_pair(&text, &x, &y) || *text != '\0' || !is_free(c, x, y)) {
        return false;
    }
    c->cell[y][x] = player;
    c->stones++;
    bool six = false, more = false;
    for (int d = 0; d < 4; d++) {
        const int length = run_through(c, player, x, y, directions[d][0], directions[d][1]);
        six = six || length == 6;
        more = more || length > 6;
    }
    if (more && c->overline == OVERLINE_LOSE) {
        naive_end(n, 3 - player, "overline");
    } else if (six || (more && c->overline == OVERLINE_WIN)) {
        naive_end(n, player, "six");
    } else if (is_full(c)) {
        naive_end(n, 0, "full");
    } else {
        n->turn = turn_after(c->stones);
    }
    return true;
}

static const char *const keys[] = {"size", "blocks", "overline", "blocks_count", NULL};

const struct naive_game naive_connect6 = {
    .name = "connect6",
    .keys = keys,
    .state_size = sizeof(struct connect6),
    .start = connect6_start,
    .legal = connect6_legal,
    .play = connect6_play,
    .scores = naive_no_scores,
};
