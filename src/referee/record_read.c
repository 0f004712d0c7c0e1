// SPDX-License-Identifier: MIT
// One table says which fields a record has and who reads each; they are read in that order, and a
// reader may rely on those before it.
#include "referee/record_read.h"

#include "base/mem.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// More than a game can take: an hour for every move of the longest.
static const double MS_MAX = 1e12;

struct reading {
    struct record_read *d;
    char *why;
};

// Says what is wrong; always false.
__attribute__((format(printf, 2, 3))) static bool wrong(struct reading *r, const char *format,
                                                        ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(r->why, WHY_TEXT_MAX, format, words);
    va_end(words);
    return false;
}

static bool read_int(struct reading *r, const json_t *value, const char *what, int64_t low,
                     int64_t high, int64_t *n) {
    *n = 0;
    if (json_whole(value, low, high, n))
        return true;
    return wrong(r, "%s is no whole number from %lld to %lld", what, (long long)low,
                 (long long)high);
}

static bool read_small(struct reading *r, const json_t *value, const char *what, int low, int high,
                       int *n) {
    int64_t number;
    const bool good = read_int(r, value, what, low, high, &number);
    *n = good ? (int)number : 0;
    return good;
}

static bool read_ms(struct reading *r, const json_t *value, const char *what, int64_t *us) {
    const double ms = json_number_value(value);
    if (!json_is_number(value) || !(ms >= 0 && ms <= MS_MAX))
        return wrong(r, "%s is no time", what);
    *us = llround(ms * 1000);
    return true;
}

static bool read_text(struct reading *r, const json_t *value, const char *what, const char **text) {
    *text = json_string_value(value);
    return *text || wrong(r, "%s is no text", what);
}

// A list of so many values.
static bool check_list(struct reading *r, const json_t *value, const char *what, int length) {
    return (json_is_array(value) && json_array_size(value) == (size_t)length) ||
           wrong(r, "%s is no list of %d", what, length);
}

// A list of two texts; one that is wrong is told of as "the first department".
static bool read_texts(struct reading *r, const json_t *value, const char *what, const char *each,
                       const char *texts[2]) {
    bool good = check_list(r, value, what, 2);
    for (size_t i = 0; i < 2 && good; i++) {
        char name[40];
        snprintf(name, sizeof name, "the %s %s", i ? "second" : "first", each);
        good = read_text(r, json_array_get(value, i), name, &texts[i]);
    }
    return good;
}

// An object with these keys, ended by NULL, and no others; whether all are there, readers see.
static bool check_keys(struct reading *r, const json_t *value, const char *what,
                       const char *const *keys) {
    const char *key;
    json_t *ignored;
    if (!json_is_object(value))
        return wrong(r, "%s is no object", what);
    json_object_foreach((json_t *)value, key, ignored) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return wrong(r, "%s has a field '%.60s', which is none", what, key);
    }
    return true;
}

static bool read_game(struct reading *r, const json_t *value) {
    const char *name;
    if (!read_text(r, value, "game", &name))
        return false;
    r->d->game = game_find(name);
    return r->d->game || wrong(r, "there is no game %.60s", name);
}

static bool read_players(struct reading *r, const json_t *value) {
    const char **players = r->d->players;
    return read_texts(r, value, "players", "of players", players) &&
           ((*players[0] && *players[1]) || wrong(r, "players has an empty text"));
}

static bool read_winner(struct reading *r, const json_t *value) {
    r->d->winner = -1;
    return json_is_null(value) || read_small(r, value, "winner", 0, 2, &r->d->winner);
}

static bool read_scores(struct reading *r, const json_t *value) {
    r->d->has_scores = !json_is_null(value);
    return !r->d->has_scores ||
           (check_list(r, value, "scores", 2) &&
            read_small(r, json_array_get(value, 0), "a score", INT_MIN, INT_MAX,
                       &r->d->scores[0]) &&
            read_small(r, json_array_get(value, 1), "a score", INT_MIN, INT_MAX, &r->d->scores[1]));
}

static bool read_reason(struct reading *r, const json_t *value) {
    return read_text(r, value, "reason", &r->d->reason);
}

