// SPDX-License-Identifier: MIT
// A record is written once, when the game is over, from values; nobody reads it back to learn what
// happened. Its fields stand in the order in which they are set here, and records that were
// written years ago must still be read: so a field is added behind the others, and one that says
// nothing (no credit, no department, no fault of the platform) is left out.
//
// The sum covers the text of all fields before it, so it is put in by hand, behind the last one.
#include "referee/record.h"

#include "base/buf.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const public_fields[] = {"game",    "players", "winner", "scores", "reason",
                                            "verdict", "plies",   "moves",  "ms",     "settings"};

static double ms_of(int64_t us) { return (double)us / 1000; }

// Rules as they were set, the limit of a turn, and what faults cost.
static json_t *settings_of(const struct match_config *config) {
    const struct game *game = config->rules.game;
    json_t *settings = json_object();
    for (int i = 0; i < game->rule_count; i++) {
        const struct rule *rule = &game->rules[i];
        const bool number = !rule->words && !rule->form;
        json_object_set_new(settings, rule->key,
                            number ? json_integer(config->rules.number[i])
                                   : json_text(config->rules.text[i]));
    }
    json_object_set_new(settings, "time",
                        config->time_us ? json_real((double)config->time_us / 1e6) : json_null());
    for (int i = 0; i < FAULT_KEYS; i++)
        json_object_set_new(settings, fault_key_name((enum fault_key)i),
                            json_string(cost_word(config->penalties.cost[i])));
    return settings;
}

static json_t *fault_object(const struct fault *f) {
    if (!f)
        return json_null();
    json_t *object = json_pack("{s:i, s:s}", "player", f->player, "word", verdict_word(f->verdict));
    json_object_set_new(object, "evidence", json_text(f->evidence));
    return object;
}

// A list of times, or nothing if all are 0.
static void add_credits(json_t *record, const struct match_move *moves, int count) {
    int first = 0;
    while (first < count && moves[first].credit_us == 0)
        first++;
    if (first == count)
        return;
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real(ms_of(moves[i].credit_us)));
    json_object_set_new(record, "credit_ms", list);
}

json_t *record_faults(const struct match *match) {
    const struct fault *faults;
    const int count = match_faults(match, &faults);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = fault_object(&faults[i]);
        json_object_set_new(object, "ply", json_integer(faults[i].ply));
        if (faults[i].verdict == VERDICT_LATE)
            json_object_set_new(object, "ms", json_real(ms_of(faults[i].us)));
        if (faults[i].credit_us > 0)
            json_object_set_new(object, "credit_ms", json_real(ms_of(faults[i].credit_us)));
        json_array_append_new(list, object);
    }
    return list;
}

// Whether the limit of a turn holds for a person who plays.
static bool times_people(const struct match_config *config, const struct record_info *info) {
    for (int i = 0; i < 2; i++)
        if (config->time_us && strcmp(info->players[i], "human") == 0 && !config->untimed[i])
            return true;
    return false;
}

static void add_moves(json_t *record, const struct match *match) {
    const struct match_move *moves;
    const char *all;
    char text[MOVE_TEXT_MAX];
    const int count = match_moves(match, &moves, &all);
    json_t *texts = json_array(), *ms = json_array(), *cpu = json_array(), *forced = json_array();
    for (int i = 0; i < count; i++) {
        json_array_append_new(texts, json_text(match_move_text(match, i, text)));
        json_array_append_new(ms, json_real(ms_of(moves[i].us)));
        json_array_append_new(cpu, moves[i].cpu_us < 0 ? json_null()
                                                       : json_real(ms_of(moves[i].cpu_us)));
        if (moves[i].by_referee)
            json_array_append_new(forced, json_integer(i));
    }
    json_object_set_new(record, "plies", json_integer(count));
    json_object_set_new(record, "moves", texts);
    json_object_set_new(record, "ms", ms);
    json_object_set_new(record, "cpu_ms", cpu);
    add_credits(record, moves, count);
    json_object_set_new(record, "by_referee", forced);
}

