// SPDX-License-Identifier: MIT
#include "engine/hopchess/explain.h"

#include "engine/hopchess/race.h"

// One side's race, looked up or searched for.
struct runner {
    uint8_t moves[HOP_PIECES];
    struct race race;
    bool exact;
};

static void runner_init(struct runner *r, uint64_t pieces, int max_hops) {
    const struct races *races = races_find(max_hops);
    r->exact = races && race_is_known(pieces);
    if (r->exact) {
        r->race = race_of(races, pieces);
        return;
    }
    race_search(pieces, max_hops, r->moves);
    r->race = (struct race){bits_count(pieces), r->moves};
}

static void explain_side(const struct runner *r, char side, int home, struct buf *out) {
    if (r->race.pieces == 0)
        buf_format(out, "%c has no piece left\n", side);
    else
        buf_format(out, "%c: %d of %d pieces home; moves to go if left alone: %s%d\n", side, home,
                   r->race.pieces, r->exact ? "" : "at most ", race_length(&r->race));
}

// The score when both run home and nothing is captured any more. `first` has the move.
static void explain_score(const struct runner *sides, int first, const struct hopchess *s,
                          struct buf *out) {
    const struct runner *own = &sides[first], *other = &sides[1 - first];
    int plies, home[2];
    race_meet(&own->race, &other->race, s->max_turns - s->turns, &plies);
    home[first] = race_home(&own->race, (plies + 1) / 2);
    home[1 - first] = race_home(&other->race, plies / 2);
    buf_format(out,
               "expected score if both run home and nothing is taken: X %d, O %d, at turn %d\n",
               home[0], home[1], s->turns + plies);
}

void hop_explain(const struct ruleset *rules, const void *state, struct buf *out) {
    const struct hopchess *s = state;
    struct runner sides[2];
    (void)rules;
    runner_init(&sides[0], s->piece[0], s->max_hops);
    runner_init(&sides[1], field_turned(s->piece[1]), s->max_hops);
    explain_side(&sides[0], 'X', bits_count(s->piece[0] & FIELD_HOME), out);
    explain_side(&sides[1], 'O', bits_count(s->piece[1] & FIELD_AWAY), out);
    explain_score(sides, s->turns % 2, s, out);
}
