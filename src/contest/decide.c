// SPDX-License-Identifier: MIT
// A ruling changes what follows from the games, and schedules are worked out anew from it: it is
// refused if other games would have been planned, had it been known, for then rounds were paired by
// what it changes. So the state is imagined with it first (state_imagine), and every game there is
// must still have its place.
//
// Taking back goes the same way. A game that was annulled counts again; one that was to be played
// again counts as long as that has not begun. Who comes back plays on, and the games that he was
// given as lost because he had left wait again.
#include "contest/decide.h"

#include "base/plain.h"
#include "base/whole.h"
#include "contest/state.h"

#include <string.h>
#include <time.h>

struct deciding {
    const struct plan *plan;
    struct store *store;
    const struct ruling *ruling;
    struct decision decision;
    int64_t number; // of the game
    int player;     // or of the player
    struct buf *words;
};

static bool is_kind(const struct deciding *d, const char *kind) {
    return strcmp(d->ruling->kind, kind) == 0;
}

// Whether all games would have been planned all the same.
static bool keeps_pairings(const struct deciding *d, const struct imagined *imagined,
                           const char *what, struct err *err) {
    struct state *state = state_imagine(d->plan, d->store, imagined, err);
    const bool good = state && state->placed == state->game_count;
    if (state && !good)
        err_set(err, "%s: later rounds were paired by it", what);
    state_free(state);
    return good;
}

// Not one that was played out against the house.
static bool counts_itself(const struct deciding *d, struct err *err) {
    struct state *state = state_load(d->plan, d->store, err);
    int winner;
    for (int i = 0; state && i < state->game_count; i++)
        if (state->games[i].number == d->number && state_house(state, &state->games[i], &winner))
            err_set(err,
                    "game %lld was drawn and has been played out against the house: it is "
                    "those games that count",
                    (long long)d->number);
    state_free(state);
    return !err->set;
}

static bool game_keeps_pairings(const struct deciding *d, enum stored_state as, struct err *err) {
    char what[64];
    const struct imagined imagined = {.number = d->number, .as = as};
    snprintf(what, sizeof what, "game %lld has had its effect", (long long)d->number);
    return keeps_pairings(d, &imagined, what, err);
}

// annul, replay
static bool change_game(struct deciding *d, struct err *err) {
    const bool again = is_kind(d, "replay");
    if (!counts_itself(d, err) ||
        !game_keeps_pairings(d, again ? GAME_WAITING : GAME_ANNULLED, err) ||
        !store_annul(d->store, d->plan->name, d->number, again, &d->decision, err))
        return false;
    buf_format(d->words, "game %lld is annulled%s", (long long)d->number,
               again ? " and will be played again: arbiter contest run" : "");
    return true;
}

// restore
static bool restore_game(struct deciding *d, struct err *err) {
    if (!game_keeps_pairings(d, GAME_DONE, err) ||
        !store_restore(d->store, d->plan->name, d->number, &d->decision, err))
        return false;
    buf_format(d->words, "game %lld counts again", (long long)d->number);
    return true;
}

static bool has_begun(const struct state *state, struct err *err) {
    return state->game_count > 0 ||
           err_set(err, "the contest '%.100s' has not begun", state->plan->name);
}

// withdraw, disqualify
static bool send_off(struct deciding *d, struct err *err) {
    const bool withdraws = is_kind(d, "withdraw");
    struct state *state = state_load(d->plan, d->store, err);
    bool good = state && has_begun(state, err);
    if (good && state->left[d->player] && (state->disqualified[d->player] || withdraws))
        good = err_set(err, "%.60s is %s already", d->ruling->subject, state->left[d->player]);
    state_free(state);
    if (!good || !store_decide(d->store, d->plan->name, &d->decision, err))
        return false;
    buf_format(d->words, "%s %s; the games he has still to play are lost", d->ruling->subject,
               withdraws ? "has withdrawn" : "is disqualified");
    return true;
}

// readmit
static bool readmit(struct deciding *d, struct err *err) {
    char what[128];
    const struct imagined imagined = {.readmitted = d->ruling->subject};
    struct state *state = state_load(d->plan, d->store, err);
    const bool left = state && state->left[d->player];
    if (state && !left)
        err_set(err, "%.60s has not left the contest", d->ruling->subject);
    state_free(state);
    snprintf(what, sizeof what, "the leaving of %.60s has had its effect", d->ruling->subject);
    if (!left || !keeps_pairings(d, &imagined, what, err) ||
        !store_readmit(d->store, d->plan->name, d->player, &d->decision, err))
        return false;
    buf_format(d->words, "%s is in the contest again", d->ruling->subject);
    return true;
}

static const struct ruling_kind {
    const char *kind, *about;
    bool (*keep)(struct deciding *d, struct err *err);
} kinds[] = {{"annul", "GAME", change_game},     {"replay", "GAME", change_game},
             {"restore", "GAME", restore_game},  {"withdraw", "PLAYER", send_off},
             {"disqualify", "PLAYER", send_off}, {"readmit", "PLAYER", readmit}};

enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct ruling_kind *find_kind(const char *kind) {
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].kind, kind) == 0)
            return &kinds[i];
    return NULL;
}

const char *decide_about(const char *kind) {
    const struct ruling_kind *found = find_kind(kind);
    return found ? found->about : NULL;
}

static bool find_player(struct deciding *d, struct err *err) {
    char names[ERR_TEXT_MAX / 2] = "";
    d->player = plan_find_player(d->plan, d->ruling->subject);
    if (d->player != NOBODY)
        return true;
    for (int i = 0; i < d->plan->player_count; i++)
        err_list(names, sizeof names, d->plan->players[i].name);
    return err_set(err, "there is no player '%.60s'; there are %s", d->ruling->subject, names);
}

static bool find_subject(struct deciding *d, const char *about, struct err *err) {
    if (strcmp(about, "PLAYER") == 0)
        return find_player(d, err);
    return text_whole(d->ruling->subject, 1, INT64_MAX, &d->number) ||
           err_set(err, "a game has a number, not '%.40s'", d->ruling->subject);
}

bool decide(const struct plan *plan, struct store *store, const struct ruling *r, struct buf *words,
            struct err *err) {
    const struct ruling_kind *kind = find_kind(r->kind);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct deciding d = {.plan = plan, .store = store, .ruling = r, .words = words};
    d.decision = (struct decision){.at_us = now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000,
                                   .kind = r->kind,
                                   .subject = r->subject,
                                   .why = r->why,
                                   .by = r->by};
    if (!kind)
        return err_set(err, "there is no decision '%.40s'", r->kind);
    if (plain_is_blank(r->why) || strlen(r->why) > RULING_WHY_MAX)
        return err_set(err, "a decision needs its reason, of at most %d bytes", RULING_WHY_MAX);
    if (strlen(r->by) > RULING_BY_MAX)
        return err_set(err, "who decides has a name of at most %d bytes", RULING_BY_MAX);
    return find_subject(&d, kind->about, err) && kind->keep(&d, err);
}
