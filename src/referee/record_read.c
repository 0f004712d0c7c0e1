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

bool record_wrong(const struct record_read *d, const char *format, ...) {
    va_list words;
    va_start(words, format);
    vsnprintf(d->why, WHY_TEXT_MAX, format, words);
    va_end(words);
    return false;
}

static bool read_int(struct record_read *d, const json_t *value, const char *what, int64_t low,
                     int64_t high, int64_t *n) {
    *n = 0;
    if (json_whole(value, low, high, n))
        return true;
    return record_wrong(d, "%s is no whole number from %lld to %lld", what, (long long)low,
                        (long long)high);
}

static bool read_small(struct record_read *d, const json_t *value, const char *what, int low,
                       int high, int *n) {
    int64_t number;
    const bool good = read_int(d, value, what, low, high, &number);
    *n = good ? (int)number : 0;
    return good;
}

static bool read_ms(struct record_read *d, const json_t *value, const char *what, int64_t *us) {
    const double ms = json_number_value(value);
    if (!json_is_number(value) || !(ms >= 0 && ms <= MS_MAX))
        return record_wrong(d, "%s is no time", what);
    *us = llround(ms * 1000);
    return true;
}

static bool read_text(struct record_read *d, const json_t *value, const char *what,
                      const char **text) {
    *text = json_string_value(value);
    return *text || record_wrong(d, "%s is no text", what);
}

// A list of so many values.
static bool check_list(struct record_read *d, const json_t *value, const char *what, int length) {
    return (json_is_array(value) && json_array_size(value) == (size_t)length) ||
           record_wrong(d, "%s is no list of %d", what, length);
}

// A list of two texts; one that is wrong is told of as "the first department".
static bool read_texts(struct record_read *d, const json_t *value, const char *what,
                       const char *each, const char *texts[2]) {
    bool good = check_list(d, value, what, 2);
    for (size_t i = 0; i < 2 && good; i++) {
        char name[40];
        snprintf(name, sizeof name, "the %s %s", i ? "second" : "first", each);
        good = read_text(d, json_array_get(value, i), name, &texts[i]);
    }
    return good;
}

// An object with these keys, ended by NULL, and no others; whether all are there, readers see.
static bool check_keys(struct record_read *d, const json_t *value, const char *what,
                       const char *const *keys) {
    const char *key;
    json_t *ignored;
    if (!json_is_object(value))
        return record_wrong(d, "%s is no object", what);
    json_object_foreach((json_t *)value, key, ignored) {
        int i = 0;
        while (keys[i] && strcmp(keys[i], key) != 0)
            i++;
        if (!keys[i])
            return record_wrong(d, "%s has a field '%.60s', which is none", what, key);
    }
    return true;
}

static bool read_game(struct record_read *d, const json_t *value) {
    const char *name;
    if (!read_text(d, value, "game", &name))
        return false;
    d->game = game_find(name);
    return d->game || record_wrong(d, "there is no game %.60s", name);
}

// The checksum of rules that came from outside.
static bool read_rules(struct record_read *d, const json_t *value) {
    const char *known = spec_of(d->game)->rules_sum, *sum = "";
    if (value && !read_text(d, value, "rules", &sum))
        return false;
    if (!known)
        return !value ||
               record_wrong(d, "the rules of %s are ours, and have no checksum", d->game->name);
    return strcmp(known, sum) == 0 ||
           record_wrong(d,
                        "it was played by other rules of %s (%.12s) than those known here (%.12s)",
                        d->game->name, *sum ? sum : "unnamed", known);
}

static bool read_players(struct record_read *d, const json_t *value) {
    const char **players = d->players;
    return read_texts(d, value, "players", "of players", players) &&
           ((*players[0] && *players[1]) || record_wrong(d, "players has an empty text"));
}

static bool read_winner(struct record_read *d, const json_t *value) {
    d->winner = -1;
    return json_is_null(value) || read_small(d, value, "winner", 0, 2, &d->winner);
}

