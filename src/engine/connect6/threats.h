// SPDX-License-Identifier: MIT
// The threats on a board, and the stones that stop them. A threat is a window that its owner fills
// with one or two stones to make six, and without making an overline on the way.
#pragma once

#include "engine/connect6/board.h"

enum { THREATS_MAX = 64, COVERS_MAX = 4, NO_CELL = -1 };

struct threat {
    int16_t a, b; // its empty cells; b is NO_CELL if there is one
};

struct threats {
    struct threat list[THREATS_MAX];
    int count;
};

// Stones that stop all threats; b is NO_CELL if one does, and the other is free.
struct stone_cover {
    int16_t a, b;
};

struct covers {
    struct threats threats; // those to be stopped
    struct stone_cover list[COVERS_MAX];
    int count;
    int stones; // the least that do; 0: there are no threats; 3: two stones are not enough
};

void threats_find(const struct board6 *board, int player, struct threats *threats);
// A threat that the player fills with so many stones; its cells are NO_CELL if there is none.
struct threat threats_six(const struct board6 *board, int player, int stones);
// All that `player` can do with so many stones (1 or 2) against the other's threats. Every pair of
// stones that stops them is a cover, or holds one. A second stone may still make an overline with
// the first.
void covers_find(const struct board6 *board, int player, int stones, struct covers *covers);
// Adds the empty cells of a player's windows of at least so many stones that may become six.
void windows_add(const struct board6 *board, int player, int least, struct cells *cells);
