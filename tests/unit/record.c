// SPDX-License-Identifier: MIT
// Records of games: what they say. Whether that is true is in audit.c.
#include "referee/record.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

// Plays a game of abp players who say these lines one after the other, "1 text" or "2 text".
static json_t *play_boxed(const char *game, const char *set, const struct conditions *conditions,
                          const char *const *lines, const struct box *box) {
    struct match_config config = {.time_us = 5000000, .start_us = {1, 1}, .opening = NULL};
    struct wire wire[2];
    struct action action;
    ruleset_init(&config.rules, game_find(game));
    penalties_init(&config.penalties, game_find(game));
    if (set) {
        char key[40], why[WHY_TEXT_MAX];
        const char *value = strchr(set, '=') + 1;
        snprintf(key, sizeof key, "%.*s", (int)(value - 1 - set), set);
        assert_true(ruleset_set(&config.rules, key, value, why));
    }
    wire_init(&wire[0], &wire_abp);
    wire_init(&wire[1], &wire_abp);
    struct match *match = match_new(&config, &wire[0], &wire[1]);
    match_start(match, 0);
    for (int player = 1; player <= 2; player++) {
        match_joined(match, player, 0);
        match_bytes(match, player, "ready\n", 6, 0, -1);
    }
    for (; *lines; lines++) {
        while (match_next(match, &action))
            if (action.kind == ACTION_SEND)
                match_sent(match, action.player, 0, 0);
        char text[200];
        const int length = snprintf(text, sizeof text, "%s\n", *lines + 2);
        match_bytes(match, **lines - '0', text, (size_t)length, 1500, 250);
    }
    if (!match_is_over(match))
        match_abort(match, "enough");
    struct player_limits limits;
    player_limits_init(&limits, config.rules.game);
    limits.box = box;
    const struct record_info info = {
        .players = {"abp:./a", "random"},
        .names = {"A", ""},
        .seed = 7,
        .number = 3,
        .conditions = conditions,
        .limits = &limits,
        .usage = {{.peak = 7000000, .frozen_us = 0}, {.peak = -1, .frozen_us = -1}}};
    json_t *record = record_make(match, &config, &info);
    match_free(match);
    wire_done(&wire[0]);
    wire_done(&wire[1]);
    return record;
}

static json_t *play(const char *game, const char *set, const struct conditions *conditions,
                    const char *const *lines) {
    return play_boxed(game, set, conditions, lines, NULL);
}

static json_t *play_tower4(void) {
    static const char *const lines[] = {"1 move id=1 2,2", "2 move id=1 0,0", NULL};
    const struct conditions c = {.time_low_us = 5000000, .time_high_us = 5000000};
    return play("tower4", "pieces=2", &c, lines);
}

static void test_what_it_says(void **state) {
    (void)state;
    json_t *record = play_tower4();
    json_t *public = record_public(record);
    char *text = json_dumps(public, JSON_COMPACT);
    static const char wanted[] =
        "{\"game\":\"tower4\",\"players\":[\"abp:./a\",\"random\"],\"winner\":0,\"scores\":[0,0],"
        "\"reason\":\"pieces\",\"verdict\":{\"player\":2,\"word\":\"illegal\",\"evidence\":"
        "\"'0,0': the column is cut "
        "off\"},\"plies\":2,\"moves\":[\"2,2\",\"0,2\"],\"ms\":[1.5,1.5]";
    assert_int_equal(strncmp(text, wanted, strlen(wanted)), 0);
    free(text);
    json_decref(public);
    json_decref(record);
}

// What was drawn from, in the words of the command line.
static void test_conditions(void **state) {
    (void)state;
    static const struct {
        struct conditions c;
        const char *text;
    } cases[] = {
        {{5000000, 5000000, false, -1, 0}, "{\"time\":\"5\",\"blocks\":null,"},
        {{0, 0, true, -1, 0}, "{\"time\":\"off\",\"blocks\":\"random\","},
        {{200000, 1500000, true, 4, 0}, "{\"time\":\"0.2..1.5\",\"blocks\":\"random:4\","},
        {{10000000, 70000001, true, 0, 0}, "{\"time\":\"10..70.000001\",\"blocks\":\"random:0\","},
    };
    static const char *const nothing[] = {NULL};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *record = play("connect6", NULL, &cases[i].c, nothing);
        char *text = json_dumps(json_object_get(record, "conditions"), JSON_COMPACT);
        if (strncmp(text, cases[i].text, strlen(cases[i].text)) != 0)
            fail_msg("%s", text);
        assert_non_null(strstr(text, "\"openings\":null,\"swap\":false,\"grace_ms\":0.0}"));
        free(text);
        json_decref(record);
    }
}

static void test_line(void **state) {
    (void)state;
    json_t *record = play_tower4();
    char *line = record_line(record);
    json_t *again = json_loads(line, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(again);
    assert_true(record_is_whole(again));
    assert_false(record_is_whole(record)); // it has no sum
    json_object_set_new(again, "seed", json_integer(8));
    assert_false(record_is_whole(again));
    json_object_set_new(again, "seed", json_integer(7));
    assert_true(record_is_whole(again));
    json_object_set_new(again, "sum", json_integer(8));
    assert_false(record_is_whole(again));
    json_object_del(again, "sum");
    assert_true(json_equal(record, again));
    free(line);
    json_decref(record);
    json_decref(again);
}

// The level of the box, and what was used in it.
static void test_box(void **state) {
    (void)state;
    static const char *const nothing[] = {NULL};
    const struct conditions c = {.time_low_us = 5000000, .time_high_us = 5000000};
    const struct box box = {.level = 2};
    json_t *record = play("tower4", NULL, &c, nothing);
    assert_true(json_is_null(json_object_get(record, "box")));
    assert_null(json_object_get(record, "peak"));
    json_decref(record);
    record = play_boxed("connect6", NULL, &c, nothing, &box); // where players are frozen
    assert_int_equal(json_integer_value(json_object_get(record, "box")), 2);
    char *peak = json_dumps(json_object_get(record, "peak"), JSON_COMPACT),
         *frozen = json_dumps(json_object_get(record, "frozen_ms"), JSON_COMPACT);
    assert_string_equal(peak, "[7000000,null]");
    assert_string_equal(frozen, "[0.0,null]");
    free(peak);
    free(frozen);
    json_decref(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_it_says),
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