static bool read_scores(struct record_read *d, const json_t *value) {
    d->has_scores = !json_is_null(value);
    return !d->has_scores ||
           (check_list(d, value, "scores", 2) &&
            read_small(d, json_array_get(value, 0), "a score", INT_MIN, INT_MAX, &d->scores[0]) &&
            read_small(d, json_array_get(value, 1), "a score", INT_MIN, INT_MAX, &d->scores[1]));
}

static bool read_reason(struct record_read *d, const json_t *value) {
    return read_text(d, value, "reason", &d->reason);
}

static bool read_fault(struct record_read *d, const json_t *value, const char *what,
                       struct record_read_fault *f) {
    const char *word;
    if (!read_small(d, json_object_get(value, "player"), what, 1, 2, &f->player))
        return record_wrong(d, "%s: its player is neither 1 nor 2", what);
    if (!read_text(d, json_object_get(value, "word"), what, &word) ||
        !read_text(d, json_object_get(value, "evidence"), what, &f->evidence))
        return record_wrong(d, "%s: its word or its evidence is no text", what);
    f->verdict = verdict_find(word);
    return f->verdict != VERDICT_NONE || record_wrong(d, "%s: '%.60s' is no verdict", what, word);
}

static bool read_verdict(struct record_read *d, const json_t *value) {
    static const char *const keys[] = {"player", "word", "evidence", NULL};
    d->has_verdict = !json_is_null(value);
    return !d->has_verdict ||
           (check_keys(d, value, "verdict", keys) && read_fault(d, value, "verdict", &d->verdict));
}

static bool read_plies(struct record_read *d, const json_t *value) {
    if (!read_small(d, value, "plies", 0, d->game->plies_max, &d->plies))
        return false;
    d->moves = mem_new((size_t)d->plies + 1, sizeof *d->moves);
    return true;
}

static bool read_move_texts(struct record_read *d, const json_t *value) {
    bool good = check_list(d, value, "moves", d->plies);
    for (int i = 0; i < d->plies && good; i++)
        good = read_text(d, json_array_get(value, (size_t)i), "a move", &d->moves[i].text);
    return good;
}

static bool read_times(struct record_read *d, const json_t *value) {
    bool good = check_list(d, value, "ms", d->plies);
    for (int i = 0; i < d->plies && good; i++)
        good = read_ms(d, json_array_get(value, (size_t)i), "one of ms", &d->moves[i].us);
    return good;
}

static bool read_cpu_times(struct record_read *d, const json_t *value) {
    bool good = check_list(d, value, "cpu_ms", d->plies);
    for (int i = 0; i < d->plies && good; i++) {
        const json_t *ms = json_array_get(value, (size_t)i);
        d->moves[i].cpu_us = -1;
        good = json_is_null(ms) || read_ms(d, ms, "one of cpu_ms", &d->moves[i].cpu_us);
    }
    return good;
}

static bool read_credits(struct record_read *d, const json_t *value) {
    bool good = !value || check_list(d, value, "credit_ms", d->plies), any = !value;
    for (int i = 0; i < d->plies && good && value; i++) {
        int64_t *us = &d->moves[i].credit_us;
        good = read_ms(d, json_array_get(value, (size_t)i), "one of credit_ms", us);
        any |= *us > 0;
    }
    return good && (any || record_wrong(d, "credit_ms holds nothing"));
}

static bool read_by_referee(struct record_read *d, const json_t *value) {
    int before = -1;
    if (!json_is_array(value))
        return record_wrong(d, "by_referee is no list");
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!read_small(d, json_array_get(value, i), "by_referee", before + 1, d->plies - 1,
                        &before))
            return record_wrong(d, "by_referee is no ascending list of moves");
        d->moves[before].by_referee = true;
    }
    return true;
}

// A rule of the game, as it was set.
static bool read_rule(struct record_read *d, const json_t *value, const struct rule *rule) {
    char text[RULE_TEXT_MAX] = "";
    const bool number = !rule->words && !rule->form;
    if (number ? !json_is_integer(value) : !json_is_string(value))
        return record_wrong(d, "settings: %s is no %s", rule->key,
                            number ? "whole number" : "text");
    if (number)
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
    return ruleset_set(&d->rules, rule->key, number ? text : json_string_value(value), d->why);
}

