// SPDX-License-Identifier: MIT
#include "naive_games.h"

#include <stdio.h>

struct cup {
    int owner; // 1 or 2
    int size;  // 1 small, 2 medium, 3 large
};

struct cuptactoe {
    struct cup cell[9][3]; // sizes grow strictly upwards, so three cups are the highest stack
    int height[9];
    int hand[3][4]; // [player][size]: cups not yet placed
    int turns;
    int max_turns;
};

static const int lines[8][3] = {
    {0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6},
};

static int top_owner(const struct cuptactoe *c, int cell) {
    return c->height[cell] == 0 ? 0 : c->cell[cell][c->height[cell] - 1].owner;
}

static int top_size(const struct cuptactoe *c, int cell) {
    return c->height[cell] == 0 ? 0 : c->cell[cell][c->height[cell] - 1].size;
}

static bool has_line(const struct cuptactoe *c, int player) {
    for (int i = 0; i < 8; i++) {
        if (top_owner(c, lines[i][0]) == player && top_owner(c, lines[i][1]) == player &&
            top_owner(c, lines[i][2]) == player) {
            return true;
        }
    }
    return false;
}

static bool is_legal(const struct cuptactoe *c, int player, int a, int b) {
    if (b < 0 || b > 8) {
        return false;
    }
    if (a >= 1 && a <= 3) {
        return c->hand[player][a] > 0 && top_size(c, b) < a;
    }
    if (a >= 90 && a <= 98) {
        const int from = a - 90;
        return top_owner(c, from) == player && from != b && top_size(c, b) < top_size(c, from);
    }
    return false;
}

static void cuptactoe_start(struct naive *n, const char *const *settings) {
    struct cuptactoe *c = n->state;
    c->max_turns = naive_number(settings, "max_turns", 30, 1, 1000000);
    for (int size = 1; size <= 3; size++) {
        c->hand[1][size] = 2;
        c->hand[2][size] = 2;
    }
}

static void cuptactoe_legal(const struct naive *n, struct naive_list *list) {
    for (int a = 0; a <= 98; a++) {
        for (int b = 0; b <= 8; b++) {
            if (is_legal(n->state, n->turn, a, b)) {
                char text[16];
                snprintf(text, sizeof text, "%d %d", a, b);
                naive_list_add(list, text);
            }
        }
    }
}

// "A B" with any run of blanks between.
static bool read_move(const char *text, int *a, int *b) {
    if (!naive_read_number(&text, a) || *text != ' ') {
        return false;
    }
    while (*text == ' ') {
        text++;
    }
    return naive_read_number(&text, b) && *text == '\0';
}

static bool cuptactoe_play(struct naive *n, const char *text) {
    struct cuptactoe *c = n->state;
    const int player = n->turn;
    int a, b;
    if (!read_move(text, &a, &b) || !is_legal(c, player, a, b)) {
        return false;
    }
    c->turns++;
    struct cup cup = {.owner = player, .size = a};
    if (a >= 90) {
        const int from = a - 90;
        cup.size = top_size(c, from);
        c->height[from]--;
        // Looked at before the cup comes down: where it would have gone does not matter any more.
        if (has_line(c, 3 - player)) {
            naive_end(n, 3 - player, "lift");
            return true;
        }
    } else {
        c->hand[player][a]--;
    }
    c->cell[b][c->height[b]] = cup;
    c->height[b]++;
    if (has_line(c, player)) {
        naive_end(n, player, "line");
    } else if (c->turns >= c->max_turns) {
        naive_end(n, 2, "turns");
    } else {
        // There is always a move: a large cup is never covered, and four of them leave five cells.
        n->turn = 3 - player;
    }
    return true;
}

static const char *const keys[] = {"max_turns", NULL};

const struct naive_game naive_cuptactoe = {
    .name = "cuptactoe",
    .keys = keys,
    .state_size = sizeof(struct cuptactoe),
    .start = cuptactoe_start,
    .legal = cuptactoe_legal,
    .play = cuptactoe_play,
    .scores = naive_no_scores,
};