static bool read_fault(struct reading *r, const json_t *value, const char *what,
                       struct record_read_fault *f) {
    const char *word;
    if (!read_small(r, json_object_get(value, "player"), what, 1, 2, &f->player))
        return wrong(r, "%s: its player is neither 1 nor 2", what);
    if (!read_text(r, json_object_get(value, "word"), what, &word) ||
        !read_text(r, json_object_get(value, "evidence"), what, &f->evidence))
        return wrong(r, "%s: its word or its evidence is no text", what);
    f->verdict = verdict_find(word);
    return f->verdict != VERDICT_NONE || wrong(r, "%s: '%.60s' is no verdict", what, word);
}

static bool read_verdict(struct reading *r, const json_t *value) {
    static const char *const keys[] = {"player", "word", "evidence", NULL};
    r->d->has_verdict = !json_is_null(value);
    return !r->d->has_verdict || (check_keys(r, value, "verdict", keys) &&
                                  read_fault(r, value, "verdict", &r->d->verdict));
}

static bool read_plies(struct reading *r, const json_t *value) {
    struct record_read *d = r->d;
    if (!read_small(r, value, "plies", 0, d->game->plies_max, &d->plies))
        return false;
    d->moves = mem_new((size_t)d->plies + 1, sizeof *d->moves);
    return true;
}

static bool read_move_texts(struct reading *r, const json_t *value) {
    bool good = check_list(r, value, "moves", r->d->plies);
    for (int i = 0; i < r->d->plies && good; i++)
        good = read_text(r, json_array_get(value, (size_t)i), "a move", &r->d->moves[i].text);
    return good;
}

static bool read_times(struct reading *r, const json_t *value) {
    bool good = check_list(r, value, "ms", r->d->plies);
    for (int i = 0; i < r->d->plies && good; i++)
        good = read_ms(r, json_array_get(value, (size_t)i), "one of ms", &r->d->moves[i].us);
    return good;
}

static bool read_cpu_times(struct reading *r, const json_t *value) {
    bool good = check_list(r, value, "cpu_ms", r->d->plies);
    for (int i = 0; i < r->d->plies && good; i++) {
        const json_t *ms = json_array_get(value, (size_t)i);
        r->d->moves[i].cpu_us = -1;
        good = json_is_null(ms) || read_ms(r, ms, "one of cpu_ms", &r->d->moves[i].cpu_us);
    }
    return good;
}

static bool read_credits(struct reading *r, const json_t *value) {
    bool good = !value || check_list(r, value, "credit_ms", r->d->plies), any = !value;
    for (int i = 0; i < r->d->plies && good && value; i++) {
        int64_t *us = &r->d->moves[i].credit_us;
        good = read_ms(r, json_array_get(value, (size_t)i), "one of credit_ms", us);
        any |= *us > 0;
    }
    return good && (any || wrong(r, "credit_ms holds nothing"));
}

static bool read_by_referee(struct reading *r, const json_t *value) {
    int before = -1;
    if (!json_is_array(value))
        return wrong(r, "by_referee is no list");
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!read_small(r, json_array_get(value, i), "by_referee", before + 1, r->d->plies - 1,
                        &before))
            return wrong(r, "by_referee is no ascending list of moves");
        r->d->moves[before].by_referee = true;
    }
    return true;
}

// A rule of the game, as it was set.
static bool read_rule(struct reading *r, const json_t *value, const struct rule *rule) {
    char text[RULE_TEXT_MAX] = "";
    const bool number = !rule->words && !rule->form;
    if (number ? !json_is_integer(value) : !json_is_string(value))
        return wrong(r, "settings: %s is no %s", rule->key, number ? "whole number" : "text");
    if (number)
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    return ruleset_set(&r->d->rules, rule->key, number ? text : json_string_value(value), r->why);
}

static bool read_penalty(struct reading *r, const json_t *value, const char *key) {
    struct err err = {.set = false};
    const char *word;
    return read_text(r, value, key, &word) &&
           (penalties_set(&r->d->penalties, r->d->game, key, word, &err) ||
            wrong(r, "%.200s", err.text));
}