// Seconds as on the command line, to the microsecond.
static int put_seconds(char *text, size_t size, int64_t us) {
    int used = snprintf(text, size, "%" PRId64 ".%06d", us / 1000000, (int)(us % 1000000));
    while (text[used - 1] == '0')
        text[--used] = '\0';
    if (text[used - 1] == '.')
        text[--used] = '\0';
    return used;
}

// What the conditions were drawn from, in the words of the command line.
static json_t *conditions_of(const struct match_config *config, const struct record_info *info) {
    const struct conditions *c = info->conditions;
    char time[64] = "off", blocks[32] = "random", openings[32] = "given";
    int used = c->time_high_us ? put_seconds(time, sizeof time, c->time_low_us) : 0;
    if (c->time_high_us != c->time_low_us) {
        used += snprintf(time + used, sizeof time - (size_t)used, "..");
        put_seconds(time + used, sizeof time - (size_t)used, c->time_high_us);
    }
    if (c->blocks >= 0)
        snprintf(blocks, sizeof blocks, "random:%d", c->blocks);
    if (c->opening_plies > 0)
        snprintf(openings, sizeof openings, "random:%d", c->opening_plies);
    return json_pack("{s:s, s:s?, s:s?, s:b, s:f}", "time", time, "blocks",
                     c->random_blocks ? blocks : NULL, "openings",
                     config->opening ? openings : NULL, "swap", info->swap, "grace_ms",
                     ms_of(config->grace_us));
}

// A pair of numbers, null where one is not known (-1).
static json_t *pair_of(int64_t first, int64_t second, double scale) {
    json_t *pair = json_array();
    for (int i = 0; i < 2; i++) {
        const int64_t n = i ? second : first;
        json_array_append_new(pair, n < 0        ? json_null()
                                    : scale == 1 ? json_integer(n)
                                                 : json_real((double)n / scale));
    }
    return pair;
}

// The level of the box, and what players in it have used.
static void add_box(json_t *record, const struct record_info *info) {
    const struct box *box = info->limits->box;
    const struct usage *u = info->usage;
    json_object_set_new(record, "box", box ? json_integer(box->level) : json_null());
    if (!box)
        return;
    json_object_set_new(record, "core",
                        json_string(info->limits->ponder == PONDER_FREEZE
                                        ? "frozen"
                                        : box_core_word(box_core(box))));
    json_object_set_new(record, "peak", pair_of(u[0].peak, u[1].peak, 1));
    if (info->limits->ponder == PONDER_FREEZE)
        json_object_set_new(record, "frozen_ms", pair_of(u[0].frozen_us, u[1].frozen_us, 1000));
}

// A fault of the platform, of a game that it has ended.
static void add_platform_fault(json_t *record, const struct match *match) {
    int player;
    const char *evidence = match_platform_fault(match, &player);
    if (evidence)
        json_object_set_new(
            record, "platform",
            json_pack("{s:i, s:o}", "player", player, "evidence", json_text(evidence)));
}

static void add_departments(json_t *record, const struct record_info *info) {
    const char *of[2];
    for (int i = 0; i < 2; i++)
        of[i] = info->departments[i] ? info->departments[i] : "";
    if (*of[0] || *of[1])
        json_object_set_new(record, "departments",
                            json_pack("[o, o]", json_text(of[0]), json_text(of[1])));
}