static bool read_penalty(struct record_read *d, const json_t *value, const char *key) {
    struct err err = {.set = false};
    const char *word;
    return read_text(d, value, key, &word) &&
           (penalties_set(&d->penalties, d->game, key, word, &err) ||
            record_wrong(d, "%.200s", err.text));
}

static bool read_limit(struct record_read *d, const json_t *value) {
    const double seconds = json_number_value(value);
    if (json_is_null(value))
        return true;
    if (!json_is_number(value) || !(seconds > 0 && seconds <= MS_MAX / 1000))
        return record_wrong(d, "settings: time is neither seconds nor null");
    d->time_us = llround(seconds * 1e6);
    return true;
}

static bool read_settings(struct record_read *d, const json_t *value) {
    const char *keys[GAME_RULES_MAX + FAULT_KEYS + PLAYER_LIMITS_MAX + 2] = {"time"};
    const struct game *game = d->game;
    struct err err = {.set = false};
    int count = 1;
    union game_state start;
    ruleset_init(&d->rules, game);
    penalties_init(&d->penalties, game);
    for (int i = 0; i < game->rule_count; i++)
        keys[count++] = game->rules[i].key;
    for (int i = 0; i < FAULT_KEYS; i++)
        keys[count++] = fault_key_name((enum fault_key)i);
    player_limits_keys(game, keys + count);
    bool good = check_keys(d, value, "settings", keys);
    for (int i = 0; i < game->rule_count && good; i++)
        good = read_rule(d, json_object_get(value, game->rules[i].key), &game->rules[i]);
    for (int i = 0; i < FAULT_KEYS && good; i++) {
        const char *key = fault_key_name((enum fault_key)i);
        good = read_penalty(d, json_object_get(value, key), key);
    }
    if (good && !player_limits_take(&d->limits, game, value, &err))
        return record_wrong(d, "settings: %.200s", err.text);
    return good && read_limit(d, json_object_get(value, "time")) &&
           game->start(&start, &d->rules, NULL, d->why);
}

// What the players used in each other's turns.
static bool read_ponder(struct record_read *d, const json_t *value) {
    if ((d->limits.ponder == PONDER_REPORT) != (value != NULL))
        return record_wrong(d, "ponder_ms belongs to ponder=report, and to nothing else");
    if (value && (!json_is_array(value) || json_array_size(value) != 2))
        return record_wrong(d, "ponder_ms is no list of two");
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *ms = json_array_get(value, i);
        int64_t us;
        if (!json_is_null(ms) && !read_ms(d, ms, "ponder_ms", &us))
            return false;
    }
    return true;
}

// The box: records have it since there is one.
static bool read_box(struct record_read *d, const json_t *value) {
    d->boxed = value && !json_is_null(value);
    int ignored;
    return !d->boxed || read_small(d, value, "box", BOX_LIMITS, BOX_GROUPS, &ignored);
}

// Two numbers that only records of boxed players have; each may be null.
static bool read_boxed_pair(struct record_read *d, const json_t *value, const char *name,
                            bool wanted) {
    if (wanted != (value != NULL))
        return record_wrong(d, "%s %s", name, wanted ? "is missing" : "does not belong here");
    if (value && !check_list(d, value, name, 2))
        return false;
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *number = json_array_get(value, i);
        if (!json_is_null(number) && (!json_is_number(number) || json_number_value(number) < 0))
            return record_wrong(d, "%s holds what is no number from 0 on", name);
    }
    return true;
}

// Records have it since the core goes by turns.
static bool read_core(struct record_read *d, const json_t *value) {
    if (!value)
        return true;
    const char *word = json_is_string(value) ? json_string_value(value) : "";
    const bool frozen = strcmp(word, "frozen") == 0;
    bool known = frozen;
    for (int i = BOX_CORE_SHARED; i <= BOX_CORE_APART; i++)
        known |= strcmp(word, box_core_word((enum box_core)i)) == 0;
    if (!d->boxed || !known)
        return record_wrong(d, "core %s", d->boxed ? "is no word of it" : "does not belong here");
    return frozen == (d->limits.ponder == PONDER_FREEZE) ||
           record_wrong(d, "core is not what ponder= says");
}