static bool read_limit(struct reading *r, const json_t *value) {
    const double seconds = json_number_value(value);
    if (json_is_null(value))
        return true;
    if (!json_is_number(value) || !(seconds > 0 && seconds <= MS_MAX / 1000))
        return wrong(r, "settings: time is neither seconds nor null");
    r->d->time_us = llround(seconds * 1e6);
    return true;
}

static bool read_settings(struct reading *r, const json_t *value) {
    const char *keys[GAME_RULES_MAX + FAULT_KEYS + PLAYER_LIMITS_MAX + 2] = {"time"};
    const struct game *game = r->d->game;
    struct err err = {.set = false};
    int count = 1;
    union game_state start;
    ruleset_init(&r->d->rules, game);
    penalties_init(&r->d->penalties, game);
    for (int i = 0; i < game->rule_count; i++)
        keys[count++] = game->rules[i].key;
    for (int i = 0; i < FAULT_KEYS; i++)
        keys[count++] = fault_key_name((enum fault_key)i);
    player_limits_keys(game, keys + count);
    bool good = check_keys(r, value, "settings", keys);
    for (int i = 0; i < game->rule_count && good; i++)
        good = read_rule(r, json_object_get(value, game->rules[i].key), &game->rules[i]);
    for (int i = 0; i < FAULT_KEYS && good; i++) {
        const char *key = fault_key_name((enum fault_key)i);
        good = read_penalty(r, json_object_get(value, key), key);
    }
    if (good && !player_limits_take(&r->d->limits, game, value, &err))
        return wrong(r, "settings: %.200s", err.text);
    return good && read_limit(r, json_object_get(value, "time")) &&
           game->start(&start, &r->d->rules, NULL, r->why);
}

// What the players used in each other's turns.
static bool read_ponder(struct reading *r, const json_t *value) {
    if ((r->d->limits.ponder == PONDER_REPORT) != (value != NULL))
        return wrong(r, "ponder_ms belongs to ponder=report, and to nothing else");
    if (value && (!json_is_array(value) || json_array_size(value) != 2))
        return wrong(r, "ponder_ms is no list of two");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *ms = json_array_get(value, i);
        int64_t us;
        if (!json_is_null(ms) && !read_ms(r, ms, "ponder_ms", &us))
            return false;
    }
    return true;
}

// The box: records have it since there is one.
static bool read_box(struct reading *r, const json_t *value) {
    r->d->boxed = value && !json_is_null(value);
    int ignored;
    return !r->d->boxed || read_small(r, value, "box", BOX_LIMITS, BOX_GROUPS, &ignored);
}

// Two numbers that only records of boxed players have; each may be null.
static bool read_boxed_pair(struct reading *r, const json_t *value, const char *name, bool wanted) {
    if (wanted != (value != NULL))
        return wrong(r, "%s %s", name, wanted ? "is missing" : "does not belong here");
    if (value && !check_list(r, value, name, 2))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *number = json_array_get(value, i);
        if (!json_is_null(number) && (!json_is_number(number) || json_number_value(number) < 0))
            return wrong(r, "%s holds what is no number from 0 on", name);
    }
    return true;
}

// Records have it since the core goes by turns.
static bool read_core(struct reading *r, const json_t *value) {
    if (!value)
        return true;
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    const bool frozen = strcmp(word, "frozen") == 0;
    bool known = frozen;
    for (int i = BOX_CORE_SHARED; i <= BOX_CORE_APART; i++)
        known |= strcmp(word, box_core_word((enum box_core)i)) == 0;
    if (!r->d->boxed || !known)
        return wrong(r, "core %s", r->d->boxed ? "is no word of it" : "does not belong here");
    return frozen == (r->d->limits.ponder == PONDER_FREEZE) ||
           wrong(r, "core is not what ponder= says");
}

static bool read_peak(struct reading *r, const json_t *value) {
    return read_boxed_pair(r, value, "peak", r->d->boxed);
}

