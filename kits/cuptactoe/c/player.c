// SPDX-License-Identifier: MIT
// A player for cuptactoe that makes a legal move at random. Make choose() better: it does not even
// see that lifting a cup may uncover a line of the opponent, which loses at once.
//
// A move is "A B": A is 1, 2 or 3 for a new small, medium or large cup, or 90 to 98 for the cup on
// cell 0 to 8; B is the cell it goes to.
#include "abp.h"

#include <time.h>

enum { NOBODY = 0, X = 1, O = 2 };

// A cup covers only smaller ones, so a cell holds at most one cup of each size.
struct position {
    int owner[9][4]; // [cell][size]: whose cup of that size stands there; size 0 is not used
    int hand[3][4];  // [player][size]: how many such cups are not yet on the board
    int mover;       // X or O; the other one is 3 - mover
};

struct move {
    int a, b; // as they are written
};

// The size of the cup on top of a cell, 0 if there is none.
static int top(const struct position *p, int cell) {
    int size = 3;
    while (size > 0 && p->owner[cell][size] == NOBODY)
        size--;
    return size;
}

// Adds the moves of one cup, named a, to every cell where it may go: those with only smaller cups.
// Its own cell is none of them, for the cup is no smaller than itself.
static int add_moves(const struct position *p, int a, int size, struct move moves[], int count) {
    for (int cell = 0; cell < 9; cell++)
        if (top(p, cell) < size)
            moves[count++] = (struct move){a, cell};
    return count;
}

// Writes the legal moves and returns how many there are.
static int list_moves(const struct position *p, struct move moves[12 * 9]) {
    int count = 0;
    for (int size = 1; size <= 3; size++)
        if (p->hand[p->mover][size] > 0)
            count = add_moves(p, size, size, moves, count);
    for (int cell = 0; cell < 9; cell++)
        if (top(p, cell) > 0 && p->owner[cell][top(p, cell)] == p->mover)
            count = add_moves(p, 90 + cell, top(p, cell), moves, count);
    return count;
}

// Makes a move and passes the turn on.
static void play(struct position *p, struct move move) {
    int size = move.a;
    if (move.a >= 90) {
        size = top(p, move.a - 90);
        p->owner[move.a - 90][size] = NOBODY;
    } else {
        p->hand[p->mover][size]--;
    }
    p->owner[move.b][size] = p->mover;
    p->mover = 3 - p->mover;
}

static void set_up(struct position *p, const struct abp_turn *turn) {
    memset(p, 0, sizeof *p);
    p->mover = X;
    for (int size = 1; size <= 3; size++)
        p->hand[X][size] = p->hand[O][size] = 2;
    for (int i = 0; i < turn->move_count; i++) {
        struct move move;
        if (sscanf(turn->moves[i], "%d %d", &move.a, &move.b) == 2)
            play(p, move);
    }
}

// Your part. There is always a legal move: four large cups cannot close nine cells.
static struct move choose(const struct position *p) {
    struct move moves[12 * 9];
    int count = list_moves(p, moves);
    return moves[rand() % count];
}

int main(void) {
    static struct abp_turn turn; // static, for it is large
    srand((unsigned)time(NULL));
    while (abp_wait(&turn, "cuptactoe", "cuptactoe-kit-c")) {
        struct position p;
        char answer[32];
        set_up(&p, &turn);
        struct move move = choose(&p);
        snprintf(answer, sizeof answer, "%d %d", move.a, move.b);
        abp_answer(&turn, answer);
    }
    return 0;
}
