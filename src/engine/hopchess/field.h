// SPDX-License-Identifier: MIT
// A hopchess position as its mover sees it: his pieces head for the last two columns, those of the
// other for the first two. When the turn goes over, the board is turned by half, so black and white
// share all that is known of a position.
#pragma once

#include "games/bits.h"
#include "games/hopchess.h"

struct hop_field {
    uint64_t own, other;
    int left; // turns until the moves are used up
};

// A move by what it does: the boards after it, not yet turned, and the way of the piece. Both
// squares of a chain that ends where it began are HOPCHESS_LOOP.
struct leap {
    uint64_t own, other;
    int32_t order; // for whoever sorts
    uint8_t from, to;
};

#define FIELD_HOME UINT64_C(0xc0c0c0c0c0c0c0c0) // where the mover's pieces must go
#define FIELD_AWAY UINT64_C(0x0303030303030303) // and where the other's

static inline uint64_t field_turned(uint64_t set) {
    set = (set >> 1 & UINT64_C(0x5555555555555555)) | (set & UINT64_C(0x5555555555555555)) << 1;
    set = (set >> 2 & UINT64_C(0x3333333333333333)) | (set & UINT64_C(0x3333333333333333)) << 2;
    set = (set >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (set & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(set);
}

// After a move, or after none: as the next player sees it.
static inline struct hop_field field_next(const struct hop_field *f, uint64_t own, uint64_t other) {
    return (struct hop_field){field_turned(other), field_turned(own), f->left - 1};
}

static inline struct hop_field field_pass(const struct hop_field *f) {
    return field_next(f, f->own, f->other);
}

static inline bool field_can_move(uint64_t own, uint64_t other) {
    return (hop_neighbours(own) & ~(own | other)) || hop_movers(own, other);
}

// Has a player all his pieces home, or are the moves used up?
static inline bool field_is_over(const struct hop_field *f) {
    return (f->own && !(f->own & ~FIELD_HOME)) || (f->other && !(f->other & ~FIELD_AWAY)) ||
           f->left <= 0;
}

// The score of the mover less that of the other.
static inline int field_margin(const struct hop_field *f) {
    return bits_count(f->own & FIELD_HOME) - bits_count(f->other & FIELD_AWAY);
}

static inline uint64_t field_key(uint64_t own, uint64_t other) {
    uint64_t z = own * UINT64_C(0x9e3779b97f4a7c15) ^ bits_rotate(other, 31);
    z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
    z ^= other * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 29) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 32;
}

// The columns that pieces heading right have to go, in sum and of the last one.
int field_columns(uint64_t pieces, int *last);

// Black's score less white's.
static inline int field_black_margin(const struct hopchess *state) {
    return bits_count(state->piece[0] & FIELD_HOME) - bits_count(state->piece[1] & FIELD_AWAY);
}

// From and to the rules' own state. The game must not be over.
struct hop_field field_of_state(const struct hopchess *state);
move field_move(const struct hopchess *state, const struct leap *leap);

// The moves of a position, one for each resulting board; no path is made. At most `room` of them;
// LEAPS_ROOM is room for all there can be. `captures` asks for those alone that take something.
enum { LEAPS_ROOM = HOP_PIECES * (HOP_SQUARES / 4 * HOP_SETS + 4) };
int leaps_list(const struct hop_field *f, int max_hops, bool captures, struct leap *list, int room);
// The moves of one side that is alone on the board.
int leaps_solo(uint64_t own, int max_hops, struct leap *list, int room);
// Where a piece on any of `squares` comes to in one move, the others standing still.
uint64_t leaps_together(uint64_t squares, uint64_t still);
