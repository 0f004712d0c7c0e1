// SPDX-License-Identifier: MIT
// Rule switches: what is accepted, what is refused, and that the refusal says what would do.
#include "check.h"
#include "cli/setup.h"

#include <string.h>

static bool try_rules(const char *game, const char *const *settings, struct err *err) {
    struct ruleset rules;
    union game_state state;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, game_find(game));
    for (int i = 0; settings[i]; i++)
        if (!setup_rule(&rules, settings[i], err))
            return false;
    return rules.game->start(&state, &rules, NULL, why) || err_set(err, "%s", why);
}

static void test_accepted(void **state) {
    (void)state;
    static const struct {
        const char *game, *settings[4];
    } cases[] = {
        {"cuptactoe", {"max_turns=1"}},
        {"reversi", {"board=open"}},
        {"tower4", {"corners=1", "pieces=192"}},
        {"tower4", {"corners=3", "pieces=144"}},
        {"hopchess", {"max_hops=99", "max_moves=500"}},
        {"connect6", {"blocks=none"}},
        {"connect6", {"blocks="}}, // no cell: none
        {"connect6", {"blocks=0,0 18,18"}},
        {"connect6", {"blocks=5,5 0,0", "size=6"}},
        {"connect6", {"blocks=0,0 1,0 2,0 3,0 4,0 5,0 6,0 7,0 8,0 9,0"}},
        {"connect6", {"overline=win", "overline=lose"}}, // the last one counts
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.set = false};
        if (!try_rules(cases[i].game, cases[i].settings, &err))
            fail_msg("%s %s: %s", cases[i].game, cases[i].settings[0], err.text);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *game, *settings[3], *says; // a part of the refusal
    } cases[] = {
        {"cuptactoe", {"max_turns=0"}, "1..99"},
        {"cuptactoe", {"max_turns=100"}, "1..99"},
        {"cuptactoe", {"max_turns=x"}, "1..99"},
        {"cuptactoe", {"max_turns=3 "}, "1..99"},
        {"cuptactoe", {"max_turns="}, "1..99"},
        {"cuptactoe", {"max_turns=99999999999999999999"}, "1..99"},
        {"cuptactoe", {"turns=3"}, "max_turns"},
        {"cuptactoe", {"max_turns"}, "KEY=VALUE"},
        {"cuptactoe", {"illegal=lose"}, "max_turns"},
        {"reversi", {"board=chess"}, "open|othello"},
        {"reversi", {"board=open|othello"}, "open|othello"},
        {"tower4", {"corners=7"}, "3|1"},
        {"tower4", {"pieces=193"}, "1..192"},
        {"tower4", {"pieces=145"}, "1..144"},
        {"tower4", {"pieces=0"}, "1..192"},
        {"hopchess", {"max_hops=100"}, "1..99"},
        {"hopchess", {"max_moves=-1"}, "1..500"},
        {"connect6", {"size=5"}, "6..19"},
        {"connect6", {"size=20"}, "6..19"},
        {"connect6", {"blocks=1,1"}, "even number"},
        {"connect6", {"blocks=1,1 1,1"}, "different cells"},
        {"connect6", {"blocks=0,0 1,0 2,0 3,0 4,0 5,0 6,0 7,0 8,0 9,0 10,0 11,0"}, "10 at most"},
        {"connect6", {"blocks=0,0 19,0"}, "0 to size - 1"},
        {"connect6", {"blocks=0,0 6,6", "size=6"}, "0 to size - 1"},
        {"connect6", {"blocks=0,0;1,1"}, "x,y x,y"},
        {"connect6", {"blocks=random"}, "x,y x,y"},
        {"connect6", {"overline=draw"}, "lose|ignore|win"},
        {"connect6", {"blocks_count=one"}, "both|neither"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.set = false};
        if (try_rules(cases[i].game, cases[i].settings, &err))
            fail_msg("%s %s was accepted", cases[i].game, cases[i].settings[0]);
        if (!strstr(err.text, cases[i].says))
            fail_msg("%s %s: %s", cases[i].game, cases[i].settings[0], err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("rulesets", tests, NULL, NULL);
}
