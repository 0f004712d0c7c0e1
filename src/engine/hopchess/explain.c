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

// The score when both run home and nothing is captured any more.
static void explain_score(const struct runner *own, const struct runner *other,
                          const struct hopchess *s, struct buf *out) {
    const char side = s->turns % 2 ? 'O' : 'X', opponent = s->turns % 2 ? 'X' : 'O';
    const int turn = s->turns;
    int plies;
    race_meet(&own->race, &other->race, s->max_turns - s->turns, &plies);
    const int own_home = race_home(&own->race, (plies + 1) / 2);
    const int other_home = race_home(&other->race, plies / 2);
    buf_format(out,
               "expected score if both run home and nothing is taken: %c %d, %c %d, at turn %d\n",
               side, own_home, opponent, other_home, turn + plies);
}

void hop_explain(const struct ruleset *rules, const void *state, struct buf *out) {
    const struct hopchess *s = state;
    const struct field f = field_of_state(s);
    struct runner own, other;
    (void)rules;
    const char side = s->turns % 2 ? 'O' : 'X', opponent = s->turns % 2 ? 'X' : 'O';
    runner_init(&own, f.own, s->max_hops);
    runner_init(&other, field_turned(f.other), s->max_hops);
    explain_side(&own, side, bits_count(f.own & FIELD_HOME), out);
    explain_side(&other, opponent, bits_count(f.other & FIELD_AWAY), out);
    explain_score(&own, &other, s, out);
}