static bool read_frozen(struct reading *r, const json_t *value) {
    return read_boxed_pair(r, value, "frozen_ms",
                           r->d->boxed && r->d->limits.ponder == PONDER_FREEZE);
}

static bool read_noted(struct reading *r, const json_t *value, int before,
                       struct record_read_fault *f) {
    static const char *const keys[] = {"player", "word",      "evidence", "ply",
                                       "ms",     "credit_ms", NULL};
    const json_t *ms = json_object_get(value, "ms"), *credit = json_object_get(value, "credit_ms");
    if (!check_keys(r, value, "a fault", keys) || !read_fault(r, value, "a fault", f) ||
        !read_small(r, json_object_get(value, "ply"), "the ply of a fault", before, r->d->plies,
                    &f->ply))
        return false;
    if ((f->verdict == VERDICT_LATE) != (ms != NULL) || (credit && !ms))
        return wrong(r, "faults: who is late, and nobody else, has ms and perhaps credit_ms");
    return (!ms || read_ms(r, ms, "ms of a fault", &f->us)) &&
           (!credit || (read_ms(r, credit, "credit_ms of a fault", &f->credit_us) &&
                        (f->credit_us > 0 || wrong(r, "credit_ms of a fault holds nothing"))));
}

static bool read_faults(struct reading *r, const json_t *value) {
    struct record_read *d = r->d;
    if (!json_is_array(value))
        return wrong(r, "faults is no list");
    const int count = (int)json_array_size(value);
    d->faults = mem_new((size_t)count + 1, sizeof *d->faults);
    for (; d->fault_count < count; d->fault_count++) {
        const int i = d->fault_count, before = i > 0 ? d->faults[i - 1].ply : 0;
        if (!read_noted(r, json_array_get(value, (size_t)i), before, &d->faults[i]))
            return false;
    }
    return true;
}

static bool read_departments(struct reading *r, const json_t *value) {
    const char *ignored[2];
    return !value || read_texts(r, value, "departments", "department", ignored);
}

static bool read_names(struct reading *r, const json_t *value) {
    const char *ignored[2];
    return read_texts(r, value, "names", "of names", ignored);
}

static bool read_seed(struct reading *r, const json_t *value) {
    int64_t seed;
    const bool good = read_int(r, value, "seed", 0, INT64_MAX, &seed);
    r->d->seed = (uint64_t)seed;
    return good;
}

static bool read_number_of_game(struct reading *r, const json_t *value) {
    return read_small(r, value, "number", 1, INT_MAX, &r->d->number);
}

static bool read_opening(struct reading *r, const json_t *value) {
    return read_small(r, value, "opening", 0, r->d->plies, &r->d->opening);
}

static bool read_drawn_openings(struct reading *r, const json_t *value) {
    const char *text = json_string_value(value);
    char again[40];
    if (json_is_null(value))
        return true;
    r->d->opening_given = text && strcmp(text, "given") == 0;
    const long plies = text && strncmp(text, "random:", 7) == 0 ? strtol(text + 7, NULL, 10) : 0;
    snprintf(again, sizeof again, "random:%ld", plies);
    r->d->conditions.opening_plies = plies > 0 && plies <= INT_MAX ? (int)plies : 0;
    if (r->d->opening_given || (r->d->conditions.opening_plies && strcmp(text, again) == 0))
        return true;
    return wrong(r, "conditions: openings is neither random:N nor given");
}

static bool read_drawn_blocks(struct reading *r, const json_t *value) {
    struct conditions *c = &r->d->conditions;
    struct err err = {.set = false};
    const char *text = json_string_value(value);
    const bool may = c->random_blocks; // the contest's
    c->random_blocks = false;
    if (json_is_null(value) || (may && text && conditions_blocks(c, text, &err)))
        return true;
    return wrong(r, "conditions: blocks is neither random nor random:N");
}