static bool read_peak(struct record_read *d, const json_t *value) {
    return read_boxed_pair(d, value, "peak", d->boxed);
}

static bool read_frozen(struct record_read *d, const json_t *value) {
    return read_boxed_pair(d, value, "frozen_ms", d->boxed && d->limits.ponder == PONDER_FREEZE);
}

static bool read_noted(struct record_read *d, const json_t *value, int before,
                       struct record_read_fault *f) {
    static const char *const keys[] = {"player", "word",      "evidence", "ply",
                                       "ms",     "credit_ms", NULL};
    const json_t *ms = json_object_get(value, "ms"), *credit = json_object_get(value, "credit_ms");
    if (!check_keys(d, value, "a fault", keys) || !read_fault(d, value, "a fault", f) ||
        !read_small(d, json_object_get(value, "ply"), "the ply of a fault", before, d->plies,
                    &f->ply))
        return false;
    if ((f->verdict == VERDICT_LATE) != (ms != NULL) || (credit && !ms))
        return record_wrong(d,
                            "faults: who is late, and nobody else, has ms and perhaps credit_ms");
    return (!ms || read_ms(d, ms, "ms of a fault", &f->us)) &&
           (!credit ||
            (read_ms(d, credit, "credit_ms of a fault", &f->credit_us) &&
             (f->credit_us > 0 || record_wrong(d, "credit_ms of a fault holds nothing"))));
}

static bool read_faults(struct record_read *d, const json_t *value) {
    if (!json_is_array(value))
        return record_wrong(d, "faults is no list");
    const int count = (int)json_array_size(value);
    d->faults = mem_new((size_t)count + 1, sizeof *d->faults);
    for (; d->fault_count < count; d->fault_count++) {
        const int i = d->fault_count, before = i > 0 ? d->faults[i - 1].ply : 0;
        if (!read_noted(d, json_array_get(value, (size_t)i), before, &d->faults[i]))
            return false;
    }
    return true;
}

static bool read_departments(struct record_read *d, const json_t *value) {
    const char *ignored[2];
    return !value || read_texts(d, value, "departments", "department", ignored);
}

static bool read_names(struct record_read *d, const json_t *value) {
    const char *ignored[2];
    return read_texts(d, value, "names", "of names", ignored);
}

static bool read_seed(struct record_read *d, const json_t *value) {
    int64_t seed;
    const bool good = read_int(d, value, "seed", 0, INT64_MAX, &seed);
    d->seed = (uint64_t)seed;
    return good;
}

static bool read_number_of_game(struct record_read *d, const json_t *value) {
    return read_small(d, value, "number", 1, INT_MAX, &d->number);
}

static bool read_opening(struct record_read *d, const json_t *value) {
    return read_small(d, value, "opening", 0, d->plies, &d->opening);
}

static bool read_drawn_openings(struct record_read *d, const json_t *value) {
    const char *text = json_string_value(value);
    char again[40];
    if (json_is_null(value))
        return true;
    d->opening_given = text && strcmp(text, "given") == 0;
    const long plies = text && strncmp(text, "random:", 7) == 0 ? strtol(text + 7, NULL, 10) : 0;
    snprintf(again, sizeof again, "random:%ld", plies);
    d->conditions.opening_plies = plies > 0 && plies <= INT_MAX ? (int)plies : 0;
    if (d->opening_given || (d->conditions.opening_plies && strcmp(text, again) == 0))
        return true;
    return record_wrong(d, "conditions: openings is neither random:N nor given");
}

static bool read_drawn_blocks(struct record_read *d, const json_t *value) {
    struct conditions *c = &d->conditions;
    struct err err = {.set = false};
    const char *text = json_string_value(value);
    const bool may = c->random_blocks; // the contest's
    c->random_blocks = false;
    if (json_is_null(value) || (may && text && conditions_blocks(c, text, &err)))
        return true;
    return record_wrong(d, "conditions: blocks is neither random nor random:N");
}

