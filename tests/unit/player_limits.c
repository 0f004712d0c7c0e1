// SPDX-License-Identifier: MIT
// How players are kept: what each contest says, and what is accepted.
#include "referee/player_limits.h"

#include "check.h"

#include <string.h>

static void test_standard(void **state) {
    (void)state;
    for (int i = 0; i < game_count(); i++) {
        struct player_limits limits;
        player_limits_init(&limits, game_nth(i));
        const bool freezes = strcmp(game_nth(i)->name, "connect6") == 0;
        assert_int_equal(limits.ponder, freezes ? PONDER_FREEZE : PONDER_ALLOW);
        const int gb = freezes ? 6 : strcmp(game_nth(i)->name, "hopchess") == 0 ? 2 : 0;
        assert_int_equal(limits.memory, (int64_t)gb << 30);
        assert_false(limits.memory_own);
        assert_int_equal(limits.trail, 2);
    }
}

// The contest's own limit takes fewer games, then less memory; the organiser's never changes.
static void test_fit(void **state) {
    (void)state;
    static const struct {
        int gb, players, wanted; // of the machine; of a game; at once
        int at_once;
        int64_t memory;
        const char *says; // "": nothing
    } cases[] = {
        {48, 2, 4, 4, 6LL << 30, ""},
        {47, 2, 4, 3, 6LL << 30,
         "6 GB, and this machine has 47.0 GB: 3 games at once instead of 4"},
        {23, 2, 2, 1, 6LL << 30, "1 game at once instead of 2"},
        {23, 1, 3, 3, 6LL << 30, ""},
        {23, 0, 256, 256, 6LL << 30, ""},
        {8, 2, 2, 1, 4LL << 30, "one game at once, and 4.0 GB for a player, as every record says"},
        {8, 2, 1, 1, 4LL << 30, "one game at once"},
        {0, 2, 1, 1, 64LL << 20, "one game at once"},
    };
    const struct game *game = game_find("connect6");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player_limits limits;
        struct err err = {.set = false};
        char words[PLAYER_LIMITS_WORDS];
        player_limits_init(&limits, game);
        const struct player_limits_room room = {game, (int64_t)cases[i].gb << 30, cases[i].players,
                                                cases[i].wanted};
        assert_int_equal(player_limits_fit(&limits, &room, words, &err), cases[i].at_once);
        assert_int_equal(limits.memory, cases[i].memory);
        assert_int_equal(limits.memory_asked, cases[i].memory < 6LL << 30 ? 6LL << 30 : 0);
        assert_false(err.set);
        if (*cases[i].says ? !strstr(words, cases[i].says) : *words)
            fail_msg("%zu: %s", i, words);
    }
}

static void test_own_limit_is_refused(void **state) {
    (void)state;
    const struct game *game = game_find("connect6");
    const struct box box = {.level = BOX_GROUPS};
    const struct player_limits_room room = {game, box_machine_memory(), 2, 256};
    struct player_limits limits;
    struct err err = {.set = false};
    char words[PLAYER_LIMITS_WORDS];
    player_limits_init(&limits, game);
    assert_true(player_limits_set(&limits, game, "memory", "1024G", &err));
    assert_int_equal(player_limits_fit(&limits, &room, words, &err),
                     256); // address space is plenty
    limits.box = &box;
    assert_int_equal(player_limits_fit(&limits, &room, words, &err), 0);
    assert_non_null(strstr(err.text, "use fewer --jobs or less memory"));
    assert_string_equal(words, "");
    assert_int_equal(limits.memory, 1024LL << 30);
}

