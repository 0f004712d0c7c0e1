// SPDX-License-Identifier: MIT
// A game is kept twice: as columns, which tables are made of, and as the line of its record, which
// ends with its sum. What stands in the columns is in the record too, so either shows what has
// happened to the other. Games that were awarded have no record.
#include "contest/verify.h"

#include "referee/audit.h"
#include "referee/record.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 300 };

struct verify_look {
    const struct plan *plan;
    struct verification *v;
};

static int64_t number_in(const json_t *object, const char *key) {
    return json_integer_value(json_object_get(object, key));
}

static bool is_text(const json_t *value, const char *text) {
    const char *said = json_string_value(value);
    return said && strcmp(said, text) == 0;
}

static const char *name_of(const struct plan *plan, int player) {
    return player == HOUSE                              ? "the house"
           : player >= 0 && player < plan->player_count ? plan->players[player].name
                                                        : "";
}

// What the record says of its place in the contest, beside what the columns say.
static const char *place_differs(const struct plan *plan, const struct stored_game *g,
                                 const json_t *contest) {
    const struct {
        const char *key;
        int64_t value;
    } numbers[] = {{"number", g->number}, {"stage", g->stage}, {"round", g->round},
                   {"table", g->table},   {"leg", g->leg},     {"attempt", g->attempt},
                   {"tries", g->tries},   {"speed", g->speed}};
    const json_t *players = json_object_get(contest, "players");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (number_in(contest, numbers[i].key) != numbers[i].value)
            return numbers[i].key;
    if (!is_text(json_object_get(contest, "worker"), g->worker))
        return "worker";
    return is_text(json_array_get(players, 0), name_of(plan, g->black)) &&
                   is_text(json_array_get(players, 1), name_of(plan, g->white))
               ? NULL
               : "players";
}

// What is no letter became a blank on its way there.
static bool has_evidence(const char *verdict, const json_t *evidence) {
    const char *said = json_string_value(evidence);
    for (const char *c = said ? said : ""; *c; c++)
        if ((unsigned char)*c < ' ')
            return true;
    return !said || strstr(verdict, said);
}

static const char *result_differs(const struct stored_game *g, const json_t *record) {
    const json_t *winner = json_object_get(record, "winner"),
                 *scores = json_object_get(record, "scores"),
                 *verdict = json_object_get(record, "verdict"),
                 *evidence = json_object_get(verdict, "evidence");
    if (finish_find(g->reason) ==
        FINISH_PLATFORM) // broken off: it has no result, and the fault for a verdict
        return !is_text(json_object_get(record, "reason"), g->reason) ? "reason"
               : number_in(record, "plies") != g->plies               ? "plies"
                                                                      : NULL;
    if ((json_is_null(winner) ? -1 : json_integer_value(winner)) != g->winner)
        return "winner";
    for (size_t i = 0; i < 2; i++)
        if (json_integer_value(json_array_get(scores, i)) != g->scores[i])
            return "scores";
    if (number_in(record, "plies") != g->plies)
        return "plies";
    if (!is_text(json_object_get(record, "reason"), g->reason))
        return "reason";
    // The column has it in one line, of both where both have lost.
    if ((json_object_size(verdict) > 0) != (*g->verdict != '\0'))
        return "verdict";
    const char *word = json_string_value(json_object_get(verdict, "word"));
    return !word || (strstr(g->verdict, word) && has_evidence(g->verdict, evidence)) ? NULL
                                                                                     : "verdict";
}

// What is wrong with a game and its record, or NULL.
static const char *fault_of(const struct verify_look *l, const struct stored_game *g,
                            const json_t *record, char words[static WORDS_MAX]) {
    char why[WHY_TEXT_MAX];
    if (!json_is_object(record) || !record_is_whole(record))
        return "its record is not as it was written: the sum at its end is another";
    const char *differs = place_differs(l->plan, g, json_object_get(record, "contest"));
    differs = differs ? differs : result_differs(g, record);
    if (differs) {
        snprintf(words, WORDS_MAX, "the store and its record do not say the same of '%s'", differs);
        return words;
    }
    const char *untrue = l->v->deeply ? audit_check(record, why) : NULL;
    if (untrue)
        snprintf(words, WORDS_MAX, "its record cannot be true: %.200s", untrue);
    return untrue ? words : NULL;
}

static void look_at(void *owner, const struct stored_game *g) {
    struct verify_look *l = owner;
    char words[WORDS_MAX];
    l->v->games++;
    if (!*g->record)
        return;
    json_t *record = json_loads(g->record, JSON_REJECT_DUPLICATES, NULL);
    const char *fault = fault_of(l, g, record, words);
    l->v->records++;
    if (fault) {
        l->v->wrong++;
        l->v->each(l->v->owner, g->number, fault);
    }
    json_decref(record);
}

bool verify_record(const char *text) {
    json_t *record = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const bool whole = json_is_object(record) && record_is_whole(record);
    json_decref(record);
    return whole;
}

bool verify_games(const struct plan *plan, struct store *store, struct verification *v,
                  struct err *err) {
    struct verify_look look = {plan, v};
    v->games = v->records = v->wrong = 0;
    return store_games(store, plan->name, true, look_at, &look, err);
}

// The first is told.
static void refuse_game(void *owner, int64_t number, const char *words) {
    err_set(owner, "the store is damaged: game %lld: %s; arbiter contest check tells all",
            (long long)number, words);
}

bool verify_shown(const struct plan *plan, struct store *store, struct err *err) {
    struct verification v = {.each = refuse_game, .owner = err};
    struct buf findings = {.data = NULL};
    if (store_vouch(store))
        return true;
    bool good = store_check(store, &findings, err);
    if (good && findings.length > 0)
        good = err_set(err, "the store is damaged: %.300s", findings.data);
    buf_done(&findings);
    return good && verify_games(plan, store, &v, err) && !err->set;
}
