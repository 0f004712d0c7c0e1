// SPDX-License-Identifier: MIT
// Moves are made piece by piece. All squares that a piece reaches with the same pieces captured are
// one word, and spread by hops over its own side until nothing new is reached. A capture leads to
// another word. Words with fewer captures come first in the queue, so each is whole when its turn
// comes, and spreads once.
//
// Hops are not counted here: a chain of 99 is out of reach in practice, and the answer is held
// against the rules before it is given. Where the ruleset allows fewer, games/hop.c counts them.
#include "engine/hopchess/field.h"

struct hop_field field_of_state(const struct hopchess *s) {
    const int player = s->turns % 2;
    struct hop_field f = {s->piece[player], s->piece[1 - player], s->max_turns - s->turns};
    if (player == 1) {
        f.own = field_turned(f.own);
        f.other = field_turned(f.other);
    }
    return f;
}

move field_move(const struct hopchess *s, const struct leap *leap) {
    const bool white = s->turns % 2 == 1;
    const uint64_t other = s->piece[white ? 0 : 1];
    hop_set set = 0;
    for (uint64_t gone = other & ~(white ? field_turned(leap->other) : leap->other); gone;
         gone &= gone - 1)
        set |= (hop_set)(1u << hop_rank(other, bits_first(gone)));
    if (leap->from == leap->to)
        return hopchess_move(HOPCHESS_LOOP, HOPCHESS_LOOP, set);
    const int last = HOP_SQUARES - 1;
    return hopchess_move(white ? last - leap->from : leap->from, white ? last - leap->to : leap->to,
                         set);
}

int field_columns(uint64_t pieces, int *last) {
    const uint64_t column = UINT64_C(0x0101010101010101);
    int sum = 0;
    *last = 0;
    for (int c = 5; c >= 0; c--) {
        const int there = bits_count(pieces & column << c);
        sum += there * (6 - c);
        *last = there ? 6 - c : *last;
    }
    return sum;
}

// Moves being listed.
struct leap_listing {
    uint64_t own, other;
    struct leap *list;
    int count, room;
    bool quiet; // moves that take nothing are wanted too
    int loops;
    uint64_t loop[HOP_SETS]; // what is left of the other side after each loop that takes something
};

// The squares a piece has come to with these captured.
struct leap_way {
    uint64_t gone, squares;
};

static inline void put(struct leap_listing *l, uint64_t own, uint64_t other, int from, int to) {
    if (l->count < l->room)
        l->list[l->count++] = (struct leap){own, other, 0, (uint8_t)from, (uint8_t)to};
}

static void put_loop(struct leap_listing *l, uint64_t other) {
    for (int i = 0; i < l->loops; i++)
        if (l->loop[i] == other)
            return;
    l->loop[l->loops++] = other;
    put(l, l->own, other, HOPCHESS_LOOP, HOPCHESS_LOOP);
}

static void put_all(struct leap_listing *l, int from, uint64_t squares, uint64_t other) {
    const uint64_t still = l->own & ~bit(from);
    if (other != l->other && (squares & bit(from)))
        put_loop(l, other);
    for (squares &= ~bit(from); squares; squares &= squares - 1)
        put(l, still | (squares & -squares), other, from, bits_first(squares));
}

// Spreads by hops over own pieces.
static inline uint64_t spread(uint64_t squares, uint64_t still, uint64_t empty) {
    for (uint64_t fresh = squares; fresh;) {
        fresh = hop_anywhere(fresh, still, empty) & ~squares;
        squares |= fresh;
    }
    return squares;
}

static void take(struct leap_way *ways, int *count, int head, uint64_t over, uint64_t land) {
    const uint64_t gone = ways[head].gone | over;
    int i = head + 1;
    while (i < *count && ways[i].gone != gone)
        i++;
    if (i == *count)
        ways[(*count)++] = (struct leap_way){gone, 0};
    ways[i].squares |= land;
}

// All chains of a piece that take something; it comes to `reach` without.
static void chase(struct leap_listing *l, int from, uint64_t reach) {
    struct leap_way ways[HOP_SETS];
    const uint64_t still = l->own & ~bit(from);
    int count = 1;
    ways[0] = (struct leap_way){0, reach};
    for (int head = 0; head < count; head++) {
        const uint64_t left = l->other & ~ways[head].gone, empty = ~(still | left);
        if (head > 0) {
            ways[head].squares = spread(ways[head].squares, still, empty);
            put_all(l, from, ways[head].squares, left);
        }
        for (int d = 0; d < HOP_DIRECTIONS; d++)
            for (uint64_t land = hop_over(ways[head].squares, left, empty, d); land;
                 land &= land - 1)
                take(ways, &count, head, bit(bits_first(land) - hop_step(d)), land & -land);
    }
}

static void list_piece(struct leap_listing *l, int from, bool hops) {
    const uint64_t still = l->own & ~bit(from), empty = ~(still | l->other);
    uint64_t reach = bit(from);
    if (hops) {
        reach = spread(reach, still, empty);
        if (hop_anywhere(reach, l->other, empty))
            chase(l, from, reach);
    }
    if (l->quiet)
        put_all(l, from, reach | (hop_neighbours(bit(from)) & empty), l->other);
}

// The same, with the hops counted.
static void list_counted(struct leap_listing *l, int from, bool hops, int max_hops) {
    const uint64_t steps = hop_neighbours(bit(from)) & ~(l->own | l->other);
    struct hop_reach reach;
    if (hops)
        hop_reach_find(&reach, l->own, l->other, from, max_hops);
    for (int i = 1; hops && i < reach.count; i++)
        put_all(l, from, reach.squares[i], l->other & ~hop_pieces_of_set(l->other, reach.set[i]));
    if (l->quiet)
        put_all(l, from, steps | (hops ? reach.squares[0] : 0), l->other);
}

static void list_all(struct leap_listing *l, int max_hops) {
    const uint64_t hoppers = hop_movers(l->own, l->other);
    for (uint64_t rest = l->quiet ? l->own : hoppers; rest; rest &= rest - 1) {
        const int from = bits_first(rest);
        const bool hops = hoppers >> from & 1;
        if (max_hops < HOP_COUNT_MAX)
            list_counted(l, from, hops, max_hops);
        else
            list_piece(l, from, hops);
    }
    if (l->quiet && max_hops >= 2 && hop_anywhere(l->own, l->own, ~(l->own | l->other)))
        put(l, l->own, l->other, HOPCHESS_LOOP, HOPCHESS_LOOP);
}

int leaps_list(const struct hop_field *f, int max_hops, bool captures, struct leap *list,
               int room) {
    struct leap_listing l;
    l.own = f->own;
    l.other = f->other;
    l.list = list;
    l.count = l.loops = 0;
    l.room = room;
    l.quiet = !captures;
    list_all(&l, max_hops);
    return l.count;
}

int leaps_solo(uint64_t own, int max_hops, struct leap *list, int room) {
    const struct hop_field f = {own, 0, 1};
    return leaps_list(&f, max_hops, false, list, room);
}

uint64_t leaps_together(uint64_t squares, uint64_t still) {
    return (spread(squares, still, ~still) | hop_neighbours(squares)) & ~still;
}