static void test_set(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *says; // says NULL: accepted
        enum ponder ponder;
        int64_t memory;
        int trail;
    } cases[] = {
        {"ponder", "report", NULL, PONDER_REPORT, 0, 2},
        {"ponder", "freeze", NULL, PONDER_FREEZE, 0, 2},
        {"memory", "64M", NULL, PONDER_ALLOW, 64LL << 20, 2},
        {"memory", "6gb", NULL, PONDER_ALLOW, 6LL << 30, 2},
        {"memory", "1024G", NULL, PONDER_ALLOW, 1024LL << 30, 2},
        {"memory", "off", NULL, PONDER_ALLOW, 0, 2},
        {"trail", "0", NULL, PONDER_ALLOW, 0, 0},
        {"trail", "9", NULL, PONDER_ALLOW, 0, 9},
        {"ponder", "", "accepted: allow, report, freeze", 0, 0, 0},
        {"ponder", "Freeze", "accepted: allow, report, freeze", 0, 0, 0},
        {"memory", "", "accepted: off, 64M..1024G", 0, 0, 0},
        {"memory", "63M", "accepted: off, 64M..1024G", 0, 0, 0},
        {"memory", "1025G", "accepted: off, 64M..1024G", 0, 0, 0},
        {"memory", "6", "accepted: off, 64M..1024G", 0, 0, 0},
        {"memory", "-6G", "accepted: off, 64M..1024G", 0, 0, 0},
        {"memory", "99999999999999999999G", "accepted: off, 64M..1024G", 0, 0, 0},
        {"trail", "10", "accepted: 0..9", 0, 0, 0},
        {"trail", "", "accepted: 0..9", 0, 0, 0},
        {"box", "1", "no setting 'box'", 0, 0, 0},
    };
    const struct game *game = game_find("cuptactoe");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player_limits limits;
        struct err err = {.set = false};
        player_limits_init(&limits, game);
        const bool good = player_limits_set(&limits, game, cases[i].key, cases[i].value, &err);
        assert_int_equal(good, cases[i].says == NULL);
        if (!good && !strstr(err.text, cases[i].says))
            fail_msg("%s=%s: %s", cases[i].key, cases[i].value, err.text);
        if (!good)
            continue;
        assert_int_equal(limits.ponder, cases[i].ponder);
        assert_int_equal(limits.memory, cases[i].memory);
        assert_int_equal(limits.trail, cases[i].trail);
    }
}

static void test_keys_of_games(void **state) {
    (void)state;
    struct player_limits limits;
    struct err err = {.set = false};
    player_limits_init(&limits, game_find("reversi"));
    assert_false(player_limits_set(&limits, game_find("reversi"), "trail", "2", &err));
    assert_string_equal(err.text, "trail is a setting of cuptactoe, not of reversi");
    assert_true(player_limits_has("ponder") && player_limits_has("memory") &&
                player_limits_has("trail"));
    assert_false(player_limits_has("size"));
}

// What is put is taken back the same.
static void check_put(const char *game, const char *key, const char *value, const char *expected) {
    struct player_limits limits, taken;
    struct err err = {.set = false};
    json_t *settings = json_object();
    player_limits_init(&limits, game_find(game));
    assert_true(player_limits_set(&limits, game_find(game), key, value, &err));
    player_limits_put(&limits, game_find(game), settings);
    char *text = json_dumps(settings, JSON_COMPACT);
    assert_string_equal(text, expected);
    assert_true(player_limits_take(&taken, game_find(game), settings, &err));
    assert_true(taken.start_s == limits.start_s && taken.ponder == limits.ponder &&
                taken.memory == limits.memory && taken.trail == limits.trail);
    free(text);
    json_decref(settings);
}

static void test_put(void **state) {
    (void)state;
    check_put("connect6", "memory", "6G",
              "{\"start_time\":10,\"ponder\":\"freeze\",\"memory\":6442450944}");
    check_put("cuptactoe", "trail", "3",
              "{\"start_time\":10,\"ponder\":\"allow\",\"memory\":null,\"trail\":3}");
    check_put("tower4", "start_time", "3",
              "{\"start_time\":3,\"ponder\":\"allow\",\"memory\":null}");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standard),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_own_limit_is_refused),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_keys_of_games),
        cmocka_unit_test(test_put),
    };
    return cmocka_run_group_tests_name("terms", tests, NULL, NULL);
}
