// SPDX-License-Identifier: MIT
// A meeting is a number of legs, a leg one game or more. A game that the organiser has set back is
// played again as the next attempt at its leg. Where drawn games are repeated (connect6), the next
// attempt has two blocks more; when there are as many as there may be, each of the two plays the
// house under the same conditions: a win is better than a draw, a draw than a loss; of two wins the
// one in fewer turns, of two losses the one in more.
//
// A meeting of `best_of` games has at any time as many legs under way as its leader needs to win
// it, for these will be played whatever happens. When all are played and it is level, one leg more
// is played, up to as many again; then it stays level. Where both have lost all of them none is
// added, and both have lost the meeting; where all were annulled it counts for nobody.
#include "contest/schedule/meeting.h"

#include "base/mem.h"

#include <stdlib.h>

enum leg_state { LEG_OPEN, LEG_WON, LEG_DRAWN, LEG_NOBODY, LEG_VOID };

struct leg {
    enum leg_state state;
    int winner;                       // LEG_WON: the place in the meeting, 0 or 1
    const struct stored_game *played; // what decided it
};

struct judging {
    const struct plan *plan;
    const struct meeting *meeting;
    const struct stored_game *games;
    int count;
    struct wanted *wanted;
};

void results_add(struct results *r, const struct result *result) {
    if (r->count == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->list = mem_resize(r->list, (size_t)r->room * sizeof *r->list);
    }
    r->list[r->count++] = *result;
}

static void wanted_add(struct wanted *w, const struct stored_game *game) {
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->list = mem_resize(w->list, (size_t)w->room * sizeof *w->list);
    }
    w->list[w->count++] = *game;
}

// The last attempt at a leg, or NULL.
static const struct stored_game *find_last(const struct stored_game *list, int count, int leg) {
    const struct stored_game *last = NULL;
    for (int i = 0; i < count; i++)
        if (list[i].leg == leg)
            last = &list[i];
    return last;
}

static bool is_awaited(const struct plan *plan, int player) {
    return player >= 0 && plan->players[player].awaited;
}

static void want(const struct judging *s, int leg, int attempt, int blocks, int black, int white) {
    const struct meeting *m = s->meeting;
    const bool here = is_awaited(s->plan, black) || is_awaited(s->plan, white);
    const struct stored_game game = {.stage = m->stage,
                                     .round = m->round,
                                     .table = m->table,
                                     .leg = leg,
                                     .attempt = attempt,
                                     .black = black,
                                     .white = white,
                                     .blocks = blocks,
                                     .home = here ? "runner" : ""};
    wanted_add(s->wanted, &game);
}

// How well somebody did as black against the house, for comparison: more is better.
static int house_value(const struct stored_game *game) {
    const int turns = game->plies / 2 + 1, most = 1000000;
    return game->winner == 0 ? 0 : game->winner == 1 ? most - turns : turns - most;
}

bool meeting_house(const struct stored_game *list, int count, int leg, int *winner) {
    const struct stored_game *side[2];
    for (int i = 0; i < 2; i++) {
        side[i] = find_last(list, count, HOUSE_LEG + 2 * leg + i);
        if (!side[i] || side[i]->state == GAME_WAITING || side[i]->state == GAME_PLAYING)
            return false;
    }
    const int first = house_value(side[0]), second = house_value(side[1]);
    const bool is_void = side[0]->state == GAME_ANNULLED || side[1]->state == GAME_ANNULLED;
    *winner = is_void || first == second ? NOBODY : side[first < second]->black;
    return true;
}

static struct leg judge_house(const struct judging *s, int leg) {
    const int *player = s->meeting->player;
    int winner;
    for (int i = 0; i < 2; i++)
        if (!find_last(s->games, s->count, HOUSE_LEG + 2 * leg + i))
            want(s, HOUSE_LEG + 2 * leg + i, 0, BLOCKS_DRAWN_MAX, player[i], HOUSE);
    if (!meeting_house(s->games, s->count, leg, &winner))
        return (struct leg){.state = LEG_OPEN};
    return (struct leg){.state = winner == NOBODY ? LEG_DRAWN : LEG_WON,
                        .winner = winner != player[0],
                        .played = find_last(s->games, s->count, leg)};
}

static struct leg judge_drawn(const struct judging *s, const struct stored_game *game) {
    const int blocks = s->plan->repeat_drawn ? job_blocks(s->plan, game) : 0;
    if (!s->plan->repeat_drawn)
        return (struct leg){.state = LEG_DRAWN, .played = game};
    if (blocks >= BLOCKS_DRAWN_MAX)
        return judge_house(s, game->leg);
    want(s, game->leg, game->attempt + 1, blocks + 2, game->black, game->white);
    return (struct leg){.state = LEG_OPEN};
}