static bool read_conditions(struct reading *r, const json_t *value) {
    static const char *const keys[] = {"time", "blocks", "openings", "swap", "grace_ms", NULL};
    struct err err = {.set = false};
    const json_t *swap = json_object_get(value, "swap");
    const char *time;
    conditions_init(&r->d->conditions, r->d->game);
    if (!check_keys(r, value, "conditions", keys) ||
        !read_text(r, json_object_get(value, "time"), "conditions: time", &time))
        return false;
    if (!conditions_time(&r->d->conditions, time, &err))
        return wrong(r, "conditions: %.200s", err.text);
    r->d->swap = json_is_true(swap);
    return (json_is_boolean(swap) || wrong(r, "conditions: swap is neither true nor false")) &&
           read_ms(r, json_object_get(value, "grace_ms"), "grace_ms", &r->d->grace_us) &&
           read_drawn_blocks(r, json_object_get(value, "blocks")) &&
           read_drawn_openings(r, json_object_get(value, "openings"));
}

// What the game's contest gives, where the machine has less.
static bool read_memory_asked(struct reading *r, const json_t *value) {
    struct player_limits contest;
    int64_t asked;
    if (!value)
        return true;
    player_limits_init(&contest, r->d->game);
    return read_int(r, value, "memory_asked", 1, INT64_MAX, &asked) &&
           ((asked == contest.memory && r->d->limits.memory > 0 && r->d->limits.memory < asked) ||
            wrong(r, "memory_asked is not what the contest gives, or the players had that much"));
}

static bool read_sum(struct reading *r, const json_t *value) {
    const char *ignored;
    return read_text(r, value, "sum", &ignored);
}

// What a contest says of its game; only contests read it.
static bool read_platform_fault(struct reading *r, const json_t *value) {
    static const char *const keys[] = {"player", "evidence", NULL};
    int player;
    r->d->platform_fault = NULL;
    return !value ||
           (check_keys(r, value, "platform", keys) &&
            read_small(r, json_object_get(value, "player"), "platform's player", 1, 2, &player) &&
            read_text(r, json_object_get(value, "evidence"), "platform's evidence",
                      &r->d->platform_fault));
}

static bool read_contest(struct reading *r, const json_t *value) {
    return !value || json_is_object(value) || wrong(r, "contest is no object");
}

static const struct {
    const char *key;
    bool (*read)(struct reading *r, const json_t *value);
    bool optional; // read with NULL if it is not there
} fields[] = {
    {"game", read_game, false},
    {"players", read_players, false},
    {"winner", read_winner, false},
    {"scores", read_scores, false},
    {"reason", read_reason, false},
    {"verdict", read_verdict, false},
    {"plies", read_plies, false},
    {"moves", read_move_texts, false},
    {"ms", read_times, false},
    {"cpu_ms", read_cpu_times, false},
    {"credit_ms", read_credits, true},
    {"by_referee", read_by_referee, false},
    {"settings", read_settings, false},
    {"ponder_ms", read_ponder, true},
    {"box", read_box, true},
    {"core", read_core, true},
    {"peak", read_peak, true},
    {"frozen_ms", read_frozen, true},
    {"faults", read_faults, false},
    {"names", read_names, false},
    {"departments", read_departments, true},
    {"seed", read_seed, false},
    {"number", read_number_of_game, false},
    {"opening", read_opening, false},
    {"conditions", read_conditions, false},
    {"platform", read_platform_fault, true},
    {"memory_asked", read_memory_asked, true},
    {"contest", read_contest, true},
    {"sum", read_sum, false},
};

enum { FIELDS = sizeof fields / sizeof *fields };

bool record_read(struct record_read *d, const json_t *record, char why[static WHY_TEXT_MAX]) {
    struct reading r = {.d = d, .why = why};
    const char *keys[FIELDS + 1] = {NULL};
    *d = (struct record_read){.game = NULL};
    for (int i = 0; i < FIELDS; i++)
        keys[i] = fields[i].key;
    if (!check_keys(&r, record, "the record", keys))
        return false;
    for (int i = 0; i < FIELDS; i++) {
        const json_t *value = json_object_get(record, fields[i].key);
        if (!value && !fields[i].optional)
            return wrong(&r, "there is no %s", fields[i].key);
        if (!fields[i].read(&r, value))
            return false;
    }
    return true;
}

void record_read_done(struct record_read *d) {
    free(d->moves);
    free(d->faults);
}
