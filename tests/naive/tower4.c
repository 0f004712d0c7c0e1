// SPDX-License-Identifier: MIT
#include "naive_games.h"

struct tower4 {
    int board[6][6][6]; // [layer][row][col]: 0, 1 or 2; layer 0 at the bottom
    int corners;        // cells cut per corner: 3 or 1
    int pieces;         // to be played in the game
    int played;
    int lines; // completed so far by both players together
    int points[2];
};

static bool is_column(const struct tower4 *t, int row, int col) {
    static const char *const three_cut[6] = {
        "  ##  ", " #### ", "######", "######", " #### ", "  ##  ",
    };
    static const char *const one_cut[6] = {
        " #### ", "######", "######", "######", "######", " #### ",
    };
    if (row < 0 || row > 5 || col < 0 || col > 5) {
        return false;
    }
    return (t->corners == 3 ? three_cut : one_cut)[row][col] == '#';
}

static int height(const struct tower4 *t, int row, int col) {
    int layer = 0;
    while (layer < 6 && t->board[layer][row][col] != 0) {
        layer++;
    }
    return layer;
}

static bool is_legal(const struct tower4 *t, int row, int col) {
    return is_column(t, row, col) && height(t, row, col) < 6;
}

// Whether the four cells from (layer, row, col) on in a direction are the player's.
static bool is_line(const struct tower4 *t, int player, int layer, int row, int col,
                    const int step[3]) {
    for (int i = 0; i < 4; i++) {
        const int l = layer + i * step[0], r = row + i * step[1], c = col + i * step[2];
        if (l < 0 || l > 5 || r < 0 || r > 5 || c < 0 || c > 5 || t->board[l][r][c] != player) {
            return false;
        }
    }
    return true;
}

// Lines of four through the piece just played.
static int lines_through(const struct tower4 *t, int player, int layer, int row, int col) {
    static const int steps[13][3] = {
        {0, 0, 1}, {0, 1, 0},  {1, 0, 0}, {0, 1, 1},  {0, 1, -1}, {1, 0, 1},   {1, 0, -1},
        {1, 1, 0}, {1, -1, 0}, {1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1},
    };
    int count = 0;
    for (int d = 0; d < 13; d++) {
        for (int back = 0; back < 4; back++) {
            count += is_line(t, player, layer - back * steps[d][0], row - back * steps[d][1],
                             col - back * steps[d][2], steps[d]);
        }
    }
    return count;
}

static void tower4_start(struct naive *n, const char *const *settings) {
    static const char *const corners[] = {"3", "1", NULL};
    struct tower4 *t = n->state;
    t->corners = naive_choice(settings, "corners", corners) == 0 ? 3 : 1;
    // More pieces than cells could not all be played, and the rules know no other end.
    t->pieces = naive_number(settings, "pieces", 64, 1, t->corners == 3 ? 24 * 6 : 32 * 6);
}

static void tower4_legal(const struct naive *n, struct naive_list *list) {
    for (int row = 0; row < 6; row++) {
        for (int col = 0; col < 6; col++) {
            if (is_legal(n->state, row, col)) {
                naive_list_pair(list, row, col);
            }
        }
    }
}

static bool tower4_play(struct naive *n, const char *text) {
    struct tower4 *t = n->state;
    const int player = n->turn;
    int row, col;
    if (!naive_read_pair(&text, &row, &col) || *text != '\0' || !is_legal(t, row, col)) {
        return false;
    }
    const int layer = height(t, row, col);
    t->board[layer][row][col] = player;
    t->played++;
    const int lines = lines_through(t, player, layer, row, col);
    for (int i = 0; i < lines; i++) {
        t->lines++;
        t->points[player - 1] += 100 / t->lines;
    }
    if (t->played == t->pieces) {
        const int lead = t->points[0] - t->points[1];
        naive_end(n, lead > 0 ? 1 : lead < 0 ? 2 : 0, "pieces");
    } else {
        n->turn = 3 - player;
    }
    return true;
}

static bool tower4_scores(const struct naive *n, int scores[2]) {
    const struct tower4 *t = n->state;
    scores[0] = t->points[0];
    scores[1] = t->points[1];
    return true;
}

static const char *const keys[] = {"corners", "pieces", NULL};

const struct naive_game naive_tower4 = {
    .name = "tower4",
    .keys = keys,
    .state_size = sizeof(struct tower4),
    .start = tower4_start,
    .legal = tower4_legal,
    .play = tower4_play,
    .scores = tower4_scores,
};
