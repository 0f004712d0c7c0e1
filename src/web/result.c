// SPDX-License-Identifier: MIT
#include "web/result.h"

#include "games/game.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_same(const json_t *a, const json_t *b, const char *key) {
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

// The verdict, with the time from the fault that it came of.
static json_t *verdict_of(const json_t *record) {
    const json_t *faults = json_object_get(record, "faults"),
                 *verdict = json_object_get(record, "verdict");
    if (!json_is_object(verdict))
        return json_null();
    json_t *copy = json_copy((json_t *)verdict);
    for (size_t i = 0; i < json_array_size(faults); i++) {
        const json_t *fault = json_array_get(faults, i);
        json_t *ms = json_object_get(fault, "ms");
        if (ms && is_same(fault, verdict, "player") && is_same(fault, verdict, "word"))
            json_object_set(copy, "ms", ms);
    }
    return copy;
}

json_t *result_json(const json_t *record) {
    return json_pack("{s:O?, s:O?, s:O?, s:o}", "winner", json_object_get(record, "winner"),
                     "scores", json_object_get(record, "scores"), "reason",
                     json_object_get(record, "reason"), "verdict", verdict_of(record));
}

// The rules of a record that are not at their standard value, as texts.
static json_t *record_rules(const json_t *record) {
    const char *name = json_string_value(json_object_get(record, "game"));
    const struct game *game = name ? game_find(name) : NULL;
    const json_t *settings = json_object_get(record, "settings");
    json_t *rules = json_object();
    for (int i = 0; game && i < game->rule_count; i++) {
        const json_t *value = json_object_get(settings, game->rules[i].key);
        char text[RULE_TEXT_MAX] = "";
        if (json_is_integer(value))
            snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        else if (json_is_string(value))
            snprintf(text, sizeof text, "%.79s", json_string_value(value));
        if (value && strcmp(text, game->rules[i].standard) != 0)
            json_object_set_new(rules, game->rules[i].key, json_text(text));
    }
    return rules;
}

static json_t *record_seat(const json_t *record, size_t seat) {
    return json_pack("{s:O, s:O}", "player",
                     json_array_get(json_object_get(record, "players"), seat), "name",
                     json_array_get(json_object_get(record, "names"), seat));
}

json_t *result_game(const char *id, const json_t *record) {
    const json_t *time = json_object_get(json_object_get(record, "settings"), "time");
    return json_pack("{s:s, s:s, s:s, s:O, s:[o, o], s:o, s:f, s:O, s:O, s:i, s:o}", "id", id,
                     "next", "", "state", "over", "game", json_object_get(record, "game"), "seats",
                     record_seat(record, 0), record_seat(record, 1), "settings",
                     record_rules(record), "time_ms", json_number_value(time) * 1000, "moves",
                     json_object_get(record, "moves"), "ms", json_object_get(record, "ms"),
                     "awaits", 0, "result", result_json(record));
}
