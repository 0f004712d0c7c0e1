// SPDX-License-Identifier: MIT
#include "naive_games.h"

struct reversi {
    bool is_open;      // the variant of 2020, else the standard game
    char square[8][8]; // '.', 'B', 'W', or '#' for a corner that is not part of the board
};

static char colour_of(int player) { return player == 1 ? 'B' : 'W'; }

// How many discs a disc of the player on (row, col) would flip in one direction.
static int flips_towards(const struct reversi *v, int player, int row, int col, int dr, int dc) {
    int count = 0;
    for (;;) {
        row += dr;
        col += dc;
        if (row < 0 || row > 7 || col < 0 || col > 7) {
            return 0;
        }
        if (v->square[row][col] == colour_of(player)) {
            return count;
        }
        if (v->square[row][col] != colour_of(3 - player)) {
            return 0;
        }
        count++;
    }
}

static bool is_legal(const struct reversi *v, int player, int row, int col) {
    if (row < 0 || row > 7 || col < 0 || col > 7 || v->square[row][col] != '.') {
        return false;
    }
    if (v->is_open && row >= 1 && row <= 6 && col >= 1 && col <= 6) {
        return true;
    }
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            if ((dr != 0 || dc != 0) && flips_towards(v, player, row, col, dr, dc) > 0) {
                return true;
            }
        }
    }
    return false;
}

static bool can_move(const struct reversi *v, int player) {
    for (int row = 0; row < 8; row++) {
        for (int col = 0; col < 8; col++) {
            if (is_legal(v, player, row, col)) {
                return true;
            }
        }
    }
    return false;
}

static void place(struct reversi *v, int player, int row, int col) {
    for (int dr = -1; dr <= 1; dr++) {
        for (int dc = -1; dc <= 1; dc++) {
            if (dr == 0 && dc == 0) {
                continue;
            }
            const int flips = flips_towards(v, player, row, col, dr, dc);
            for (int i = 1; i <= flips; i++) {
                v->square[row + i * dr][col + i * dc] = colour_of(player);
            }
        }
    }
    v->square[row][col] = colour_of(player);
}

static void reversi_start(struct naive *n, const char *const *settings) {
    static const char *const boards[] = {"open", "othello", NULL};
    struct reversi *v = n->state;
    v->is_open = naive_choice(settings, "board", boards) == 0;
    for (int row = 0; row < 8; row++) {
        for (int col = 0; col < 8; col++) {
            v->square[row][col] = '.';
        }
    }
    if (v->is_open) {
        v->square[0][0] = v->square[0][7] = v->square[7][0] = v->square[7][7] = '#';
    } else {
        v->square[3][3] = v->square[4][4] = 'W';
        v->square[3][4] = v->square[4][3] = 'B';
    }
}

static void reversi_legal(const struct naive *n, struct naive_list *list) {
    for (int row = 0; row < 8; row++) {
        for (int col = 0; col < 8; col++) {
            if (is_legal(n->state, n->turn, row, col)) {
                naive_list_pair(list, row, col);
            }
        }
    }
}

static bool reversi_scores(const struct naive *n, int scores[2]) {
    const struct reversi *v = n->state;
    int black = 0, white = 0;
    for (int row = 0; row < 8; row++) {
        for (int col = 0; col < 8; col++) {
            black += v->square[row][col] == 'B';
            white += v->square[row][col] == 'W';
        }
    }
    scores[0] = black - white;
    scores[1] = white - black;
    return true;
}

static bool reversi_play(struct naive *n, const char *text) {
    struct reversi *v = n->state;
    const int player = n->turn;
    int row, col;
    if (!naive_read_pair(&text, &row, &col) || *text != '\0' || !is_legal(v, player, row, col)) {
        return false;
    }
    place(v, player, row, col);
    if (can_move(v, 3 - player)) {
        n->turn = 3 - player;
    } else if (!can_move(v, player)) {
        int scores[2];
        reversi_scores(n, scores);
        naive_end(n, scores[0] > 0 ? 1 : scores[0] < 0 ? 2 : 0, "no-moves");
    }
    return true;
}

static const char *const keys[] = {"board", NULL};

const struct naive_game naive_reversi = {
    .name = "reversi",
    .keys = keys,
    .state_size = sizeof(struct reversi),
    .start = reversi_start,
    .legal = reversi_legal,
    .play = reversi_play,
    .scores = reversi_scores,
};