static struct leg judge_leg(const struct judging *s, int leg) {
    const struct stored_game *game = find_last(s->games, s->count, leg);
    const int *player = s->meeting->player;
    if (!game) {
        want(s, leg, 0, -1, player[leg % 2], player[1 - leg % 2]);
        return (struct leg){.state = LEG_OPEN};
    }
    if (game->state == GAME_WAITING || game->state == GAME_PLAYING)
        return (struct leg){.state = LEG_OPEN};
    if (game->state == GAME_ANNULLED)
        return (struct leg){.state = LEG_VOID};
    if (game->winner == 0)
        return judge_drawn(s, game);
    if (game->winner < 0)
        return (struct leg){.state = LEG_NOBODY, .played = game};
    const int winner = game->winner == 1 ? game->black : game->white;
    return (struct leg){.state = LEG_WON, .winner = winner != player[0], .played = game};
}

// What a leg brings to the table, if legs count there.
static void count_leg(const struct leg *leg, const struct meeting *m, struct results *results) {
    const struct stored_game *g = leg->played;
    if (leg->state == LEG_OPEN || leg->state == LEG_VOID)
        return;
    struct result r = {
        .player = {g->black, g->white}, .winner = -1, .scores = {g->scores[0], g->scores[1]}};
    if (leg->state == LEG_NOBODY)
        r.winner = RESULT_NOBODY;
    if (leg->state == LEG_WON)
        r.winner = m->player[leg->winner] == g->black ? 0 : 1;
    results_add(results, &r);
}

struct leg_tally {
    int won[2], drawn, over, open;
};

static void add_leg(struct leg_tally *t, const struct leg *leg, struct meeting *m) {
    t->open += leg->state == LEG_OPEN;
    t->over += leg->state != LEG_OPEN && leg->state != LEG_VOID;
    if (leg->state == LEG_WON) {
        t->won[leg->winner]++;
        m->points[leg->winner] += 2;
    } else if (leg->state == LEG_DRAWN) {
        t->drawn++;
        m->points[0]++;
        m->points[1]++;
    }
}

// What the table gives for a leg, or for a meeting.
static void add_worth(const struct table_rules *table, enum leg_state state, int winner,
                      struct meeting *m) {
    for (int i = 0; state != LEG_OPEN && state != LEG_VOID && i < 2; i++)
        m->worth[i] += state == LEG_DRAWN                ? table->draw
                       : state == LEG_WON && winner == i ? table->win
                                                         : table->loss;
}

// Whether both have lost every leg so far.
static bool is_nobodys(const struct leg_tally *t) {
    return t->over > 0 && t->won[0] + t->won[1] + t->drawn == 0;
}

// Whether there is a leg more, as far as is known now.
static bool goes_on(const struct plan_stage *stage, const struct leg_tally *t, int leg) {
    const int most = t->won[0] > t->won[1] ? t->won[0] : t->won[1];
    const int needed = stage->games / 2 + 1 - most, under_way = t->over + t->open;
    if (!stage->best_of)
        return leg < stage->games; // one that was annulled is not replaced
    if (needed <= 0)
        return false;
    if (t->over < stage->games)
        return under_way < t->over + needed && under_way < stage->games;
    return t->open == 0 && t->won[0] == t->won[1] && !is_nobodys(t) && t->over < 2 * stage->games;
}

static void conclude(const struct plan_stage *stage, struct meeting *m, const struct leg_tally *t,
                     struct results *results) {
    m->is_over = true;
    m->winner = t->won[0] == t->won[1] ? NOBODY : t->won[0] < t->won[1];
    if (!stage->by_meeting || t->over == 0)
        return;
    const bool nobodys = is_nobodys(t);
    const struct result r = {.player = {m->player[0], m->player[1]},
                             .winner = nobodys ? RESULT_NOBODY : m->winner,
                             .scores = {t->won[0], t->won[1]}};
    results_add(results, &r);
    add_worth(&stage->table,
              nobodys               ? LEG_NOBODY
              : m->winner == NOBODY ? LEG_DRAWN
                                    : LEG_WON,
              m->winner, m);
}

void meeting_judge(const struct plan *plan, struct meeting *m, const struct stored_game *list,
                   int count, struct results *results, struct wanted *wanted) {
    const struct plan_stage *stage = &plan->stages[m->stage];
    const struct judging s = {plan, m, list, count, wanted};
    struct leg_tally t = {.over = 0};
    m->points[0] = m->points[1] = m->worth[0] = m->worth[1] = 0;
    for (int leg = 0; leg < HOUSE_LEG && goes_on(stage, &t, leg); leg++) {
        const struct leg result = judge_leg(&s, leg);
        add_leg(&t, &result, m);
        if (stage->by_meeting)
            continue;
        count_leg(&result, m, results);
        add_worth(&stage->table, result.state, result.winner, m);
    }
    if (t.open == 0)
        conclude(stage, m, &t, results);
}

void meeting_rest(const struct plan *plan, struct meeting *m, struct results *results) {
    const struct plan_stage *stage = &plan->stages[m->stage];
    const int wins = stage->best_of ? stage->games / 2 + 1 : stage->games;
    const int counted = stage->by_meeting ? 1 : wins;
    const struct result r = {.player = {m->player[0], NOBODY}};
    m->points[0] = 2 * wins;
    m->worth[0] = stage->table.win * counted;
    for (int i = 0; m->player[0] != NOBODY && i < counted; i++)
        results_add(results, &r);
}
