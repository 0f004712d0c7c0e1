// SPDX-License-Identifier: MIT
// The state is read anew when games have ended. In a large contest that takes a while, so it is not
// done after every game: only when a table here has nothing to play, or fifty times as long has
// passed as the last time took.
#include "contest/runner.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "contest/game_files.h"
#include "contest/likeness.h"
#include "contest/player_files.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_US = 500000, PATIENCE = 50 };

struct runner {
    const struct plan *plan;
    struct store *store;
    const struct dispatch_events *events;
    void *owner;
    struct dispatch *dispatch;
    struct state *state;
    int64_t counts[GAME_STATE_COUNT]; // when the state was read
    int ended;                        // games that had, here
    int64_t read_us, took_us, polled_us;
    int playing; // everywhere, when last asked
    struct likeness likeness;
    bool dirty; // somebody else has changed something since
    bool paused;
};

// Games that wait and cannot be played, because somebody has left.
static bool award(struct runner *r, bool *any, struct err *err) {
    const struct state *s = r->state;
    bool good = true;
    for (int i = 0; good && i < s->game_count; i++) {
        const struct stored_game *g = &s->games[i];
        const char *black = g->black >= 0 ? s->left[g->black] : NULL,
                   *white = g->white >= 0 ? s->left[g->white] : NULL;
        char words[80];
        if (g->state != GAME_WAITING || (!black && !white))
            continue;
        snprintf(words, sizeof words, "%s%s%s%s%s", black ? "black " : "", black ? black : "",
                 black && white ? ", " : "", white ? "white " : "", white ? white : "");
        good = store_award(r->store, r->plan->name, g->number,
                           black && white ? -1
                           : black        ? 2
                                          : 1,
                           words, err);
        *any = true;
    }
    return good;
}

static bool reload(struct runner *r, struct err *err) {
    const int64_t begin_us = clock_now_us();
    struct state *state = state_load(r->plan, r->store, err);
    if (!state)
        return false;
    state_free(r->state);
    r->state = state;
    state->likeness = &r->likeness;
    for (int i = 0; i < GAME_STATE_COUNT; i++)
        r->counts[i] = state->counts[i];
    r->dirty = false;
    r->ended = dispatch_ended(r->dispatch);
    r->read_us = clock_now_us();
    r->took_us = r->read_us - begin_us;
    return true;
}

// Brings the state up to date and adds the games that follow from it, until none do.
static bool plan_on(struct runner *r, struct err *err) {
    for (bool any = true; any;) {
        any = false;
        if (!reload(r, err) || !award(r, &any, err))
            return false;
        const struct wanted *w = &r->state->wanted;
        if (w->count > 0 &&
            !store_add(r->store, r->plan->name, w->list, w->count, r->state->decision_count, err))
            return false;
        any |= w->count > 0;
    }
    if (r->events->changed)
        r->events->changed(r->owner, r->state);
    return true;
}

// Whether somebody else has changed something in the store.
static bool poll_store(struct runner *r, struct err *err) {
    int64_t counts[GAME_STATE_COUNT];
    const int64_t now = clock_now_us();
    if (now - r->polled_us < POLL_US)
        return true;
    r->polled_us = now;
    if (!store_count(r->store, r->plan->name, counts, err))
        return false;
    r->playing = (int)counts[GAME_PLAYING];
    const bool more = counts[GAME_WAITING] + counts[GAME_PLAYING] !=
                          r->counts[GAME_WAITING] + r->counts[GAME_PLAYING] ||
                      counts[GAME_ANNULLED] != r->counts[GAME_ANNULLED];
    r->dirty |=
        more || store_decision_count(r->store, r->plan->name, err) != r->state->decision_count;
    return !err->set;
}

// What the contest's rules ask about; the organiser decides what to make of it.
static bool compare_players(struct runner *r, const struct embed *kits, struct err *err) {
    const struct likeness *l = &r->likeness;
    if (!likeness_find(&r->likeness, r->plan, r->store, ".", kits, err))
        return false;
    for (int i = 0; i < l->flagged; i++) {
        const struct pair *p = &l->pairs.at[i];
        struct buf words = {.data = NULL};
        buf_format(&words,
                   "%s and %s have code in common: %.1f %% of the first, %.1f %% of the second",
                   likeness_name(l, p, 0), likeness_name(l, p, 1), p->percent[0], p->percent[1]);
        r->events->note(r->owner, words.data);
        buf_done(&words);
    }
    return true;
}

struct runner *runner_new(const struct plan *plan, struct store *store,
                          const struct dispatch_options *options,
                          const struct dispatch_events *events, void *owner, struct err *err) {
    struct runner *r = mem_new(1, sizeof *r);
    *r = (struct runner){.plan = plan, .store = store, .events = events, .owner = owner};
    bool same, good = player_files_check(plan, store, err) &&
                      store_begin(store, plan->name, plan->text, &same, err) &&
                      state_is_of(plan, store, err) && player_files_keep(plan, store, err) &&
                      game_files_keep(plan, store, err) && compare_players(r, options->kits, err);
    if (good)
        r->dispatch = dispatch_new(store, options, events, owner, err);
    if (r->dispatch && dispatch_add(r->dispatch, plan, err) && plan_on(r, err))
        return r;
    runner_free(r);
    return NULL;
}

int runner_fd(const struct runner *r) { return dispatch_fd(r->dispatch); }

// Whether the state is not that of the store any more.
static bool is_stale(const struct runner *r) {
    return r->dirty || dispatch_ended(r->dispatch) != r->ended;
}

bool runner_work(struct runner *r, struct err *err) {
    if (!dispatch_work(r->dispatch, !r->paused, err) || !poll_store(r, err))
        return false;
    const bool hungry = dispatch_is_idle(r->dispatch) && !r->paused;
    const bool rested = clock_now_us() - r->read_us > PATIENCE * r->took_us;
    if (!is_stale(r) || !(hungry || rested))
        return true;
    return plan_on(r, err) && dispatch_work(r->dispatch, !r->paused, err);
}

void runner_pause(struct runner *r, bool pause) { r->paused = pause; }

bool runner_is_over(const struct runner *r) { return r->state->is_over && !is_stale(r); }

int runner_playing(const struct runner *r) {
    const int here = dispatch_busy(r->dispatch);
    return here > r->playing ? here : r->playing;
}

const struct state *runner_state(const struct runner *r) { return r->state; }

struct dispatch_times runner_times(const struct runner *r) {
    return dispatch_times(r->dispatch);
}

void runner_free(struct runner *r) {
    if (!r)
        return;
    dispatch_free(r->dispatch);
    state_free(r->state);
    likeness_done(&r->likeness);
    free(r);
}
