// SPDX-License-Identifier: MIT
// How far a player came, which is what a place in the final order means: points of different stages
// are not comparable, and in a knock-out they decide nothing.
#include "contest/report/report.h"
#include "contest/schedule/knockout.h"

#include <string.h>

const char *report_reached_word(enum report_reached reached) {
    static const char *const words[] = {
#define REPORT_REACHED_WORD(id, word) word,
        REPORT_REACHES(REPORT_REACHED_WORD)
#undef REPORT_REACHED_WORD
    };
    return words[reached];
}

// The last stage that a player was in, and his place in its field.
static int last_stage(const struct state *s, int player, int *place) {
    for (int i = s->begun - 1; i >= 0; i--)
        for (*place = 0; *place < s->stages[i].field.count; ++*place)
            if (s->stages[i].players[*place] == player)
                return i;
    return -1;
}

static int rank_in(const struct stage_state *stage, int player) {
    for (int i = 0; i < stage->field.count; i++)
        if (stage->standings[i].player == player)
            return stage->standings[i].rank;
    return 0;
}

// Of a stage that is over, without a bracket to be told by.
static enum report_reached by_rank(const struct stage_state *stage, int player) {
    static const enum report_reached ranks[] = {REACHED_NOTHING, REACHED_CHAMPION, REACHED_FINALIST,
                                                REACHED_THIRD};
    const int rank = stage->is_over ? rank_in(stage, player) : 0;
    return rank < 4 ? ranks[rank] : REACHED_NOTHING;
}

static enum report_reached in_knockout(const struct stage_state *stage, int place, int *round) {
    const int rounds = bracket_rounds(stage->field.count);
    enum report_reached reached = stage->is_over ? REACHED_CHAMPION : REACHED_NOTHING;
    for (int i = 0; i < stage->meetings.count; i++) {
        const struct meeting *m = &stage->meetings.list[i];
        if (!m->is_over || m->player[1] == NOBODY ||
            (m->player[0] != place && m->player[1] != place))
            continue;
        const bool third = m->round == rounds - 1 && m->table == 1;
        const int left = rounds - m->round;
        if (third)
            return bracket_winner(m) == place ? REACHED_THIRD : REACHED_FOURTH;
        if (bracket_loser(m) != place)
            continue;
        *round = m->round + 1;
        reached = left == 1   ? REACHED_FINALIST
                  : left == 2 ? REACHED_SEMIFINAL
                  : left == 3 ? REACHED_QUARTERFINAL
                              : REACHED_ROUND;
    }
    return reached;
}

static bool is_anybody_disqualified(const struct state *s, const struct stage_state *stage) {
    for (int i = 0; i < stage->field.count; i++)
        if (s->disqualified[stage->players[i]])
            return true;
    return false;
}

// Where somebody was sent off the others have moved up: their places tell, but for those that two
// share.
static enum report_reached moved_up(const struct report *r, int player,
                                    enum report_reached reached) {
    static const enum report_reached places[] = {REACHED_NOTHING, REACHED_CHAMPION,
                                                 REACHED_FINALIST, REACHED_THIRD, REACHED_FOURTH};
    int rank = 0, sharing = 0;
    for (int i = 0; i < r->count; i++)
        if (r->overall[i].player == player)
            rank = r->overall[i].rank;
    for (int i = 0; i < r->count; i++)
        sharing += r->overall[i].rank == rank;
    return rank >= 1 && rank <= 4 && sharing == 1 ? places[rank] : reached;
}

enum report_reached report_reached(const struct report *r, int player, int *stage, int *round) {
    const struct state *s = r->state;
    int place = 0;
    *stage = last_stage(s, player, &place);
    *round = 0;
    if (*stage < 0 || s->disqualified[player])
        return REACHED_NOTHING;
    const struct stage_state *at = &s->stages[*stage];
    if (*stage + 1 < s->plan->stage_count)
        return at->is_over ? REACHED_STAGE : REACHED_NOTHING;
    if (at->stage->format.schedule == &schedule_knockout) {
        const enum report_reached reached = in_knockout(at, place, round);
        return at->is_over && is_anybody_disqualified(s, at) ? moved_up(r, player, reached)
                                                             : reached;
    }
    return at->stage->format.schedule->eliminates || rank_in(at, player) == 1 ? by_rank(at, player)
                                                                              : REACHED_NOTHING;
}

bool report_is_by_bracket(const struct report *r) {
    const struct plan *plan = r->state->plan;
    return plan->stage_count > 1 || plan->stages[0].format.schedule->eliminates;
}
