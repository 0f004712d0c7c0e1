// SPDX-License-Identifier: MIT
// What is seen of a position is a list of at most 48 features: one for each piece, by its square,
// and one of each other group. The value is made anew for every position: most groups change with
// any move, and a row is but one or two wide registers. Sums are of 16 bits; rows are bounded when
// they are trained so that 48 of them cannot overflow.
#include "engine/hopchess/net.h"

#include "engine/pack.h"

#include <string.h>

static const char name[] = "hopchess";

static int at_most(int n, int most) { return n < most ? n : most; }
static int within(int n, int most) { return n < -most ? -most : at_most(n, most); }

// Pieces that could hop in one direction over one of their own side.
static int jumps(uint64_t pieces, uint64_t empty, int direction) {
    return bits_count(hop_over(pieces, pieces, empty, direction));
}

// Pieces of `prey` next to a taker and with an empty square behind.
static int takeable(uint64_t takers, uint64_t prey, uint64_t empty) {
    uint64_t found = 0;
    for (int d = 0; d < HOP_DIRECTIONS; d++)
        found |= hop_shift(takers, d) & prey & hop_shift(empty, HOP_DIRECTIONS - 1 - d);
    return bits_count(found);
}

static int moves_to_go(const struct races *races, uint64_t pieces) {
    const struct race race = race_of(races, pieces);
    return at_most(race_length(&race), 31);
}

// What the tables know of the race; 0 for what they do not.
static void race_features(const struct hop_field *f, const struct races *races,
                          int found[static 3]) {
    const bool own = races && race_is_known(f->own), other = races && race_is_known(f->other);
    int plies;
    found[0] = own ? moves_to_go(races, f->own) : 0;
    found[1] = other ? moves_to_go(races, field_turned(f->other)) : 0;
    found[2] = own && other ? RACE_PIECES + 1 + race_margin(races, f, &plies) : 0;
}

int hopnet_see(const struct hop_field *f, const struct races *races,
               uint16_t seen[static HOPNET_SEEN_MAX]) {
    const uint64_t empty = ~(f->own | f->other);
    const int own = bits_count(f->own), other = bits_count(f->other);
    const int own_out = bits_count(f->own & ~FIELD_HOME);
    const int other_out = bits_count(f->other & ~FIELD_AWAY);
    int n = 0, own_last, other_last, go[3];
    race_features(f, races, go);
    for (uint64_t rest = f->own; rest; rest &= rest - 1)
        seen[n++] = (uint16_t)(HOPNET_OWN_BASE + bits_first(rest));
    for (uint64_t rest = f->other; rest; rest &= rest - 1)
        seen[n++] = (uint16_t)(HOPNET_OTHER_BASE + bits_first(rest));
    const int lead =
        field_columns(field_turned(f->other), &other_last) - field_columns(f->own, &own_last);
    const int found[][2] = {
        {HOPNET_OWN_COUNT_BASE, own},
        {HOPNET_OTHER_COUNT_BASE, other},
        {HOPNET_OWN_OUT_BASE, own_out},
        {HOPNET_OTHER_OUT_BASE, other_out},
        {HOPNET_SCORE_BASE, HOP_PIECES + own - own_out - other + other_out},
        {HOPNET_LEAD_BASE, 16 + within(lead, 16)},
        {HOPNET_OWN_LAST_BASE, own_last},
        {HOPNET_OTHER_LAST_BASE, other_last},
        {HOPNET_OWN_JUMPS_BASE, at_most(jumps(f->own, empty, HOP_RIGHT), 5)},
        {HOPNET_OTHER_JUMPS_BASE, at_most(jumps(f->other, empty, HOP_LEFT), 5)},
        {HOPNET_IN_HAND_BASE, at_most(takeable(f->own, f->other, empty), 5)},
        {HOPNET_HANGING_BASE, at_most(takeable(f->other, f->own, empty), 5)},
        {HOPNET_OWN_GO_BASE, go[0]},
        {HOPNET_OTHER_GO_BASE, go[1]},
        {HOPNET_RACE_BASE, go[2]},
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        seen[n++] = (uint16_t)(found[i][0] + found[i][1]);
    return n;
}

// All sums of a net as one value, which the compiler keeps in registers; as an array they went
// through memory with every row, at half the speed.
typedef int16_t lanes __attribute__((vector_size(HOPNET_UNITS * sizeof(int16_t))));

static inline void lanes_read(lanes *l, const int16_t row[static HOPNET_UNITS]) {
    memcpy(l, row, sizeof *l);
}

int hopnet_value(const struct hopnet *net, const struct hop_field *f, const struct races *races) {
    uint16_t seen[HOPNET_SEEN_MAX];
    const int count = hopnet_see(f, races, seen);
    lanes sums, row;
    int value = 0, hidden = 0;
    lanes_read(&sums, net->bias);
    for (int i = 0; i < count; i++) {
        lanes_read(&row, net->row[seen[i]]);
        sums += row;
        value += net->worth[seen[i]];
    }
    sums &= sums > 0;
    for (int k = 0; k < HOPNET_UNITS; k++)
        hidden += sums[k] * net->out[k];
    return within((value + hidden / HOPNET_ROW) / HOPNET_OUT, HOPNET_MAX);
}

void hopnet_begin(struct hopnet *net) {
    enum { PIECE = 60 * HOPNET_OUT, COLUMN = 8 * HOPNET_OUT };
    memset(net, 0, sizeof *net);
    for (int i = 0; i < HOP_SQUARES; i++) {
        const int column = i % HOP_SIDE;
        net->worth[HOPNET_OWN_BASE + i] = (int16_t)(PIECE + COLUMN * at_most(column, 6));
        net->worth[HOPNET_OTHER_BASE + i] =
            (int16_t)(-PIECE - COLUMN * at_most(HOP_SIDE - 1 - column, 6));
    }
}

bool hopnet_read(const void *bytes, size_t size, struct hopnet *net, struct err *err) {
    return pack_read(bytes, size, name, (int16_t *)net, HOPNET_WEIGHTS, err);
}

void hopnet_write(const struct hopnet *net, struct buf *out) {
    pack_write(out, name, (const int16_t *)net, HOPNET_WEIGHTS, HOPNET_UNITS);
}
