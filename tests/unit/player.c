// SPDX-License-Identifier: MIT
// PLAYER arguments: what they become, and what is refused with what would do.
#include "referee/player.h"

#include "check.h"

#include <string.h>

static void test_accepted(void **state) {
    (void)state;
    static const struct {
        const char *game, *text, *protocol, *command; // command: a part of it, NULL: none
        enum player_kind kind;
    } cases[] = {
        {"reversi", "builtin", "abp", "'/a b/arbiter' bot reversi --protocol abp", PLAYER_CHILD},
        {"tower4", "builtin:easy", "abp", " --level 'easy'", PLAYER_CHILD},
        {"tower4", "builtin:easy,nodes=10", "abp", " --level 'easy' --'nodes' '10'", PLAYER_CHILD},
        {"tower4", "builtin,threads=2", "abp", " --'threads' '2'", PLAYER_CHILD},
        {"connect6", "random", "abp", " --level 'random'", PLAYER_CHILD},
        {"connect6", "cmd:/bin/cat -u", "sixline", "/bin/cat -u", PLAYER_CHILD},
        {"connect6", "cmd:./'my player'", "sixline", "./'my player'", PLAYER_CHILD},
        {"hopchess", "tcp:7", "stcp", NULL, PLAYER_TEAM},
        {"hopchess", "tcp:-1", "stcp", NULL, PLAYER_TEAM},
        {"reversi", "tcp:12=python3 a.py --x=1", "stcp", "python3 a.py --x=1", PLAYER_TEAM},
        {"reversi", "abp:./x --y", "abp", "./x --y", PLAYER_CHILD},
        {"cuptactoe", "human", "abp", NULL, PLAYER_HUMAN},
        {"cuptactoe", "py:/dev/null", "pybot", "'/dev/null'", PLAYER_CHILD},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player p;
        struct err err = {.set = false};
        if (!player_read(&p, cases[i].text, game_find(cases[i].game), "/a b/arbiter", &err))
            fail_msg("%s: %s", cases[i].text, err.text);
        assert_string_equal(p.protocol->name, cases[i].protocol);
        assert_int_equal(p.kind, cases[i].kind);
        if (cases[i].command && !strstr(p.command, cases[i].command))
            fail_msg("%s: %s", cases[i].text, p.command);
        assert_int_equal(p.command != NULL, cases[i].command != NULL);
        player_done(&p);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"reversi", "strong", "tcp:TEAM"},
        {"reversi", "", "builtin"},
        {"reversi", "cmd:./x", "tcp:TEAM="},
        {"cuptactoe", "cmd:./x", "py:FILE"},
        {"connect6", "cmd:", "cmd:COMMAND"},
        {"connect6", "tcp:7", "cmd:COMMAND"},
        {"cuptactoe", "tcp:7", "py:FILE"},
        {"reversi", "tcp:x", "a number"},
        {"reversi", "tcp:", "a number"},
        {"reversi", "tcp:99999999999", "a number"},
        {"reversi", "py:bot.py", "cuptactoe"},
        {"cuptactoe", "py:/no/such", "/no/such"},
        {"reversi", "builtin:easy,ply=3", "nodes, threads"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct player p;
        struct err err = {.set = false};
        assert_false(player_read(&p, cases[i][1], game_find(cases[i][0]), "arbiter", &err));
        if (!strstr(err.text, cases[i][2]))
            fail_msg("%s: %s", cases[i][1], err.text);
        player_done(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
