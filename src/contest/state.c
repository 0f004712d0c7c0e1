// SPDX-License-Identifier: MIT
// Every time, all of it is worked out anew: schedules are pure functions of the meetings so far,
// and a meeting of its games. So a contest that was broken off stands where its store says, and two
// who look at one store see the same.
#include "contest/state.h"

#include "base/mem.h"
#include "contest/schedule/advance.h"
#include "contest/schedule/knockout.h"

#include <stdlib.h>
#include <string.h>

struct loading {
    struct state *state;
    int room;
    const struct imagined *imagined; // NULL: all is as it is
    int readmitted;                  // who is imagined to come back, or NOBODY
    struct stored_game changed;      // the game that is imagined in another state, once it is read
};

// Changes a game as it is imagined; false: it would not be there.
static bool imagine_game(struct loading *l, struct stored_game *g) {
    const struct imagined *i = l->imagined;
    const struct stored_game *c = &l->changed;
    if (!i)
        return true;
    if (i->number > 0 && g->number == i->number) {
        g->state = i->as;
        l->changed = *g;
    } else if (c->number > 0 && i->as == GAME_DONE && c->stage == g->stage &&
               c->round == g->round && c->table == g->table && c->leg == g->leg) {
        return false;
    }
    if (l->readmitted != NOBODY && (g->black == l->readmitted || g->white == l->readmitted) &&
        g->state == GAME_DONE && finish_find(g->reason) == FINISH_WALKOVER)
        g->state = GAME_WAITING;
    return true;
}

static void take_game(void *owner, const struct stored_game *game) {
    struct loading *l = owner;
    struct state *s = l->state;
    if (s->game_count == l->room) {
        l->room = l->room ? 2 * l->room : 256;
        s->games = mem_resize(s->games, (size_t)l->room * sizeof *s->games);
    }
    struct stored_game *g = &s->games[s->game_count];
    *g = *game;
    if (!imagine_game(l, g))
        return;
    s->game_count++;
    g->reason = interned_keep(&s->words, game->reason);
    g->verdict = interned_keep(&s->words, game->verdict);
    g->worker = interned_keep(&s->words, game->worker);
    g->home = interned_keep(&s->words, game->home);
    g->record = "";
    s->counts[g->state]++;
}

static void take_decision(void *owner, const struct decision *d) {
    struct state *s = owner;
    const size_t size = (size_t)(s->decision_count + 1) * sizeof *s->decisions;
    s->decisions = mem_resize(s->decisions, size);
    s->decisions[s->decision_count++] = (struct kept_decision){.at_us = d->at_us,
                                                               .kind = mem_text(d->kind),
                                                               .subject = mem_text(d->subject),
                                                               .why = mem_text(d->why),
                                                               .by = mem_text(d->by),
                                                               .stage = d->stage,
                                                               .round = d->round};
}

static bool is_of_kind(const struct kept_decision *d, const char *kind) {
    return strcmp(d->kind, kind) == 0;
}

bool decision_sends_off(const struct kept_decision *d) {
    return is_of_kind(d, "disqualify") || is_of_kind(d, "withdraw");
}

static void note_left(struct state *s) {
    for (int i = 0; i < s->decision_count; i++) {
        const struct kept_decision *d = &s->decisions[i];
        const int player = plan_find_player(s->plan, d->subject);
        if (player != NOBODY && is_of_kind(d, "readmit")) {
            s->left_stage[player] = STAGES_MAX;
            s->disqualified[player] = false;
            s->left[player] = NULL;
        } else if (player != NOBODY && decision_sends_off(d)) {
            if (d->stage < s->left_stage[player])
                s->left_stage[player] = d->stage;
            s->disqualified[player] |= is_of_kind(d, "disqualify");
            s->left[player] = s->disqualified[player] ? "disqualified" : "withdrawn";
        }
    }
}