json_t *record_make(const struct match *match, const struct match_config *config,
                    const struct record_info *info) {
    assert(match_is_over(match));
    const struct game *game = config->rules.game;
    int scores[2];
    game->scores(match_state(match), scores);
    // A forfeit without a winner: neither was ready, which is no draw.
    const bool nobody = !finish_can_draw(match_finish(match)) && match_winner(match) == 0;
    json_t *record =
        json_pack("{s:s, s:[o, o], s:o, s:o, s:s, s:o}", "game", game->name, "players",
                  json_text(info->players[0]), json_text(info->players[1]), "winner",
                  nobody ? json_null() : json_integer(match_winner(match)), "scores",
                  game->has_scores ? json_pack("[i, i]", scores[0], scores[1]) : json_null(),
                  "reason", match_reason(match), "verdict", fault_object(match_verdict(match)));
    if (spec_of(game)->rules_sum)
        json_object_set_new(record, "rules", json_string(spec_of(game)->rules_sum));
    add_moves(record, match);
    json_object_set_new(record, "settings", settings_of(config));
    player_limits_put(info->limits, game, json_object_get(record, "settings"));
    if (info->limits->ponder == PONDER_REPORT)
        json_object_set_new(record, "ponder_ms",
                            pair_of(info->ponder_us[0], info->ponder_us[1], 1000));
    add_box(record, info);
    json_object_set_new(record, "faults", record_faults(match));
    json_object_set_new(record, "names",
                        json_pack("[o, o]", json_text(info->names[0]), json_text(info->names[1])));
    add_departments(record, info);
    json_object_set_new(record, "seed", json_integer((json_int_t)info->seed));
    json_object_set_new(record, "number", json_integer(info->number));
    json_object_set_new(record, "opening", json_integer(match_opening(match)));
    json_object_set_new(record, "conditions", conditions_of(config, info));
    add_platform_fault(record, match);
    if (info->limits->memory_asked > 0)
        json_object_set_new(record, "memory_asked", json_integer(info->limits->memory_asked));
    if (times_people(config, info))
        json_object_set_new(record, "people", json_true());
    return record;
}

bool record_frozen_words(const struct record_info *info, int seat, struct buf *words) {
    assert(seat == 0 || seat == 1);
    const struct usage *u = &info->usage[seat];
    if (u->frozen_us <= 0)
        return false;
    buf_format(words, "game %d: %.60s has used %.6f s of CPU time while it was frozen",
               info->number, info->players[seat], (double)u->frozen_us / 1e6);
    if (u->unconfirmed > 0)
        buf_format(words, "; %d times it was not seen to stop", u->unconfirmed);
    return true;
}

const char *record_platform_fault(const json_t *record) {
    return json_string_value(json_object_get(json_object_get(record, "platform"), "evidence"));
}

int record_platform_player(const json_t *record) {
    return json_int(json_object_get(json_object_get(record, "platform"), "player"), 0);
}

json_t *record_rules(const struct ruleset *rules) {
    json_t *changed = json_object();
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->text[i], rules->game->rules[i].standard) != 0)
            json_object_set_new(changed, rules->game->rules[i].key, json_text(rules->text[i]));
    return changed;
}

json_t *record_public(const json_t *record) {
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof public_fields / sizeof *public_fields; i++)
        json_object_set(object, public_fields[i], json_object_get(record, public_fields[i]));
    return object;
}

// FNV-1a of the text up to its last bracket, as it is put into it.
static void write_sum(const char *line, char sum[static 17]) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (const char *c = line; *c && c[1]; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    snprintf(sum, 17, "%016" PRIx64, hash);
}

char *record_line(const json_t *record) {
    char *line = json_dumps(record, JSON_LINE), sum[17];
    struct buf out = {.data = NULL};
    write_sum(line, sum);
    buf_put(&out, line, strlen(line) - 1);
    buf_format(&out, ",\"sum\":\"%s\"}", sum);
    free(line);
    return out.data;
}

bool record_is_whole(const json_t *record) {
    const char *said = json_string_value(json_object_get(record, "sum"));
    char sum[17];
    json_t *rest = json_copy((json_t *)record);
    json_object_del(rest, "sum");
    char *line = json_dumps(rest, JSON_LINE);
    json_decref(rest);
    write_sum(line, sum);
    free(line);
    return said && strcmp(said, sum) == 0;
}
