// SPDX-License-Identifier: MIT
// A player for reversi that plays a legal square at random. Make choose() better.
//
// The board starts empty and has no corners. A disc goes to any empty square of the central 6x6, or
// to an empty square where it flips something. Rows and columns are counted from 0.
#include "abp.h"

#include <time.h>

enum { CUT = -1, EMPTY = 0, BLACK = 1, WHITE = 2 };

struct position {
    int board[8][8]; // [row][column]
    int mover;       // BLACK or WHITE; the other one is 3 - mover
    bool free_centre;
};

struct square {
    int row, column;
};

// What stands on a square; all around the board is CUT, so that nobody need ask where the edge is.
static int at(const struct position *p, int row, int column) {
    bool outside = row < 0 || row > 7 || column < 0 || column > 7;
    return outside ? CUT : p->board[row][column];
}

// How many discs the mover would flip in one direction: a run of the opponent's with an own one
// behind.
static int run_length(const struct position *p, int row, int column, int down, int right) {
    int length = 0;
    do {
        length++;
    } while (at(p, row + length * down, column + length * right) == 3 - p->mover);
    bool closed = at(p, row + length * down, column + length * right) == p->mover;
    return closed ? length - 1 : 0;
}

static bool is_legal(const struct position *p, int row, int column) {
    if (at(p, row, column) != EMPTY)
        return false;
    if (p->free_centre && row >= 1 && row <= 6 && column >= 1 && column <= 6)
        return true;
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++)
            if ((down || right) && run_length(p, row, column, down, right) > 0)
                return true;
    return false;
}

// Writes the legal squares of the mover and returns how many there are.
static int list_moves(const struct position *p, struct square moves[64]) {
    int count = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            if (is_legal(p, row, column))
                moves[count++] = (struct square){row, column};
    return count;
}

// Places a disc of the mover and passes the turn on.
static void play(struct position *p, int row, int column) {
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int length = down || right ? run_length(p, row, column, down, right) : 0;
            for (int i = 1; i <= length; i++)
                p->board[row + i * down][column + i * right] = p->mover;
        }
    p->board[row][column] = p->mover;

    // Who cannot move is skipped, and no move is written for him: we have to find that out.
    struct square moves[64];
    p->mover = 3 - p->mover;
    if (list_moves(p, moves) == 0)
        p->mover = 3 - p->mover;
}

static void set_up(struct position *p, const struct abp_turn *turn) {
    memset(p, 0, sizeof *p);
    p->mover = BLACK;
    const char *board = abp_setting(turn, "board");
    p->free_centre = !board || strncmp(board, "othello", 7) != 0;
    if (p->free_centre) {
        p->board[0][0] = p->board[0][7] = p->board[7][0] = p->board[7][7] = CUT;
    } else { // standard Othello, which the judge can play too
        p->board[3][3] = p->board[4][4] = WHITE;
        p->board[3][4] = p->board[4][3] = BLACK;
    }
    for (int i = 0; i < turn->move_count; i++) {
        int row, column;
        if (sscanf(turn->moves[i], "%d,%d", &row, &column) == 2)
            play(p, row, column);
    }
}

// Your part. There is always a legal move when the judge asks.
static struct square choose(const struct position *p) {
    struct square moves[64];
    int count = list_moves(p, moves);
    return moves[rand() % count];
}

int main(void) {
    static struct abp_turn turn; // static, for it is large
    srand((unsigned)time(NULL));
    while (abp_wait(&turn, "reversi", "reversi-kit-c")) {
        struct position p;
        char answer[32];
        set_up(&p, &turn);
        struct square move = choose(&p);
        snprintf(answer, sizeof answer, "%d,%d", move.row, move.column);
        abp_answer(&turn, answer);
    }
    return 0;
}