static int compare_games(const void *a, const void *b) {
    const struct stored_game *x = a, *y = b;
    const int xs[] = {x->stage, x->round, x->table, x->leg, x->attempt},
              ys[] = {y->stage, y->round, y->table, y->leg, y->attempt};
    for (int i = 0; i < 5; i++)
        if (xs[i] != ys[i])
            return xs[i] < ys[i] ? -1 : 1;
    return 0;
}

// The games of a meeting, which lie side by side.
static const struct stored_game *games_of(const struct state *s, const struct meeting *m,
                                          int *count) {
    const struct stored_game key = {
        .stage = m->stage, .round = m->round, .table = m->table, .leg = -1};
    int low = 0, high = s->game_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (compare_games(&s->games[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (*count = 0; low + *count < s->game_count; ++*count) {
        const struct stored_game *g = &s->games[low + *count];
        if (g->stage != m->stage || g->round != m->round || g->table != m->table)
            break;
    }
    return s->games + low;
}

static int place_of(const struct stage_state *stage, int local) {
    return local < 0 ? local : stage->players[local];
}

static bool is_between(const struct stored_game *g, const int players[2]) {
    return (g->black == players[0] || g->black == players[1]) &&
           (g->white == players[0] || g->white == players[1] || g->white == HOUSE);
}

static void judge(struct state *s, struct stage_state *stage, struct meeting *m) {
    int count;
    struct meeting whole = *m;
    whole.player[0] = place_of(stage, m->player[0]);
    whole.player[1] = place_of(stage, m->player[1]);
    const struct stored_game *list = games_of(s, m, &count);
    for (int i = 0; i < count; i++)
        s->placed += is_between(&list[i], whole.player);
    if (m->player[1] == NOBODY)
        meeting_rest(s->plan, &whole, &stage->results);
    else
        meeting_judge(s->plan, &whole, list, count, &stage->results, &s->wanted);
    m->is_over = whole.is_over;
    m->winner = whole.winner;
    memcpy(m->points, whole.points, sizeof m->points);
    memcpy(m->worth, whole.worth, sizeof m->worth);
}

static void append(struct meetings *list, const struct meeting *m) {
    meetings_add(list, m->round, m->table, m->player[0], m->player[1]);
    list->list[list->count - 1] = *m;
}

// Plans and judges until nothing new comes of it.
static void play_stage(struct state *s, struct stage_state *stage, int number) {
    const struct format *format = &stage->stage->format;
    struct meetings fresh = {.count = 0};
    do {
        fresh.count = 0;
        format->schedule->next(format, &stage->field, &stage->meetings, &fresh);
        for (int i = 0; i < fresh.count; i++) {
            fresh.list[i].stage = number;
            judge(s, stage, &fresh.list[i]);
            append(&stage->meetings, &fresh.list[i]);
        }
    } while (fresh.count > 0);
    meetings_done(&fresh);
    stage->is_over = true;
    for (int i = 0; i < stage->meetings.count; i++)
        stage->is_over &= stage->meetings.list[i].is_over;
}

static bool is_in(const struct stage_state *stage, int player) {
    for (int i = 0; i < stage->field.count; i++)
        if (stage->players[i] == player)
            return true;
    return false;
}

// Those who are left out of the table of a stage, as far as was known before the next began.
static bool *disqualified_by(const struct state *s, int stage) {
    bool *list = mem_new((size_t)s->plan->player_count, sizeof *list);
    for (int i = 0; i < s->decision_count; i++) {
        const struct kept_decision *d = &s->decisions[i];
        const int player = plan_find_player(s->plan, d->subject);
        if (player != NOBODY && d->stage <= stage &&
            (is_of_kind(d, "disqualify") || is_of_kind(d, "readmit")))
            list[player] = is_of_kind(d, "disqualify");
    }
    return list;
}

static void rank_stage(const struct state *s, struct stage_state *stage, int number) {
    const int all = s->plan->player_count;
    struct standing *whole = mem_new((size_t)all, sizeof *whole);
    bool *disqualified = disqualified_by(s, number);
    standings_make(&stage->stage->table, stage->results.list, stage->results.count, disqualified,
                   all, whole);
    int count = 0;
    for (int i = 0; i < all; i++)
        if (is_in(stage, whole[i].player))
            stage->standings[count++] = whole[i];
    for (int i = 0, last = 0; i < count; i++) { // ranks count those of the stage alone
        const int before = stage->standings[i].rank;
        stage->standings[i].rank = i > 0 && before == last ? stage->standings[i - 1].rank : i + 1;
        last = before;
    }
    knockout_table_sort(&stage->stage->format, &stage->meetings, stage->players, disqualified,
                        stage->standings, stage->field.count);
    free(disqualified);
    free(whole);
}

// When somebody leaves a stage, as an entrant says it.
static int leaves_at(const struct state *s, int player, int stage) {
    int leaves = 0;
    for (int i = 0; s->left[player] && i < s->decision_count; i++) {
        const struct kept_decision *d = &s->decisions[i];
        if (plan_find_player(s->plan, d->subject) != player)
            continue;
        if (is_of_kind(d, "readmit"))
            leaves = 0;
        else if (decision_sends_off(d) && d->stage == stage && leaves == 0)
            leaves = d->round + 1;
    }
    return leaves;
}

// The field of a stage: these players, or all where there is no list.
static struct stage_state *enter_stage(struct state *s, int number, const int *players, int count) {
    struct stage_state *stage = &s->stages[number];
    stage->stage = &s->plan->stages[number];
    stage->players = mem_new((size_t)count, sizeof *stage->players);
    stage->entrants = mem_new((size_t)count, sizeof *stage->entrants);
    stage->standings = mem_new((size_t)count, sizeof *stage->standings);
    for (int i = 0; i < count; i++) {
        const int player = players ? players[i] : i;
        stage->players[i] = player;
        stage->entrants[i].group = s->plan->players[player].group;
        stage->entrants[i].leaves = leaves_at(s, player, number);
    }
    stage->field = (struct field){stage->entrants, count};
    s->begun = number + 1;
    return stage;
}

static bool is_same_leg(const struct stored_game *a, const struct stored_game *b) {
    return a->stage == b->stage && a->round == b->round && a->table == b->table && a->leg == b->leg;
}

// Games of a fixed number that were annulled and are not played again: nothing comes in their
// place.
static int games_given_up(const struct state *s) {
    int count = 0;
    for (int i = 0; i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        const bool last = i + 1 == s->game_count || !is_same_leg(g, g + 1);
        count += last && g->state == GAME_ANNULLED && !s->plan->stages[g->stage].best_of;
    }
    return count;
}

static int games_expected(const struct state *s) {
    int sum = s->counts[GAME_ANNULLED] - games_given_up(s);
    for (int i = 0; i < s->plan->stage_count; i++) {
        const struct plan_stage *stage = &s->plan->stages[i];
        const struct field field = i < s->begun ? s->stages[i].field : (struct field){NULL, 0};
        const int each = stage->best_of ? stage->games / 2 + 1 : stage->games;
        const struct schedule *schedule = stage->format.schedule;
        if (i < s->begun)
            sum +=
                (schedule->total(&stage->format, &field) - schedule->byes(&stage->format, &field)) *
                each;
    }
    return sum > s->game_count ? sum : s->game_count;
}

static void work_out(struct state *s) {
    const int all = s->plan->player_count;
    int *players = mem_new((size_t)all, sizeof *players), count = all;
    for (int i = 0; i < all; i++)
        players[i] = i;
    if (s->game_count > 1)
        qsort(s->games, (size_t)s->game_count, sizeof *s->games, compare_games);
    for (int i = 0; i < s->plan->stage_count && count > 0; i++) {
        struct stage_state *stage = enter_stage(s, i, players, count);
        play_stage(s, stage, i);
        rank_stage(s, stage, i);
        if (!s->stages[i].is_over)
            break;
        s->is_over = i + 1 == s->plan->stage_count;
        count = advance_from(s, i, players);
    }
    free(players);
    s->expected = s->is_over ? s->game_count : games_expected(s);
}

static void take_sum(void *owner, const struct stored_game *sum, int64_t count) {
    struct loading *l = owner;
    struct state *s = l->state;
    take_game(l, sum);
    s->weights = mem_resize(s->weights, (size_t)s->game_count * sizeof *s->weights);
    s->weights[s->game_count - 1] = (int)count;
}

static struct state *state_new(const struct plan *plan) {
    const size_t all = (size_t)plan->player_count;
    struct state *s = mem_new(1, sizeof *s);
    s->plan = plan;
    s->left = mem_new(all, sizeof *s->left);
    s->left_stage = mem_new(all, sizeof *s->left_stage);
    s->disqualified = mem_new(all, sizeof *s->disqualified);
    for (size_t i = 0; i < all; i++)
        s->left_stage[i] = STAGES_MAX;
    return s;
}

static void compare_text(void *owner, const char *text) {
    const struct plan **plan = owner;
    if (strcmp((*plan)->text, text) != 0)
        *plan = NULL;
}

bool state_is_of(const struct plan *plan, struct store *store, struct err *err) {
    const struct plan *kept = plan;
    return store_text(store, plan->name, compare_text, &kept, err) &&
           (kept || err_set(err,
                            "the contest '%.100s' in this store was begun with another text; "
                            "change the file back, or its name, or take another store",
                            plan->name));
}

// The stage that is played when somebody comes back.
static void imagine_readmission(struct state *s, const char *player) {
    int stage = 0;
    for (int i = 0; i < s->game_count; i++)
        stage = s->games[i].stage > stage ? s->games[i].stage : stage;
    take_decision(s,
                  &(struct decision){
                      .kind = "readmit", .subject = player, .why = "", .by = "", .stage = stage});
}

struct state *state_imagine(const struct plan *plan, struct store *store,
                            const struct imagined *imagined, struct err *err) {
    struct state *s = state_new(plan);
    const char *back = imagined ? imagined->readmitted : NULL;
    struct loading l = {.state = s,
                        .imagined = imagined,
                        .readmitted = back ? plan_find_player(plan, back) : NOBODY};
    if (!state_is_of(plan, store, err) ||
        !store_decisions(store, plan->name, take_decision, s, err) ||
        !store_games(store, plan->name, false, take_game, &l, err)) {
        state_free(s);
        return NULL;
    }
    if (back)
        imagine_readmission(s, back);
    note_left(s);
    work_out(s);
    return s;
}

struct state *state_load(const struct plan *plan, struct store *store, struct err *err) {
    return state_imagine(plan, store, NULL, err);
}

// Whether the table is the sum of all games, whatever their meetings: everybody meets everybody,
// and games count as they are.
static bool is_sum(const struct plan *plan) {
    const struct plan_stage *stage = &plan->stages[0];
    return plan->stage_count == 1 && !stage->by_meeting && !plan->repeat_drawn &&
           (stage->format.schedule == &schedule_league ||
            stage->format.schedule == &schedule_gauntlet);
}

static bool load_sums(struct state *s, struct store *store, struct err *err) {
    struct loading l = {.state = s, .readmitted = NOBODY};
    int64_t counts[GAME_STATE_COUNT];
    if (!state_is_of(s->plan, store, err) ||
        !store_decisions(store, s->plan->name, take_decision, s, err) ||
        !store_results(store, s->plan->name, 0, take_sum, &l, err) ||
        !store_count(store, s->plan->name, counts, err))
        return false;
    for (int i = 0; i < GAME_STATE_COUNT; i++)
        s->counts[i] = (int)counts[i];
    for (int i = 0; i < s->game_count; i++)
        s->counts[GAME_DONE] += s->weights[i];
    return true;
}

struct state *state_load_tables(const struct plan *plan, struct store *store, struct err *err) {
    if (!is_sum(plan))
        return state_load(plan, store, err);
    struct state *s = state_new(plan);
    if (!load_sums(s, store, err)) {
        state_free(s);
        return NULL;
    }
    note_left(s);
    struct stage_state *stage = enter_stage(s, 0, NULL, plan->player_count);
    for (int i = 0; i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        const struct result r = {.player = {g->black, g->white},
                                 .winner = g->winner < 0 ? RESULT_NOBODY : g->winner - 1,
                                 .scores = {g->scores[0], g->scores[1]},
                                 .more = s->weights[i] - 1};
        results_add(&stage->results, &r);
    }
    rank_stage(s, stage, 0);
    s->is_over = s->counts[GAME_WAITING] == 0 && s->counts[GAME_PLAYING] == 0;
    s->expected = s->counts[GAME_WAITING] + s->counts[GAME_PLAYING] + s->counts[GAME_DONE] +
                  s->counts[GAME_ANNULLED];
    return s;
}

void state_free(struct state *s) {
    if (!s)
        return;
    for (int i = 0; i < STAGES_MAX; i++) {
        free(s->stages[i].entrants);
        free(s->stages[i].players);
        free(s->stages[i].standings);
        free(s->stages[i].results.list);
        meetings_done(&s->stages[i].meetings);
    }
    for (int i = 0; i < s->decision_count; i++) {
        free(s->decisions[i].kind);
        free(s->decisions[i].subject);
        free(s->decisions[i].why);
        free(s->decisions[i].by);
    }
    interned_done(&s->words);
    free(s->decisions);
    free(s->games);
    free(s->weights);
    free(s->left);
    free(s->left_stage);
    free(s->disqualified);
    free(s->wanted.list);
    free(s);
}

// Adds those of a stage who are in no later one, and who are (not) disqualified.
static int add_overall(const struct state *s, const struct stage_state *stage, bool disqualified,
                       bool *placed, struct standing *standings, int count) {
    const int before = count;
    for (int i = 0, last = 0; i < stage->field.count; i++) {
        const struct standing *from = &stage->standings[i];
        if (placed[from->player] || s->disqualified[from->player] != disqualified)
            continue;
        const bool shared = count > before && from->rank == last;
        standings[count] = *from;
        standings[count].rank = shared ? standings[count - 1].rank : count + 1;
        if (disqualified)
            standings[count].points = 0;
        placed[from->player] = true;
        last = from->rank;
        count++;
    }
    return count;
}

bool state_house(const struct state *s, const struct stored_game *g, int *winner) {
    int count;
    const struct meeting key = {.stage = g->stage, .round = g->round, .table = g->table};
    if (s->weights || !s->plan->repeat_drawn || g->state != GAME_DONE || g->winner != 0 ||
        g->leg >= HOUSE_LEG)
        return false;
    const struct stored_game *list = games_of(s, &key, &count);
    const bool repeated = g + 1 < list + count && g[1].leg == g->leg;
    return !repeated && meeting_house(list, count, g->leg, winner);
}

int state_overall(const struct state *s, struct standing *standings) {
    int count = 0;
    bool *placed = mem_new((size_t)s->plan->player_count, sizeof *placed);
    for (int out = 0; out < 2; out++)
        for (int stage = s->begun - 1; stage >= 0; stage--)
            count = add_overall(s, &s->stages[stage], out, placed, standings, count);
    free(placed);
    return count;
}

struct results state_games(const struct state *s) {
    struct results list = {.count = 0};
    for (int i = 0; i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        if (g->state != GAME_DONE || g->black < 0 || g->white < 0 || g->winner < 0 ||
            finish_find(g->reason) == FINISH_WALKOVER)
            continue;
        const struct result r = {.player = {g->black, g->white},
                                 .winner = g->winner - 1,
                                 .more = s->weights ? s->weights[i] - 1 : 0};
        results_add(&list, &r);
    }
    return list;
}
