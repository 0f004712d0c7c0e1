// SPDX-License-Identifier: MIT
// What was learned of a game: what its cells, and small patterns of them, are worth. The cells are
// read from the text of a position, whose form every game on a board has in common (board-conf.md):
// rows, a letter a cell, a number for so many empty ones.
//
// A pattern is a few cells that lie together: a line, or a block. What stands in it, read as a
// number, is the place of its weight; lines and small squares have the same weights wherever they
// lie, single cells and, on small boards, larger blocks their own at each place. A weight is
// twofold, for each player to move. The sum over all patterns, by tanh, is Black's expected result.
//
// A lore belongs to who made it and may be read by several threads; a view belongs to one.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "games/game.h"

enum {
    LORE_CELLS_MAX = 1024,
    LORE_MARKS_MAX = 6,
    LORE_WEIGHTS_MAX = 1 << 20, // numbers in all
    LORE_SUM_CHARS = 16,        // of the rules' checksum, that a file names
    LORE_SETTINGS_CHARS = 8,    // of a sum of the settings it was learned under
    LORE_PER_ONE = 2048,        // a weight in a file is a whole number; so many are 1
};

struct lore {
    const struct game *game;
    int width, height, layers, cells;
    char marks[LORE_MARKS_MAX + 1];         // letters of cells that are not empty
    char settings[LORE_SETTINGS_CHARS + 1]; // that it is of, as a sum; "": the game's own
    uint8_t class_of[256]; // of a letter: 0 empty, else a place among the marks from 1
    int base;              // classes of a cell
    int patterns;
    uint32_t *origin;              // of a pattern: where its weights begin
    uint32_t *reach;               // cells + 1: of a cell, where the patterns it is in are listed
    uint32_t *member;              // of those: the pattern
    uint32_t *step;                // and what one class more in this cell adds to its number
    uint32_t places, member_count; // of weights; of the two lists
    float mixed; // the share of games by chance in what a position is worth; above 1: the weights
                 // are no use, and the game is better played without them
    float (*weight)[2]; // by the player to move
};

// Learns the letters of the game by random games under these rules, and lays out the patterns; all
// weights are 0. NULL with an error if its positions do not begin with a board, or it is too large.
struct lore *lore_new(const struct ruleset *rules, struct err *err);
// From a file. NULL with an error if it is not one, or is damaged; the first letters of the rules'
// checksum must be those that it was learned for, unless `sum` is NULL, and so must the settings.
struct lore *lore_read(const struct ruleset *rules, const char *sum, const void *bytes, size_t size,
                       struct err *err);
void lore_free(struct lore *lore); // NULL is fine
void lore_write(const struct lore *lore, const char *sum, struct buf *out);

// What a move does to the cells, where it always does the same. It is believed to when it has done
// so a few times, in a game where nearly all moves do; else the cells are read anew.
struct lore_effect {
    uint8_t times; // LORE_VARIES: it does not
    uint8_t count; // of cells
    struct {
        uint16_t cell;
        uint8_t before, after;
    } change[2];
};

enum { LORE_VARIES = 255, LORE_EFFECTS_MAX = 1 << 16 };

// A position as the lore sees it.
struct lore_view {
    const struct lore *lore;
    uint8_t cells[LORE_CELLS_MAX];
    uint32_t *place;             // of each pattern, its weight
    float sum[2];                // by the player to move
    uint32_t known, varied;      // moves whose effect was seen, and those that do not do the same
    struct lore_effect *effects; // of moves, twice as many: by who moves; NULL: there are too many
    // For positions that differ in a few cells.
    uint32_t *shift, *stamp, *touched, now;
    char text[STATE_TEXT_MAX];
};

void lore_view_init(struct lore_view *view, const struct lore *lore);
void lore_view_done(struct lore_view *view);
void lore_look(struct lore_view *view, const void *state);
// The sum of another position, for whoever is to move there; the game is not over. Quick where it
// differs little from the one in view.
float lore_sum_of(struct lore_view *view, const void *other);
// The same for the position that a move of a player leads to from the one in view.
float lore_sum_after(struct lore_view *view, move m, int player, const void *other);
