// SPDX-License-Identifier: MIT
// The evaluation of connect6: a small network over the lines through empty cells. A line is seen by
// a player as lines.h numbers the ways it can look. Every way has a row of weights for the sums of
// the player who sees it, and one for the other's. The rows of the four lines through a cell, seen
// by both, are added up; what is above 0 of these sums counts, added up over all empty cells that
// have a stone or a block in sight, and a small layer makes a value of both players' sums. Two
// weighings of a cell's sums tell how likely a stone is to come there: the first of a turn, or the
// second.
//
// A net is read by any number of threads. A view is one thread's, follows one board and is told of
// every stone; it is told before the board, of a stone that comes and of one that goes, and takes
// in what the last stone has changed when it is asked.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "engine/connect6/board.h"

enum {
    NET6_UNITS = 16,
    NET6_HIDDEN = 16,
    NET6_WAYS = LINE_SIDES * LINE_SIDES,           // a line can look
    NET6_ROWS = LINE_SIDES * (LINE_SIDES + 1) / 2, // of which none is another one turned around
    NET6_ONE = 256,                                // 1.0 in sums and weights
    NET6_SPREAD = 32,                              // the sums over all cells are divided by this
    NET6_POINTS = 150,                             // hundredths of a stone for odds of e to 1
    NET6_ROW_MOST = 2000, // of a weight in a row, so that sums keep to 16 bits
};

// The weights, as they are packed: all of them int16_t.
struct net6_weights {
    int16_t row[2][NET6_ROWS][NET6_UNITS]; // to the sums of who sees the line; to the other's
    int16_t bias[NET6_UNITS];
    int16_t policy[2][2][NET6_UNITS];           // [stones left - 1]: of sums as they are; above 0
    int16_t hidden[NET6_HIDDEN][2][NET6_UNITS]; // of the player to move; of the other
    int16_t hidden_bias[NET6_HIDDEN];
    int16_t out[NET6_HIDDEN];
    int16_t direct[2][NET6_UNITS]; // of the sums without the layer between
    int16_t out_bias;
};

struct net6 {
    _Alignas(64) int16_t way[NET6_WAYS][2][NET6_UNITS]; // a cache line each
    struct net6_weights weights;
};

// What a stone has changed at a cell, to be put back when it goes.
struct net6_change {
    int16_t sum[2][NET6_UNITS];
    uint8_t side[2][2]; // of the line through both
    int16_t cell;
    uint8_t direction, near;
};
struct net6_mark {
    int32_t total[2][NET6_UNITS];
    int changes; // in the list before it
};

struct net6_view {
    const struct net6 *net;
    const struct board6 *board;
    _Alignas(64) int16_t sum[BOARD_CELLS][2][NET6_UNITS]; // as black is concerned, and white
    int32_t total[2][NET6_UNITS];
    // How the lines through an empty cell look: to black, to white; left, right.
    uint8_t side[DIRECTIONS][BOARD_CELLS][2][2];
    uint8_t near[BOARD_CELLS]; // which of them are not blank: two bits a direction
    struct cells seen;         // empty cells where one of them is not
    int pending;               // the last stone, not taken in yet; or -1

    // What to put back, of every stone.
    struct net6_mark marks[BOARD_CELLS];
    struct net6_change changes[BOARD_CELLS * CHANGES_MAX / 2];
    int count, change_count;
};

// Those that the program carries, made when it is built.
extern const struct net6 net6_carried;

// Fills in the ways. All weights are 0 if there are none (NULL).
void net6_make(struct net6 *net, const struct net6_weights *weights);
bool net6_read(const void *bytes, size_t size, struct net6_weights *weights, struct err *err);
void net6_write(const struct net6_weights *weights, struct buf *out);
// The row of a way, the same of it turned around.
static inline int net6_row(int way) {
    const int left = way / LINE_SIDES, right = way % LINE_SIDES;
    return left > right ? left * (left + 1) / 2 + right : right * (right + 1) / 2 + left;
}

// From the board as it is. Net and board are borrowed.
void net6_view_init(struct net6_view *view, const struct net6 *net, const struct board6 *board);
// Before a stone is placed on the board; after it is taken back.
void net6_view_place(struct net6_view *view, int cell);
void net6_view_undo(struct net6_view *view);
// In hundredths of a stone, for the player whose turn begins.
int net6_view_value(struct net6_view *view, int player);
// How likely a stone of the player comes to a cell, as a logarithm, with so many stones left in the
// turn: NET6_ONE * NET6_ONE for e times as likely. Lists those of a set that have a stone in sight,
// in their order; returns how many.
int net6_view_policies(struct net6_view *view, int player, int stones, const struct cells *from,
                       int16_t cell[static BOARD_CELLS], int value[static BOARD_CELLS]);
