// SPDX-License-Identifier: MIT
// A player for hopchess that makes a step or a single hop at random. Make choose() better: the path
// that it returns may also be a chain of hops, at most 99 of them.
//
// Black wants to get to columns 6 and 7, white to columns 0 and 1. Rows and columns are counted
// from 0.
#include "abp.h"

#include <time.h>

enum { OUTSIDE = -1, EMPTY = 0, BLACK = 1, WHITE = 2 };

struct position {
    int board[8][8]; // [row][column]
    int mover;       // BLACK or WHITE; the other one is 3 - mover
};

// A step or a single hop.
struct move {
    int from_row, from_column, to_row, to_column;
};

// The squares that a piece goes through, the one where it stands first: 2 of them for a step or a
// single hop, one more for every further hop.
enum { PATH_MAX_SQUARES = 100 };
struct path {
    int length, row[PATH_MAX_SQUARES], column[PATH_MAX_SQUARES];
};

static int at(const struct position *p, int row, int column) {
    bool outside = row < 0 || row > 7 || column < 0 || column > 7;
    return outside ? OUTSIDE : p->board[row][column];
}

// Writes what the pieces of the mover can do without a chain, and returns how many moves that are.
static int list_moves(const struct position *p, struct move moves[256]) {
    static const int sides[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    int count = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            for (int i = 0; i < 4 && p->board[row][column] == p->mover; i++) {
                int down = sides[i][0], right = sides[i][1];
                int reach = at(p, row + down, column + right) == EMPTY ? 1 : 2; // step or hop
                if (at(p, row + reach * down, column + reach * right) == EMPTY)
                    moves[count++] =
                        (struct move){row, column, row + reach * down, column + reach * right};
            }
    return count;
}

// Moves the piece of the mover one step or one hop, and takes the opponent's piece it hops over.
static void step_or_hop(struct position *p, struct move move) {
    int *middle =
        &p->board[(move.from_row + move.to_row) / 2][(move.from_column + move.to_column) / 2];
    p->board[move.from_row][move.from_column] = EMPTY;
    p->board[move.to_row][move.to_column] = p->mover;
    if (*middle == 3 - p->mover)
        *middle = EMPTY;
}

// Plays a path "r,c r,c ..." of any length, or "pass", a turn that was lost; passes the turn on.
static void play(struct position *p, const char *path) {
    struct move hop;
    int length;
    if (sscanf(path, "%d,%d%n", &hop.from_row, &hop.from_column, &length) == 2)
        for (path += length; sscanf(path, " %d,%d%n", &hop.to_row, &hop.to_column, &length) == 2;
             path += length) {
            step_or_hop(p, hop);
            hop.from_row = hop.to_row;
            hop.from_column = hop.to_column;
        }

    // Who cannot move is skipped, and no move is written for him: we have to find that out.
    struct move moves[256];
    p->mover = 3 - p->mover;
    if (list_moves(p, moves) == 0)
        p->mover = 3 - p->mover;
}

static void set_up(struct position *p, const struct abp_turn *turn) {
    static const int black[9][2] = {{0, 0}, {2, 0}, {4, 0}, {6, 0}, {1, 1},
                                    {3, 1}, {5, 1}, {2, 2}, {4, 2}};
    memset(p, 0, sizeof *p);
    p->mover = BLACK;
    for (int i = 0; i < 9; i++) {
        p->board[black[i][0]][black[i][1]] = BLACK;
        p->board[7 - black[i][0]][7 - black[i][1]] = WHITE; // the same after half a turn
    }
    for (int i = 0; i < turn->move_count; i++)
        play(p, turn->moves[i]);
}

// Your part. There is always a legal move when the judge asks.
static struct path choose(const struct position *p) {
    struct move moves[256];
    int count = list_moves(p, moves);
    struct move move = moves[rand() % count];
    return (struct path){2, {move.from_row, move.to_row}, {move.from_column, move.to_column}};
}

int main(void) {
    static struct abp_turn turn; // static, for it is large
    srand((unsigned)time(NULL));
    while (abp_wait(&turn, "hopchess", "hopchess-kit-c")) {
        struct position p;
        char answer[8 * PATH_MAX_SQUARES];
        set_up(&p, &turn);
        struct path path = choose(&p);
        for (int i = 0, end = 0; i < path.length; i++)
            end += snprintf(answer + end, sizeof answer - (size_t)end, "%s%d,%d", i ? " " : "",
                            path.row[i], path.column[i]);
        abp_answer(&turn, answer);
    }
    return 0;
}
