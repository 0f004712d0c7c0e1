// SPDX-License-Identifier: MIT
// The format comes first: it says how many games a meeting has, and which table counts, where the
// file says nothing. A setting that the format does not know is refused.
#include "contest/plan/parts.h"

#include <stdio.h>
#include <string.h>

enum { GAMES_MAX = 99, CYCLES_MAX = 1000 };

// Tables by name, beside those of the games' own contests.
static const struct named_table {
    const char *name;
    struct table_rules rules;
} tables[] = {
    {"plain", {2, 1, 0, {TIE_BREAK_DIRECT, TIE_BREAK_WINS}, 2}},
    {"swiss", {2, 1, 0, {TIE_BREAK_BUCHHOLZ, TIE_BREAK_SONNEBORN, TIE_BREAK_WINS}, 3}},
};

enum { TABLES = sizeof tables / sizeof *tables };

static const struct table_rules *standard_table(const struct schedule *schedule,
                                                const struct game *game) {
    if (schedule == &schedule_swiss)
        return &tables[1].rules;
    const struct spec *spec = spec_of(game);
    return spec->table_name ? &spec->table : &tables[0].rules;
}

// As the format has it under the game's contest; `name` is borrowed.
static void stage_init(struct plan_stage *stage, const struct schedule *schedule,
                       const struct game *game, const char *name) {
    *stage = (struct plan_stage){.name = name, .games = 2};
    format_init(&stage->format, schedule);
    if (schedule->eliminates) {
        stage->games = 3;
        stage->best_of = stage->by_meeting = true;
    }
    stage->table = *standard_table(schedule, game);
}

static bool read_stage_name(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return setting_name(value, &s->name, err);
}

static bool read_small(const config_setting_t *value, int min, int max, int *number,
                       struct err *err) {
    int64_t wide;
    if (!setting_number(value, min, max, &wide, err))
        return false;
    *number = (int)wide;
    return true;
}

static bool read_cycles(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return read_small(value, 1, CYCLES_MAX, &s->format.cycles, err);
}

static bool read_rounds(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return read_small(value, 1, PLAYERS_MAX, &s->format.rounds, err);
}

static bool read_challengers(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return read_small(value, 1, PLAYERS_MAX, &s->format.challengers, err);
}

static bool read_third(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return setting_flag(value, &s->format.third, err);
}

static bool read_groups(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return read_small(value, 1, PLAYERS_MAX / 2, &s->format.groups, err);
}

static bool read_advance(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    return read_small(value, 1, PLAYERS_MAX, &s->advance, err);
}

static bool read_games(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    s->best_of = s->by_meeting = false;
    if (s->format.schedule->eliminates)
        return setting_wrong(value, err, "a %s needs a winner: use best_of = 3",
                             s->format.schedule->name);
    return read_small(value, 1, GAMES_MAX, &s->games, err);
}

static bool read_best_of(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    s->best_of = s->by_meeting = true;
    if (!read_small(value, 1, GAMES_MAX, &s->games, err))
        return false;
    return s->games % 2 || setting_wrong(value, err, "accepted is an odd number, as 3");
}

static bool read_win(void *owner, const config_setting_t *value, struct err *err) {
    return read_small(value, -100, 100, &((struct table_rules *)owner)->win, err);
}

static bool read_draw(void *owner, const config_setting_t *value, struct err *err) {
    return read_small(value, -100, 100, &((struct table_rules *)owner)->draw, err);
}

static bool read_loss(void *owner, const config_setting_t *value, struct err *err) {
    return read_small(value, -100, 100, &((struct table_rules *)owner)->loss, err);
}

static bool refuse_tie(const config_setting_t *value, struct err *err) {
    char words[ERR_TEXT_MAX / 2] = "";
    for (enum tie_break t = 0; t < TIE_BREAK_COUNT; t++)
        err_list(words, sizeof words, tie_break_word(t));
    return setting_wrong(value, err, "accepted is a list, [\"a\", \"b\"], of different ones of %s",
                         words);
}

static bool read_ties(void *owner, const config_setting_t *value, struct err *err) {
    struct table_rules *rules = owner;
    rules->break_count = 0;
    if (!config_setting_is_aggregate(value) || config_setting_is_group(value) ||
        config_setting_length(value) > TIE_BREAK_COUNT)
        return refuse_tie(value, err);
    for (int i = 0; i < config_setting_length(value); i++) {
        const char *word = config_setting_get_string_elem(value, i);
        const enum tie_break t = word ? tie_break_find(word) : TIE_BREAK_COUNT;
        for (int k = 0; k < i; k++)
            if (rules->breaks[k] == t)
                return refuse_tie(value, err);
        if (t == TIE_BREAK_COUNT)
            return refuse_tie(value, err);
        rules->breaks[rules->break_count++] = t;
    }
    return true;
}

