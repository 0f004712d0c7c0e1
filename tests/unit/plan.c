// SPDX-License-Identifier: MIT
// Contest files: what they say, and what is wrong with them.
#include "contest/plan/plan.h"

#include "base/rng.h"
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// libconfig 1.5 loses the text of a string that is not ended; that leak is not ours.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libconfig.so\n"; }

#define PLAYERS                                                                                    \
    "players = (\n{ name = \"a\"; start = \"random\"; },\n"                                        \
    "{ name = \"b\"; start = \"builtin:easy,nodes=5\"; team = \"t\"; });\n"

#define NAMED(name, more) "{ name = \"" name "\"; start = \"random\"; " more "},"
#define GROUPED(group)                                                                             \
    NAMED("a", "group = " group "; ")                                                              \
    NAMED("b", "group = " group "; ")                                                              \
    NAMED("c", "group = " group "; ") "{ name = \"d\"; start = \"random\"; group = " group "; }"
#define FOUR NAMED("a", "") NAMED("b", "") NAMED("c", "") "{ name = \"d\"; start = \"random\"; }"

static struct plan *read_plan(const char *text) {
    struct err err = {.set = false};
    struct plan *plan = plan_read("some", text, &err);
    if (!plan)
        fail_msg("%s", err.text);
    return plan;
}

// A contest is called as its file, also where only the store knows it.
static void test_names(void **unused) {
    (void)unused;
    char path[] = "/tmp/arbiter-test.v2-XXXXXX.conf";
    struct err err = {.set = false};
    const int fd = mkstemps(path, 5);
    const char words[] = "game = \"reversi\";\n" PLAYERS;
    assert_int_equal(write(fd, words, sizeof words - 1), sizeof words - 1);
    close(fd);
    struct plan *p = plan_load(path, &err);
    assert_non_null(p);
    unlink(path);
    *strrchr(path, '.') = '\0';
    assert_string_equal(p->name, strrchr(path, '/') + 1);
    struct plan *again = plan_read(p->name, p->text, &err);
    assert_string_equal(again->name, p->name);
    plan_free(again);
    plan_free(p);
}

// As editors on Windows write it.
static void test_marks_and_line_ends(void **unused) {
    (void)unused;
    struct plan *p = read_plan("\xef\xbb\xbfgame = \"reversi\";\r\njobs = 2;\r\n" PLAYERS);
    assert_int_equal(p->jobs, 2);
    plan_free(p);
}

static void test_defaults(void **unused) {
    (void)unused;
    struct plan *p = read_plan("game = \"reversi\";\n" PLAYERS);
    assert_string_equal(p->name, "some");
    assert_int_equal(p->player_count, 2);
    assert_string_equal(p->players[1].team, "t");
    assert_int_equal(p->stage_count, 1);
    assert_string_equal(p->stages[0].format.schedule->name, "league");
    assert_int_equal(p->stages[0].games, 2);
    assert_false(p->stages[0].by_meeting);
    assert_int_equal(p->stages[0].table.win, 2);
    assert_int_equal(p->stages[0].table.breaks[0], TIE_BREAK_WINS);
    assert_int_equal(p->stages[0].table.breaks[1], TIE_BREAK_DIFFERENCE);
    assert_int_equal(p->conditions.time_low_us, 5000000);
    assert_false(p->repeat_drawn);
    assert_true(p->same_conditions);
    plan_free(p);
}

