// SPDX-License-Identifier: MIT
#include "referee/record.h"

#include <stdio.h>
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

static json_t *faults_of(const struct match *match) {
    const struct fault *faults;
    const int count = match_faults(match, &faults);
    json_t *list = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = fault_object(&faults[i]);
        json_object_set_new(object, "ply", json_integer(faults[i].ply));
        json_array_append_new(list, object);
    }
    return list;
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
    json_object_set_new(record, "by_referee", forced);
}

json_t *record_make(const struct match *match, const struct match_config *config,
                    const struct record_info *info) {
    const struct game *game = config->rules.game;
    int scores[2];
    game->scores(match_state(match), scores);
    const bool forfeit = strcmp(match_reason(match), "forfeit") == 0;
    const bool nobody = strcmp(match_reason(match), "aborted") == 0 ||
                        (forfeit && match_winner(match) == 0); // neither was ready: no draw
    json_t *record = json_pack("{s:s, s:[o, o]}", "game", game->name, "players",
                               json_text(info->players[0]), json_text(info->players[1]));
    json_object_set_new(record, "winner", nobody ? json_null() : json_integer(match_winner(match)));
    json_object_set_new(record, "scores",
                        game->has_scores ? json_pack("[i, i]", scores[0], scores[1]) : json_null());
    json_object_set_new(record, "reason", json_string(match_reason(match)));
    json_object_set_new(record, "verdict", fault_object(match_verdict(match)));
    add_moves(record, match);
    json_object_set_new(record, "settings", settings_of(config));
    json_object_set_new(record, "faults", faults_of(match));
    json_object_set_new(record, "names",
                        json_pack("[o, o]", json_text(info->names[0]), json_text(info->names[1])));
    json_object_set_new(record, "seed", json_integer((json_int_t)info->seed));
    json_object_set_new(record, "number", json_integer(info->number));
    json_object_set_new(record, "opening", json_integer(info->opening_plies));
    return record;
}

json_t *record_public(const json_t *record) {
    json_t *object = json_object();
    for (size_t i = 0; i < sizeof public_fields / sizeof *public_fields; i++)
        json_object_set(object, public_fields[i], json_object_get(record, public_fields[i]));
    return object;
}

static bool say(char why[static WHY_TEXT_MAX], const char *words, const char *detail) {
    snprintf(why, WHY_TEXT_MAX, "%s%.150s", words, detail);
    return false;
}

bool record_rules(const json_t *record, struct ruleset *rules, char why[static WHY_TEXT_MAX]) {
    const char *name = json_string_value(json_object_get(record, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    if (!game)
        return say(why, "there is no game ", name ? name : "in it");
    ruleset_init(rules, game);
    json_t *settings = json_object_get(record, "settings");
    for (int i = 0; i < game->rule_count; i++) {
        const json_t *value = json_object_get(settings, game->rules[i].key);
        char text[RULE_TEXT_MAX] = "";
        if (json_is_integer(value))
            snprintf(text, sizeof text, "%lld", (long long)json_integer_value(value));
        else if (json_is_string(value))
            snprintf(text, sizeof text, "%s", json_string_value(value));
        if (value && !ruleset_set(rules, game->rules[i].key, text, why))
            return false;
    }
    return true;
}

// Compares how the rules see the last position with what the record says.
static const char *check_end(const json_t *record, const struct game *game, const void *state,
                             char why[static WHY_TEXT_MAX]) {
    const struct outcome end = game->outcome(state);
    const char *reason = json_string_value(json_object_get(record, "reason"));
    const json_t *winner = json_object_get(record, "winner");
    int scores[2];
    game->scores(state, scores);
    json_t *shown = game->has_scores ? json_pack("[i, i]", scores[0], scores[1]) : json_null();
    const bool same_scores = json_equal(shown, json_object_get(record, "scores"));
    json_decref(shown);
    if (!same_scores)
        return "the scores are not those of the last position";
    if (!reason)
        return "it gives no reason";
    const bool ruled = end.ending != ENDING_RUNNING;
    if (ruled && strcmp(reason, ending_word(end.ending)) == 0)
        return json_integer_value(winner) == end.winner ? NULL : "the winner is not who won";
    if (strcmp(reason, "aborted") == 0)
        return json_is_null(winner) ? NULL : "an aborted game has a winner";
    if (strcmp(reason, "forfeit") != 0) {
        say(why, "the moves do not end it by ", reason);
        return why;
    }
    const json_t *verdict = json_object_get(record, "verdict");
    const json_int_t loser = json_integer_value(json_object_get(verdict, "player"));
    if (!json_is_object(verdict))
        return "it is forfeited without a verdict";
    return json_integer_value(winner) == 0 || json_integer_value(winner) == 3 - loser
               ? NULL
               : "the winner is the one at fault";
}

const char *record_check(const json_t *record, char why[static WHY_TEXT_MAX]) {
    struct ruleset rules;
    union game_state state;
    if (!record_rules(record, &rules, why))
        return why;
    const struct game *game = rules.game;
    if (!game->start(&state, &rules, NULL, why))
        return why;
    const json_t *moves = json_object_get(record, "moves"), *ms = json_object_get(record, "ms");
    if (!json_is_array(moves) || json_array_size(ms) != json_array_size(moves))
        return "moves and ms are not lists of one length";
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *text = json_string_value(json_array_get(moves, i));
        move m;
        const char *wrong = text ? game->read_move(&state, text, &m) : "no text";
        if (!wrong)
            wrong = game_play(game, &state, m);
        if (wrong) {
            snprintf(why, WHY_TEXT_MAX, "move %zu, '%.60s': %s", i + 1, text ? text : "", wrong);
            return why;
        }
    }
    if (json_integer_value(json_object_get(record, "plies")) != (json_int_t)json_array_size(moves))
        return "plies is not the number of moves";
    return check_end(record, game, &state, why);
}
