// SPDX-License-Identifier: MIT
// PLAYER arguments: what they become, and what is refused with what would do.
#include "referee/player.h"

#include "check.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void test_accepted(void **state) {
    (void)state;
    static const struct {
        const char *game, *text, *protocol, *command; // command: a part of it, NULL: none
        enum player_kind kind;
    } cases[] = {
        {"reversi", "builtin", "abp", "'/a b/arbiter' bot reversi --protocol abp", PLAYER_CHILD},
        {"tower4", "builtin:easy", "abp", " --level 'easy'", PLAYER_CHILD},
        {"tower4", "builtin:easy,nodes=10", "abp", " --level 'easy' --nodes '10'", PLAYER_CHILD},
        {"tower4", "builtin:7,misses=10", "abp", " --level '7' --misses '10'", PLAYER_CHILD},
        {"tower4", "builtin,threads=2", "abp", " --threads '2'", PLAYER_CHILD},
        {"tower4", "builtin:strong,general", "abp", " --level 'strong' --general", PLAYER_CHILD},
        {"connect6", "random", "abp", " --level 'random'", PLAYER_CHILD},
        {"connect6", "cmd:/bin/cat -u", "sixline", "/bin/cat -u", PLAYER_CHILD},
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
        {"reversi", "builtins", "tcp:TEAM"},
        {"reversi", "builtin:god", "'god'; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:eas", "'eas'; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:0", "'0'; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:11", "'11'; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:", "''; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin,", "''; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:easy,", "''; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:,nodes=5", "''; accepted: 1..10, easy, normal, strong, random"},
        {"reversi", "builtin:3,level=4", "told level twice"},
        {"reversi", "builtin:3,4", "told level twice"},
        {"reversi", "builtin,nodes=5,threads=2,nodes=5", "told nodes twice"},
        {"reversi", "builtin,general,general", "told general twice"},
        {"reversi", "builtin,misses=101", "misses cannot be '101'; accepted: 1..100"},
        {"reversi", "builtin,general=1", "general has no value"},
        {"reversi", "builtin,nodes=x", "nodes cannot be 'x'; accepted: 1.."},
        {"reversi", "builtin,nodes=", "nodes cannot be ''; accepted: 1.."},
        {"reversi", "builtin:easy,threads=0", "threads cannot be '0'; accepted: 1..64"},
        {"reversi", "builtin,threads=-1", "threads cannot be '-1'; accepted: 1..64"},
        {"reversi", "builtin,nodes=99999999999999999999", "nodes cannot be"},
        {"reversi", "", "builtin"},
        {"reversi", "cmd:./x", "tcp:TEAM="},
        {"cuptactoe", "cmd:./x", "py:FILE"},
        {"connect6", "cmd:", "cmd:COMMAND"},
        {"reversi", "abp:", "abp:COMMAND"},
        {"cuptactoe", "py:", "cannot read"},
        {"connect6", "tcp:7", "cmd:COMMAND"},
        {"cuptactoe", "tcp:7", "py:FILE"},
        {"reversi", "tcp:x", "a number"},
        {"reversi", "tcp:", "a number"},
        {"reversi", "tcp:99999999999", "a number"},
        {"reversi", "tcp:+7", "a number"},
        {"reversi", "tcp: 7", "a number"},
        {"reversi", "tcp:7 =./x", "a number"},
        {"reversi", "tcp:00000000000000000007", "a number"},
        {"reversi", "py:bot.py", "cannot read bot.py"},
        {"cuptactoe", "py:/no/such", "/no/such"},
        {"reversi", "builtin:easy,ply=3", "nodes, threads, misses, general, untaught"},
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

// Goes to a fresh folder with files to be named; %H in what is expected stands for it.
static void enter_folder(char folder[static 64]) {
    strcpy(folder, "/tmp/player-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("x", 0777) | mkdir("my dir", 0777) | mkdir("bin", 0777), 0);
    static const char *const files[] = {"p",   "my player", "data", "my dir/kit.EXE",
                                        "x/p", "bin/wine"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        close(open(files[i], O_WRONLY | O_CREAT, 0777));
}

static void leave_folder(const char *folder) {
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
    assert_int_equal(chdir("/"), 0);
}

static void check_command(const char *text, const char *expected, const char *here) {
    struct player p;
    struct err err = {.set = false};
    struct buf words = {.data = NULL};
    for (const char *at = expected; *at; at++) {
        if (at[0] == '%' && at[1] == 'H')
            buf_text(&words, here), at++;
        else
            buf_put(&words, at, 1);
    }
    if (!player_read(&p, text, game_find("connect6"), "arbiter", &err))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(p.command, words.data);
    assert_int_equal(p.windows, strstr(expected, "wine ") != NULL);
    player_done(&p);
    buf_done(&words);
}

// Files of this folder by their whole path, for a player who starts in another.
static void test_commands(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"cmd:./p", "'%H/./p'"},
        {"cmd:p data none", "p '%H/data' none"},
        {"cmd:'./my player' -x", "'%H/./my player' -x"},
        {"cmd:./my\\ player", "'%H/./my player'"},
        {"cmd:\"my player\"", "\"my player\""}, // a program that is no path is in $PATH
        {"cmd:FOO=1 ./p <data", "FOO=1 '%H/./p' <'%H/data'"},
        {"cmd:./p x ./x", "'%H/./p' x '%H/./x'"},
        {"cmd:cd x && ./p data", "cd '%H/x' && ./p data"},
        {"cmd:cd x; cd ..; ./p", "cd '%H/x'; cd ..; ./p"},
        {"cmd:./p | tee data", "'%H/./p' | tee data"},
        {"cmd:$HOME/p $(cat data)", "$HOME/p $(cat data)"},
        {"cmd:/bin/cat data", "/bin/cat '%H/data'"},
        {"cmd:'my dir/kit.EXE' data", "wine '%H/my dir/kit.EXE' '%H/data'"},
        {"cmd:cd 'my dir' && A=1 ./kit.exe", "cd '%H/my dir' && A=1 wine ./kit.exe"},
        {"abp:./p data", "./p data"},
        {"abp:A=1 /opt/wine p.exe", "A=1 /opt/wine p.exe"},
        {"abp:my\\ dir/kit.exe", "wine my\\ dir/kit.exe"},
    };
    char folder[64], before[4096];
    snprintf(before, sizeof before, "%s", getenv("PATH"));
    enter_folder(folder);
    char path[100];
    snprintf(path, sizeof path, "/none:%s/bin", folder);
    setenv("PATH", path, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_command(cases[i][0], cases[i][1], folder);
    setenv("PATH", "/none", 1);
    struct player p;
    struct err err = {.set = false};
    assert_false(player_read(&p, "cmd:'my dir/kit.exe'", game_find("connect6"), "a", &err));
    assert_non_null(strstr(err.text, "apt install wine"));
    player_done(&p);
    setenv("PATH", before, 1);
    leave_folder(folder);
}

static void test_suits(void **state) {
    (void)state;
    static const struct {
        const char *game, *text, *rule, *value, *key, *kept, *says; // says NULL: it suits
    } cases[] = {
        {"connect6", "cmd:./p", "size", "19", "ponder", "freeze", NULL},
        {"connect6", "abp:./p", "size", "15", "ponder", "freeze", NULL},
        {"connect6", "cmd:./p", "size", "15", "ponder", "freeze", "use abp:COMMAND"},
        {"hopchess", "tcp:7", "max_hops", "9", "ponder", "allow", NULL},
        {"hopchess", "tcp:7=./p", "max_hops", "9", "ponder", "freeze", NULL},
        {"hopchess", "tcp:7", "max_hops", "9", "ponder", "freeze", "cannot be held"},
        {"hopchess", "tcp:7", "max_hops", "9", "ponder", "report", "use ponder=allow"},
        {"hopchess", "tcp:7", "max_hops", "9", "memory", "2G", "use memory=off"},
        {"hopchess", "human", "max_hops", "9", "memory", "2G", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct game *game = game_find(cases[i].game);
        struct player p;
        struct ruleset rules;
        struct player_limits limits;
        char why[WHY_TEXT_MAX];
        struct err err = {.set = false};
        ruleset_init(&rules, game);
        player_limits_init(&limits, game);
        assert_true(ruleset_set(&rules, cases[i].rule, cases[i].value, why));
        assert_true(player_limits_set(&limits, game, cases[i].key, cases[i].kept, &err));
        assert_true(player_read(&p, cases[i].text, game, "arbiter", &err));
        assert_int_equal(player_suits(&p, &rules, &limits, &err), cases[i].says == NULL);
        if (cases[i].says && !strstr(err.text, cases[i].says))
            fail_msg("%s: %s", cases[i].text, err.text);
        player_done(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_suits),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("player", tests, NULL, NULL);
}
