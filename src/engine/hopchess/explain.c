// SPDX-License-Identifier: MIT
// What people ask of a late game: how many moves does each side need if it is left alone, and who
// would be ahead then? For few pieces the tables of races know; for more, a search finds a way that
// can be played, and what it says is a bound (not `exact`). How it ends follows from both races as
// in race.c.
#include "engine/hopchess/explain.h"

#include "engine/hopchess/race.h"

// One side's race, looked up or searched for.
struct race_runner {
    uint8_t moves[HOP_PIECES];
    struct race race;
    bool exact;
};

static void runner_init(struct race_runner *r, uint64_t pieces, int max_hops) {
    const struct races *races = races_find(max_hops);
    r->exact = races && race_is_known(pieces);
    if (r->exact) {
        r->race = race_of(races, pieces);
        return;
    }
    race_search(pieces, max_hops, r->moves);
    r->race = (struct race){bits_count(pieces), r->moves};
}

// Both sides', black's first, and how it ends when both run home and nothing is captured any more.
struct outlook {
    struct race_runner sides[2];
    int home[2];  // pieces, now
    int score[2]; // in the end
    int turn;     // the last
};

static void outlook_init(struct outlook *o, const struct hopchess *s) {
    const int first = s->turns % 2, second = 1 - first;
    int plies;
    runner_init(&o->sides[0], s->piece[0], s->max_hops);
    runner_init(&o->sides[1], field_turned(s->piece[1]), s->max_hops);
    o->home[0] = bits_count(s->piece[0] & FIELD_HOME);
    o->home[1] = bits_count(s->piece[1] & FIELD_AWAY);
    race_meet(&o->sides[first].race, &o->sides[second].race, s->max_turns - s->turns, &plies);
    o->score[first] = race_home(&o->sides[first].race, (plies + 1) / 2);
    o->score[second] = race_home(&o->sides[second].race, plies / 2);
    o->turn = s->turns + plies;
}

static void explain_side(const struct outlook *o, int side, struct buf *out) {
    const struct race_runner *r = &o->sides[side];
    if (r->race.pieces == 0)
        buf_format(out, "%c has no piece left\n", "XO"[side]);
    else
        buf_format(out, "%c: %d of %d pieces home; moves to go if left alone: %s%d\n", "XO"[side],
                   o -> home[side], r -> race.pieces, r->exact ? "" : "at most ",
                   race_length(&r->race));
}

void hop_explain(const struct ruleset *rules, const void *state, struct buf *out) {
    struct outlook o;
    (void)rules;
    outlook_init(&o, state);
    explain_side(&o, 0, out);
    explain_side(&o, 1, out);
    buf_format(out,
               "expected score if both run home and nothing is taken: X %d, O %d, at turn %d\n",
               o.score[0], o.score[1], o.turn);
}

static json_t *side_facts(const struct outlook *o, int side) {
    const struct race_runner *r = &o->sides[side];
    return json_pack("{s:i, s:i, s:i, s:o, s:b}", "player", side + 1, "pieces", r->race.pieces,
                     "home", o->home[side], "moves_to_go",
                     r->race.pieces ? json_integer(race_length(&r->race)) : json_null(), "certain",
                     r->exact);
}

json_t *hop_facts(const struct ruleset *rules, const void *state) {
    const struct hopchess *s = state;
    const int first = s->turns % 2;
    struct outlook o;
    (void)rules;
    outlook_init(&o, s);
    return json_pack("{s:[o, o], s:{s:[i, i], s:i, s:i}}", "sides", side_facts(&o, 0),
                     side_facts(&o, 1), "run", "scores", o.score[0], o.score[1], "difference",
                     o.score[first] - o.score[1 - first], "turn", o.turn);
}
