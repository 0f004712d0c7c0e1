// SPDX-License-Identifier: MIT
// Records of games: what they say, that a good one is found good, and that any change is found.
#include "referee/record.h"

#include "check.h"

#include <stdlib.h>
#include <string.h>

// Plays a game of abp players who say these lines one after the other, "1 text" or "2 text".
static json_t *play(const char *game, const char *set, const char *const *lines) {
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
    const struct record_info info = {
        .players = {"abp:./a", "random"}, .names = {"A", ""}, .seed = 7, .number = 3};
    json_t *record = record_make(match, &config, &info);
    match_free(match);
    wire_done(&wire[0]);
    wire_done(&wire[1]);
    return record;
}

static json_t *play_tower4(void) {
    static const char *const lines[] = {"1 move id=1 2,2", "2 move id=1 0,0", NULL};
    return play("tower4", "pieces=2", lines);
}

static void check_good(json_t *record) {
    char why[WHY_TEXT_MAX];
    const char *wrong = record_check(record, why);
    if (wrong)
        fail_msg("%s", wrong);
    json_decref(record);
}

static void test_good_ones(void **state) {
    (void)state;
    static const char *const nothing[] = {NULL};
    static const char *const lost[] = {"1 move id=1 9,9", "2 move id=1 8,8; 9,9", NULL};
    static const char *const skipped[] = {"1 move id=1 pass", "2 move id=1 5,5 5,4", NULL};
    static const char *const cups[] = {"1 move id=1 3 0", "2 move id=1 3 8", NULL};
    check_good(play_tower4());
    check_good(play("reversi", "board=othello", nothing));
    check_good(play("connect6", "blocks=2,2 3,3", lost));
    check_good(play("hopchess", "max_moves=1", skipped));
    check_good(play("cuptactoe", "max_turns=2", cups));
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

static void test_changed_ones(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *says;
    } cases[] = {
        {"game", "\"chess\"", "there is no game chess"},
        {"game", "7", "there is no game in it"},
        {"settings", "{\"pieces\":999}", "pieces cannot be"},
        {"settings", "{\"pieces\":190}", "pieces cannot be"},
        {"settings", "{\"corners\":\"2\"}", "corners cannot be"},
        {"settings", "{\"pieces\":3}", "the moves do not end it by pieces"},
        {"moves", "[\"2,2\"]", "moves and ms are not lists of one length"},
        {"moves", "null", "moves and ms are not lists of one length"},
        {"moves", "[\"2,2\",\"0,0\"]", "move 2, '0,0': the column is cut off"},
        {"moves", "[\"2,2\",\"x\"]", "move 2, 'x': "},
        {"moves", "[2,\"0,2\"]", "move 1, '': no text"},
        {"plies", "3", "plies is not the number of moves"},
        {"scores", "[0,1]", "the scores are not those of the last position"},
        {"scores", "null", "the scores are not those of the last position"},
        {"reason", "null", "it gives no reason"},
        {"reason", "\"six\"", "the moves do not end it by six"},
        {"reason", "\"aborted\"", "an aborted game has a winner"},
        {"winner", "1", "the winner is not who won"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[WHY_TEXT_MAX];
        json_t *record = play_tower4();
        json_object_set_new(record, cases[i].key,
                            json_loads(cases[i].value, JSON_DECODE_ANY, NULL));
        const char *wrong = record_check(record, why);
        if (!wrong || strncmp(wrong, cases[i].says, strlen(cases[i].says)) != 0)
            fail_msg("%s=%s: %s", cases[i].key, cases[i].value, wrong ? wrong : "nothing");
        json_decref(record);
    }
}

static void test_changed_forfeits(void **state) {
    (void)state;
    static const char *const lost[] = {"1 move id=1 19,19", NULL};
    char why[WHY_TEXT_MAX];
    json_t *record = play("connect6", NULL, lost);
    assert_null(record_check(record, why));
    json_object_set_new(record, "winner", json_integer(1));
    assert_string_equal(record_check(record, why), "the winner is the one at fault");
    json_object_set_new(record, "verdict", json_null());
    assert_string_equal(record_check(record, why), "it is forfeited without a verdict");
    json_decref(record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good_ones),
        cmocka_unit_test(test_what_it_says),
        cmocka_unit_test(test_changed_ones),
        cmocka_unit_test(test_changed_forfeits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