// The table of that name, or NULL; `names` gets all of them.
static const struct table_rules *find_table(const char *name, char *names, size_t size) {
    const struct table_rules *found = NULL;
    for (int i = 0; i < TABLES; i++) {
        err_list(names, size, tables[i].name);
        if (name && strcmp(tables[i].name, name) == 0)
            found = &tables[i].rules;
    }
    const struct spec *spec;
    for (int i = 0; (spec = spec_nth(i)); i++) {
        if (!spec->table_name)
            continue;
        err_list(names, size, spec->table_name);
        if (name && strcmp(spec->table_name, name) == 0)
            found = &spec->table;
    }
    return found;
}

static bool read_table(void *owner, const config_setting_t *value, struct err *err) {
    static const struct setting own[] = {{"win", read_win, true},
                                         {"draw", read_draw, true},
                                         {"loss", read_loss, false},
                                         {"ties", read_ties, false},
                                         {.name = NULL}};
    struct plan_stage *s = owner;
    const char *name = config_setting_get_string(value);
    char names[200] = "";
    if (config_setting_is_group(value)) {
        s->table = (struct table_rules){.win = 0};
        return settings_read(value, "a table", own, NULL, &s->table, err) &&
               (!table_fault(&s->table) || setting_wrong(value, err, "%s", table_fault(&s->table)));
    }
    const struct table_rules *found = find_table(name, names, sizeof names);
    if (found) {
        s->table = *found;
        return true;
    }
    return setting_wrong(value, err,
                         "accepted are %s, or { win = 2; draw = 1; loss = 0; ties = [\"wins\"]; }",
                         names);
}

static bool read_count(void *owner, const config_setting_t *value, struct err *err) {
    struct plan_stage *s = owner;
    const char *word = config_setting_get_string(value);
    s->by_meeting = word && strcmp(word, "meetings") == 0;
    return s->by_meeting || (word && strcmp(word, "games") == 0) ||
           setting_wrong(value, err, "accepted are \"games\" and \"meetings\"");
}

const struct setting stage_settings[] = {
    {"format", NULL, false}, // stage_read has read it
    {"name", read_stage_name, false}, {"games", read_games, false},
    {"best_of", read_best_of, false}, {"cycles", read_cycles, false},
    {"rounds", read_rounds, false},   {"groups", read_groups, false},
    {"advance", read_advance, false}, {"challengers", read_challengers, false},
    {"third", read_third, false},     {"table", read_table, false},
    {"count", read_count, false},     {.name = NULL},
};

// What not every format has.
static const struct {
    const char *setting;
    const struct schedule *schedules[2];
} belongings[] = {{"rounds", {&schedule_swiss}},
                  {"groups", {&schedule_league}},
                  {"challengers", {&schedule_gauntlet}},
                  {"third", {&schedule_knockout}},
                  {"cycles", {&schedule_league, &schedule_gauntlet}},
                  {.setting = NULL}};

static bool check_belongings(const struct plan_stage *stage, const config_setting_t *group,
                             struct err *err) {
    const struct schedule *schedule = stage->format.schedule;
    for (int i = 0; belongings[i].setting; i++) {
        const config_setting_t *value = config_setting_get_member(group, belongings[i].setting);
        const struct schedule *const *whose = belongings[i].schedules;
        if (value && whose[0] != schedule && whose[1] != schedule)
            return setting_wrong(value, err, "a %s has none; it is for format = \"%s\"",
                                 schedule->name, whose[0]->name);
    }
    const config_setting_t *number = config_setting_get_member(group, "games");
    return !number || !config_setting_get_member(group, "best_of") ||
           setting_wrong(number, err, "a meeting has games or best_of, not both");
}

static const struct schedule *find_schedule(const config_setting_t *group, struct err *err) {
    const config_setting_t *value = config_setting_get_member(group, "format");
    const char *word = value ? config_setting_get_string(value) : "league";
    const struct schedule *schedule = word ? schedule_find(word) : NULL;
    char names[200] = "";
    if (schedule)
        return schedule;
    for (const struct schedule *const *s = schedules; *s; s++)
        err_list(names, sizeof names, (*s)->name);
    setting_wrong(value, err, "accepted are %s", names);
    return NULL;
}

bool stage_read(struct plan_stage *stage, const config_setting_t *group, const struct game *game,
                bool whole, struct err *err) {
    if (!config_setting_is_group(group))
        return setting_wrong(group, err, "a stage is a group, { format = \"league\"; ... }");
    const struct schedule *schedule = find_schedule(group, err);
    if (!schedule)
        return false;
    stage_init(stage, schedule, game, schedule->name);
    if (whole && !settings_read(group, "a stage", stage_settings, NULL, stage, err))
        return false;
    for (const struct setting *row = stage_settings; !whole && row->name; row++) {
        const config_setting_t *value = config_setting_get_member(group, row->name);
        const bool is_contests = strcmp(row->name, "name") == 0;
        if (value && row->read && !is_contests && !row->read(stage, value, err))
            return false;
    }
    return check_belongings(stage, group, err);
}