static bool read_conditions(struct record_read *d, const json_t *value) {
    static const char *const keys[] = {"time", "blocks", "openings", "swap", "grace_ms", NULL};
    struct err err = {.set = false};
    const json_t *swap = json_object_get(value, "swap");
    const char *time;
    conditions_init(&d->conditions, d->game);
    if (!check_keys(d, value, "conditions", keys) ||
        !read_text(d, json_object_get(value, "time"), "conditions: time", &time))
        return false;
    if (!conditions_time(&d->conditions, time, &err))
        return record_wrong(d, "conditions: %.200s", err.text);
    d->swap = json_is_true(swap);
    return (json_is_boolean(swap) ||
            record_wrong(d, "conditions: swap is neither true nor false")) &&
           read_ms(d, json_object_get(value, "grace_ms"), "grace_ms", &d->grace_us) &&
           read_drawn_blocks(d, json_object_get(value, "blocks")) &&
           read_drawn_openings(d, json_object_get(value, "openings"));
}

// What the game's contest gives, where the machine has less.
static bool read_memory_asked(struct record_read *d, const json_t *value) {
    struct player_limits contest;
    int64_t asked;
    if (!value)
        return true;
    player_limits_init(&contest, d->game);
    return read_int(d, value, "memory_asked", 1, INT64_MAX, &asked) &&
           ((asked == contest.memory && d->limits.memory > 0 && d->limits.memory < asked) ||
            record_wrong(
                d, "memory_asked is not what the contest gives, or the players had that much"));
}

static bool read_sum(struct record_read *d, const json_t *value) {
    const char *ignored;
    return read_text(d, value, "sum", &ignored);
}

// What a contest says of its game; only contests read it.
static bool read_platform_fault(struct record_read *d, const json_t *value) {
    static const char *const keys[] = {"player", "evidence", NULL};
    int player;
    d->platform_fault = NULL;
    return !value ||
           (check_keys(d, value, "platform", keys) &&
            read_small(d, json_object_get(value, "player"), "platform's player", 1, 2, &player) &&
            read_text(d, json_object_get(value, "evidence"), "platform's evidence",
                      &d->platform_fault));
}

static bool read_people(struct record_read *d, const json_t *value) {
    d->people = value;
    return !value || json_is_true(value) || record_wrong(d, "people is there and not true");
}

// When it was kept, on the platform.
static bool read_at(struct record_read *d, const json_t *value) {
    int64_t ignored;
    return !value || json_whole(value, 0, INT64_MAX, &ignored) ||
           record_wrong(d, "at is no whole number");
}

static bool read_contest(struct record_read *d, const json_t *value) {
    return !value || json_is_object(value) || record_wrong(d, "contest is no object");
}

static const struct {
    const char *key;
    bool (*read)(struct record_read *d, const json_t *value);
    bool optional; // read with NULL if it is not there
} fields[] = {
    {"game", read_game, false},
    {"rules", read_rules, true},
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
    {"people", read_people, true},
    {"contest", read_contest, true},
    {"at", read_at, true},
    {"sum", read_sum, false},
};

enum { FIELDS = sizeof fields / sizeof *fields };

bool record_read(struct record_read *d, const json_t *record, char why[static WHY_TEXT_MAX]) {
    const char *keys[FIELDS + 1] = {NULL};
    *d = (struct record_read){.why = why};
    for (int i = 0; i < FIELDS; i++)
        keys[i] = fields[i].key;
    if (!check_keys(d, record, "the record", keys))
        return false;
    for (int i = 0; i < FIELDS; i++) {
        const json_t *value = json_object_get(record, fields[i].key);
        if (!value && !fields[i].optional)
            return record_wrong(d, "there is no %s", fields[i].key);
        if (!fields[i].read(d, value))
            return false;
    }
    return true;
}

void record_read_done(struct record_read *d) {
    free(d->moves);
    free(d->faults);
}
