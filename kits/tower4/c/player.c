// SPDX-License-Identifier: MIT
// A player for tower4 that drops into an open column at random. Make choose() better.
//
// Pieces fall into the columns of a 6x6 field without its corners, six to a column. Rows, columns
// and layers are counted from 0, layer 0 at the bottom.
#include "abp.h"

#include <time.h>

enum { CUT = -1, EMPTY = 0, BLACK = 1, WHITE = 2 };

struct position {
    int board[6][6][6]; // [layer][row][column]
    int mover;          // BLACK or WHITE
};

struct column {
    int row, column;
};

// How far a square is from the nearest end of its row or column of the field: 0, 1 or 2.
static int from_edge(int i) { return i < 3 ? i : 5 - i; }

// A column is open as long as its uppermost cell is empty; cut cells are not.
static bool is_open(const struct position *p, int row, int column) {
    return p->board[5][row][column] == EMPTY;
}

// Drops a piece of the mover and passes the turn on.
static void play(struct position *p, int row, int column) {
    int layer = 0;
    while (layer < 5 && p->board[layer][row][column] != EMPTY)
        layer++;
    p->board[layer][row][column] = p->mover;
    p->mover = 3 - p->mover;
}

static void set_up(struct position *p, const struct abp_turn *turn) {
    memset(p, 0, sizeof *p);
    p->mover = BLACK;

    // The standard field lacks three cells at each corner, the one with corners=1 only the
    // outermost.
    const char *corners = abp_setting(turn, "corners");
    int reach = corners && atoi(corners) == 1 ? 1 : 2;
    for (int layer = 0; layer < 6; layer++)
        for (int row = 0; row < 6; row++)
            for (int column = 0; column < 6; column++)
                if (from_edge(row) + from_edge(column) < reach)
                    p->board[layer][row][column] = CUT;

    for (int i = 0; i < turn->move_count; i++) {
        int row, column;
        if (sscanf(turn->moves[i], "%d,%d", &row, &column) == 2)
            play(p, row, column);
    }
}

// Your part. There is always an open column when the judge asks.
static struct column choose(const struct position *p) {
    struct column open[36];
    int count = 0;
    for (int row = 0; row < 6; row++)
        for (int column = 0; column < 6; column++)
            if (is_open(p, row, column))
                open[count++] = (struct column){row, column};
    return open[rand() % count];
}

int main(void) {
    static struct abp_turn turn; // static, for it is large
    srand((unsigned)time(NULL));
    while (abp_wait(&turn, "tower4", "tower4-kit-c")) {
        struct position p;
        char answer[32];
        set_up(&p, &turn);
        struct column move = choose(&p);
        snprintf(answer, sizeof answer, "%d,%d", move.row, move.column);
        abp_answer(&turn, answer);
    }
    return 0;
}