// The tables of the course by year, and of connect6.
static void test_the_contests_tables(void **unused) {
    (void)unused;
    static const struct {
        const char *game;
        int breaks;
        enum tie_break first;
    } cases[] = {{"hopchess", 2, TIE_BREAK_WINS},
                 {"reversi", 2, TIE_BREAK_WINS},
                 {"tower4", 1, TIE_BREAK_DIFFERENCE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        snprintf(text, sizeof text, "game = \"%s\";\n" PLAYERS, cases[i].game);
        struct plan *p = read_plan(text);
        const struct table_rules *t = &p->stages[0].table;
        assert_int_equal(t->win, 2);
        assert_int_equal(t->draw, 1);
        assert_int_equal(t->loss, 0);
        assert_int_equal(t->break_count, cases[i].breaks);
        assert_int_equal(t->breaks[0], cases[i].first);
        plan_free(p);
    }
}

static void test_all_settings(void **unused) {
    (void)unused;
    struct plan *p = read_plan(
        "game = \"connect6\"; name = \"\xec\x9c\xa1\xeb\xaa\xa9\"; time = \"2..7\"; seed = 12; "
        "jobs = 3; cores = 2; port = 9000; wait = 5; grace = 20; house = \"random\";\n"
        "set = { blocks = \"random:4\"; overline = \"win\"; memory = \"1G\"; ponder = \"report\"; "
        "};\n"
        "stages = ( { name = \"g\"; format = \"league\"; groups = 2; cycles = 2; best_of = 3;"
        " advance = 1; }, { format = \"knockout\"; best_of = 5; third = true; } );\n"
        "players = ( {name=\"a\"; start=\"random\"; group = 2;}, {name=\"b\"; start=\"random\";},"
        " {name=\"c\"; start=\"random\"; group = 1;}, {name=\"d\"; start=\"random\";} );");
    assert_int_equal(p->conditions.time_high_us, 7000000);
    assert_int_equal(p->conditions.blocks, 4);
    assert_int_equal(p->seed, 12);
    assert_int_equal(p->jobs, 3);
    assert_int_equal(p->cores, 2);
    assert_int_equal(p->port, 9000);
    assert_int_equal(p->wait_us, 5000000);
    assert_int_equal(p->grace_us, 20000);
    assert_string_equal(p->house, "random");
    assert_int_equal(p->limits.ponder, PONDER_REPORT);
    assert_true(p->repeat_drawn);
    assert_int_equal(p->stage_count, 2);
    assert_int_equal(p->stages[0].advance, 1);
    assert_int_equal(p->stages[0].format.cycles, 2);
    assert_true(p->stages[0].by_meeting);
    assert_int_equal(p->stages[1].games, 5);
    assert_true(p->stages[1].format.third);
    assert_int_equal(p->players[0].group, 1);
    assert_int_equal(p->players[2].group, 0);
    assert_int_equal(plan_find_player(p, "d"), 3);
    assert_int_equal(plan_find_player(p, "e"), NOBODY);
    plan_free(p);
}

// Every error names the line and what would be right.
static void test_errors(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *line, *right;
    } cases[] = {
        {"game = \"chess\";\n" PLAYERS, "line 1", "tower4"},
        {"\n\ngame = \"reversi\"\n oops", "line 4", "NAME = VALUE"},
        {"game = \"reversi\";\nformt = \"swiss\";\n" PLAYERS, "line 2", "format"},
        {"game = \"reversi\";\nformat = \"swss\";\n" PLAYERS, "line 2", "knockout"},
        {"game = \"reversi\";\nformat = \"knockout\";\ngames = 2;\n" PLAYERS, "line 3", "best_of"},
        {"game = \"reversi\";\nbest_of = 2;\n" PLAYERS, "line 2", "odd"},
        {"game = \"reversi\";\ngames = 2;\nbest_of = 3;\n" PLAYERS, "line 2", "not both"},
        {"game = \"reversi\";\nrounds = 3;\n" PLAYERS, "line 2", "swiss"},
        {"game = \"reversi\";\nadvance = 3;\n" PLAYERS, "line 2", "last stage"},
        {"game = \"reversi\";\ntime = \"quick\";\n" PLAYERS, "line 2", "A..B"},
        {"game = \"reversi\";\ntime = [1];\n" PLAYERS, "line 2", "a number"},
        {"game = \"reversi\";\nset = {\nboard = \"round\"; };\n" PLAYERS, "line 3", "othello"},
        {"game = \"reversi\";\nset = { corners = 3; };\n" PLAYERS, "line 2", "board"},
        {"game = \"reversi\";\nset = { illegal = \"skip\"; };\n" PLAYERS, "line 2", "first"},
        {"game = \"connect6\";\nset = { blocks = \"random:3\"; };\n" PLAYERS, "line 2", "even"},
        {"game = \"reversi\";\njobs = 0;\n" PLAYERS, "line 2", "1..256"},
        {"game = \"reversi\";\njobs = \"two\";\n" PLAYERS, "line 2", "whole number"},
        {"game = \"reversi\";\nseed = -1;\n" PLAYERS, "line 2", "0.."},
        {"game = \"reversi\";\ndrawn = \"repeat\";\n" PLAYERS, "line 2", "stands"},
        {"game = \"reversi\";\ntable = \"course1999\";\n" PLAYERS, "line 2", "course2020"},
        {"game = \"reversi\";\ntable = { win = 2; };\n" PLAYERS, "line 2", "'draw'"},
        {"game = \"reversi\";\ntable = { win = 2; draw = 1; ties = [\"luck\"]; };\n" PLAYERS,
         "line 2", "buchholz"},
        {"game = \"reversi\";\nstages = ( );\n" PLAYERS, "line 2", "a list of 1..8 stages"},
        {"game = \"reversi\";\nformat = \"league\";\nstages = ( { format = \"league\"; } "
         ");\n" PLAYERS,
         "line 2", "in each of them"},
        {"game = \"reversi\";\n", "needs", "'players'"},
        {"game = \"reversi\";\nplayers = ( { name = \"a\"; start = \"random\"; } );", "line 2",
         "2..4096"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"a\"; start = \"random\"; } );",
         "line 4", "two players named 'a'"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"b\"; start = \"randm\"; } );",
         "line 4", "builtin"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"b\"; start = \"human\"; } );",
         "line 4", "arbiter match"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"b\"; begin = \"random\"; } );",
         "line 4", "it has name, start"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"b\"; team = \"t\"; } );",
         "line 4", "needs a start"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; build = \"make\"; "
         "},\n"
         "{ name = \"b\"; start = \"random\"; } );",
         "line 3", "folder"},
        {"game = \"reversi\";\nformat = \"swiss\"; rounds = 2;\n" PLAYERS, "line 2: rounds",
         "use a league"},
        {PLAYERS, "line 1", "game = one of cuptactoe"},
        {"game = \"reversi\";\n", "line 1", "players"},
        {"game = \"reversi\";\nhouse = \"builtn\";\n" PLAYERS, "line 2: house", "builtin"},
        {"game = \"reversi\";\nhouse = \"tcp:7\";\n" PLAYERS, "line 2: house", "started here"},
        {"game = \"reversi\";\ngroups = 2;\n" PLAYERS, "line 2: groups", "two players or more"},
        {"game = \"reversi\";\ngroups = 2;\nplayers = (" GROUPED("1") ");", "line 2: groups",
         "group 2 has 0"},
        {"game = \"reversi\";\ngroups = 2;\nplayers = (" GROUPED("3") ");", "line 3: group",
         "1..2"},
        {"game = \"reversi\";\n\nplayers = (" GROUPED("1") ");", "line 3: group", "groups = 2"},
        {"game = \"reversi\";\nstages = ( { format = \"league\"; },\n{ format = \"league\";\n"
         "groups = 2; } );\n" PLAYERS,
         "line 4: groups", "only the first"},
        {"game = \"reversi\";\nstages = ( { format = \"league\";\nadvance = 3; },\n"
         "{ format = \"knockout\"; } );\n" PLAYERS,
         "line 3: advance", "1..2"},
        {"game = \"reversi\";\nstages = ( { format = \"league\"; groups = 2;\nadvance = 3; },\n"
         "{ format = \"knockout\"; } );\nplayers = (" FOUR ");",
         "line 3: advance", "1..2"},
        {"game = \"reversi\";\nstages = ( { format = \"league\"; advance = 1; },\n"
         "{ format = \"knockout\"; } );\n" PLAYERS,
         "line 3: format", "two players or more"},
        {"game = \"reversi\";\nformat = \"gauntlet\";\nchallengers = 2;\n" PLAYERS,
         "line 3: challengers", "besides"},
        {"game = \"connect6\";\nset = {\nblocks = \"3,3 3,3\"; };\n" PLAYERS, "line 3: blocks",
         "different cells"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"tcp:7\"; },\n"
         "{ name = \"b\"; start = \"tcp:7\"; } );",
         "line 4: start", "a has team 7"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\"; },\n"
         "{ name = \"b\\nc\"; start = \"random\"; } );",
         "line 4: name", "0x0a"},
        {"game = \"reversi\"; name = \"\\x1b[2J\";\n" PLAYERS, "line 1: name", "0x1b"},
        {"game = \"reversi\";\nplayers = (\n{ name = \"a\"; start = \"random\";\n"
         "team = \"\\t\"; }, { name = \"b\"; start = \"random\"; } );",
         "line 4: team", "0x09"},
        {"game = \"reversi\";\nname = \"\xc7\xd1\";\n" PLAYERS, "line 2", "UTF-8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {.set = false};
        struct plan *p = plan_read("some.conf", cases[i].text, &err);
        if (p)
            fail_msg("case %zu is taken", i);
        if (strncmp(err.text, "some.conf, ", 11) != 0 || !strstr(err.text, cases[i].line) ||
            !strstr(err.text, cases[i].right))
            fail_msg("case %zu: %s", i, err.text);
    }
}

// Files that were spoilt, a few bytes at a time, are read or refused with a reason.
static void test_spoilt_files(void **unused) {
    (void)unused;
    static const char text[] =
        "game = \"connect6\"; name = \"x\"; time = \"2..7\"; seed = 12; jobs = 3; port = 9000;\n"
        "set = { blocks = \"random:4\"; overline = \"win\"; memory = \"1G\"; };\n"
        "stages = ( { name = \"g\"; format = \"league\"; groups = 2; best_of = 3; advance = 1; },\n"
        "{ format = \"knockout\"; table = { win = 2; draw = 1; ties = [\"wins\"]; }; } );\n"
        "players = ( {name=\"a\"; start=\"random\"; group = 2;}, {name=\"b\"; start=\"random\";},\n"
        " {name=\"c\"; start=\"tcp:3\"; folder = \"f\"; build = \"b\";}, {name=\"d\"; "
        "start=\"random\";} );";
    struct rng rng = {5};
    int taken = 0;
    for (int i = 0; i < 5000; i++) {
        char spoilt[sizeof text];
        struct err err = {.set = false};
        memcpy(spoilt, text, sizeof text);
        for (uint32_t k = rng_below(&rng, 4); k > 0; k--)
            spoilt[rng_below(&rng, sizeof text - 1)] = " ;{}()[]\"=0a,9-.x#\n"[rng_below(&rng, 20)];
        struct plan *p = plan_read("x.conf", spoilt, &err);
        assert_true(!p == err.set);
        assert_true(p || strncmp(err.text, "x.conf, ", 8) == 0);
        taken += p != NULL;
        plan_free(p);
    }
    assert_in_range(taken, 0, 4000);
}

static void test_groups_are_dealt_there_and_back(void **unused) {
    (void)unused;
    struct plan *p =
        read_plan("game = \"reversi\"; groups = 3;\nplayers = ("
                  "{name=\"1\"; start=\"random\";}, {name=\"2\"; start=\"random\";},"
                  "{name=\"3\"; start=\"random\";}, {name=\"4\"; start=\"random\";},"
                  "{name=\"5\"; start=\"random\";}, {name=\"6\"; start=\"random\";} );");
    const int groups[] = {0, 1, 2, 2, 1, 0};
    for (int i = 0; i < 6; i++)
        assert_int_equal(p->players[i].group, groups[i]);
    plan_free(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_marks_and_line_ends),
        cmocka_unit_test(test_defaults),     cmocka_unit_test(test_the_contests_tables),
        cmocka_unit_test(test_all_settings), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_spoilt_files), cmocka_unit_test(test_groups_are_dealt_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
