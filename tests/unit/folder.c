// SPDX-License-Identifier: MIT
// Games that lie in a folder: what is written of them is read or refused in words, and what is
// added, replaced or removed while a program runs is seen by it.
#include "folder/folder.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/scratch.h"
#include "check.h"
#include "folder/board_conf.h"
#include "folder/board_fit.h"
#include "folder/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#define FACTS "name\tdots\n" FACTS_BUT_NAME
#define FACTS_BUT_NAME                                                                             \
    "title\tDots\n"                                                                                \
    "width\t3\n"                                                                                   \
    "height\t3\n"                                                                                  \
    "distinct_moves\t9\n"                                                                          \
    "moves_max\t9\n"                                                                               \
    "plies_max\t9\n"                                                                               \
    "state_size\t16\n"                                                                             \
    "ending\t\trunning\n"                                                                          \
    "ending\tfull\tthe board is full\n"

static bool read_facts(const char *text, struct game *game, char *why) {
    struct facts facts = {.text = NULL};
    struct err err = {.set = false};
    const bool good = facts_read(&facts, text, game, &err);
    snprintf(why, ERR_TEXT_MAX, "%s", err.text);
    facts_done(&facts);
    return good;
}

static void facts_within_bounds(void **unused) {
    (void)unused;
    struct game game;
    char why[ERR_TEXT_MAX];
    assert_true(read_facts(FACTS, &game, why));
    assert_int_equal(game.width, 3);
    assert_int_equal(game.ending_count, 2);
    assert_false(read_facts(FACTS "width\t65\n", &game, why));
    assert_string_equal(why, "width is 65; accepted: 1..64");
    assert_false(read_facts("name\tdots\n", &game, why));
    assert_string_equal(why, "struct game has no title");
    assert_false(read_facts(FACTS "name\tDots!\n", &game, why));
    assert_string_equal(why, "name is 'Dots!', which cannot be");
    assert_false(read_facts(FACTS "rule\tsize\t9\thow large\t\t3\t8\t\n", &game, why));
    assert_non_null(strstr(why, "a standard value: "));
    assert_false(read_facts(FACTS "rule\tsize\t5\thow large\t\t8\t3\t\n", &game, why));
    assert_non_null(strstr(why, "a range that is none"));
}

static void write_text(const char *folder, const char *name, const char *text) {
    char path[600];
    snprintf(path, sizeof path, "%.400s/%s", folder, name);
    assert_true(path_write(path, text, strlen(text)));
}

// A folder as `game add` leaves it, but for what this machine makes of the module: its functions
// are not asked for here. The module's bytes are looked at for their sum alone.
static void lay(const char *data, const char *module, const char *conf) {
    char folder[500];
    struct err err = {.set = false};
    snprintf(folder, sizeof folder, "%.300s/games", data);
    mkdir(folder, 0700);
    snprintf(folder, sizeof folder, "%.300s/games/dots", data);
    assert_true(path_make_folder(folder, &err));
    write_text(folder, "facts", FACTS);
    write_text(folder, "rules.wasm", module);
    write_text(folder, "game.conf", conf);
}

// As if the folder of all games had changed at another time.
static void touch(const char *data, int when) {
    char folder[500];
    snprintf(folder, sizeof folder, "%.300s/games", data);
    const struct utimbuf times = {.actime = when, .modtime = when};
    assert_int_equal(utime(folder, &times), 0);
    folder_refresh();
}

static const struct folder *only_one(void) {
    const struct folder *found = NULL;
    for (int i = 0; i < game_count(); i++)
        if (strcmp(game_nth(i)->name, "dots") == 0)
            found = folder_of(game_nth(i));
    return found;
}

static void changes_are_seen(void **unused) {
    (void)unused;
    struct scratch s = {.path = NULL};
    struct err err = {.set = false};
    char folder[500], gone[500];
    assert_true(scratch_make(&s, "a test", &err));
    const int ours = game_count();
    folder_open(s.path, true);
    assert_int_equal(game_count(), ours);

    lay(s.path, "first", "name = \"dots\"; title = { en = \"Dots\"; };");
    touch(s.path, 1000);
    const struct folder *first = only_one();
    assert_non_null(first);
    assert_int_equal(game_count(), ours + 1);
    assert_int_equal(spec_of(&first->game)->time_low_s, 5);
    touch(s.path, 2000);
    assert_ptr_equal(only_one(), first);

    lay(s.path, "first", "name = \"dots\"; title = { en = \"Dots\"; }; time = 7;");
    touch(s.path, 3000);
    const struct folder *second = only_one();
    assert_ptr_not_equal(second, first);
    assert_int_equal(spec_of(&second->game)->time_low_s, 7);
    assert_string_equal(second->sum, first->sum); // which is still there for who holds it

    lay(s.path, "second", "name = \"dots\"; title = { en = \"Dots\"; };");
    touch(s.path, 4000);
    assert_string_not_equal(only_one()->sum, second->sum);

    snprintf(folder, sizeof folder, "%.300s/games/dots", s.path);
    snprintf(gone, sizeof gone, "%.300s/gone", s.path);
    assert_int_equal(rename(folder, gone), 0);
    touch(s.path, 5000);
    assert_null(only_one());
    assert_int_equal(game_count(), ours);
    assert_null(game_find("dots"));
    assert_string_equal(first->game.name, "dots");
    folder_open("", false);
    scratch_done(&s);
}

#define CONF(more) "name = \"dots\"; title = { en = \"Dots\"; };\n" more

// Games of one place come before those of the same name in another.
static void places(void **unused) {
    (void)unused;
    struct scratch s[3] = {{.path = NULL}};
    struct err err = {.set = false};
    for (int i = 0; i < 3; i++)
        assert_true(scratch_make(&s[i], "a test", &err));
    lay(s[2].path, "after", CONF("time = 3;"));
    folder_open(s[1].path, true);
    assert_null(only_one());
    folder_open_after(s[2].path);
    assert_int_equal(spec_of(&only_one()->game)->time_low_s, 3);
    lay(s[1].path, "data", CONF("time = 2;"));
    touch(s[1].path, 1000);
    assert_int_equal(spec_of(&only_one()->game)->time_low_s, 2);
    lay(s[0].path, "before", CONF("time = 1;"));
    folder_open_before(s[0].path);
    assert_int_equal(spec_of(&only_one()->game)->time_low_s, 1);
    assert_string_equal(folder_data(), s[1].path);
    assert_string_equal(getenv("ARBITER_KEPT"), s[0].path); // for children
    assert_string_equal(getenv("ARBITER_MORE"), s[2].path);
    folder_open("", false);
    unsetenv("ARBITER_KEPT");
    unsetenv("ARBITER_MORE");
    for (int i = 0; i < 3; i++)
        scratch_done(&s[i]);
}

// What holds in the table of a contest where game.conf says nothing, or something.
static void tables(void **unused) {
    (void)unused;
    static const struct {
        const char *conf;
        int win;
        enum tie_break second;
    } cases[] = {{CONF(""), 2, TIE_BREAK_DIRECT},
                 {CONF("points = (3, 1, 0);"), 3, TIE_BREAK_DIRECT},
                 {CONF("tie_breaks = (\"wins\", \"sonneborn\");"), 2, TIE_BREAK_SONNEBORN}};
    struct scratch s = {.path = NULL};
    struct err err = {.set = false};
    assert_true(scratch_make(&s, "a test", &err));
    folder_open(s.path, true);
    for (int i = 0; i < 3; i++) {
        lay(s.path, "module", cases[i].conf);
        touch(s.path, 1000 * (i + 1));
        const struct spec *spec = spec_of(&only_one()->game);
        assert_non_null(spec->table_name); // or a contest takes the plain table
        assert_int_equal(spec->table.win, cases[i].win);
        assert_int_equal(spec->table.breaks[0], TIE_BREAK_WINS);
        assert_int_equal(spec->table.breaks[1], cases[i].second);
        assert_int_equal(spec->table.break_count, 2);
    }
    folder_open("", false);
    scratch_done(&s);
}

#define TEN "0123456789"

static void refusals(void **unused) {
    (void)unused;
    static const struct {
        const char *conf, *why;
    } cases[] = {
        {"name = \"dots\";", "needs the setting 'title'"},
        {"name = \"other\"; title = { en = \"x\"; };", "rules.c calls it 'dots'"},
        {"name = \"dots\"; title = { en = \"x\"; }; time = 0;",
         "accepted is a whole number, 1..3600"},
        {"name = \"dots\"; title = { ko = \"x\"; };", "the text in English (en) is missing"},
        {"@include \"/etc/passwd\"", "includes another file"},
        {CONF("points = (0, 5, 9);"), "line 2: points: a win must bring more than a loss"},
        {CONF("points = (1, 2, 0);"), "a draw neither more than a win"},
        {CONF("tie_breaks = (\"wins\", \"wins\");"), "line 2: tie_breaks: \"wins\" stands there"},
        {CONF("languages = ();"), "line 2: languages: accepted is a list"},
        {CONF("languages = \"c\";"), "line 2: languages: accepted is a list"},
        {"name = \"dots\"; title = { en = \"x" TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN "\"; };",
         "line 1: en: it has 101 bytes; accepted are at most 100"},
        {"name = ", "line 1"},
    };
    struct scratch s = {.path = NULL};
    struct err err = {.set = false};
    assert_true(scratch_make(&s, "a test", &err));
    folder_open(s.path, true);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        lay(s.path, "module", cases[i].conf);
        assert_null(game_find("dots"));
        const char *why = folder_trouble("dots");
        assert_non_null(why);
        if (!strstr(why, cases[i].why))
            fail_msg("'%s' does not say '%s'", why, cases[i].why);
    }
    folder_open("", false);
    scratch_done(&s);
}

static void boards(void **unused) {
    (void)unused;
    struct scratch s = {.path = NULL};
    struct game game = {.width = 3, .height = 3};
    struct err err = {.set = false};
    char path[500];
    assert_true(scratch_make(&s, "a test", &err));
    snprintf(path, sizeof path, "%.300s/board.conf", s.path);
    json_t *board = board_conf_read(path, &game, &err); // there is none: a plain one
    assert_string_equal(json_string_value(json_object_get(board, "kind")), "squares");
    json_decref(board);
    write_text(
        s.path, "board.conf",
        "marks = ({ mark = \"-\"; shape = \"hbar\"; }, { mark = \"|\"; shape = \"vbar\"; },\n"
        "{ mark = \"#\"; shape = \"dot\"; });");
    board = board_conf_read(path, &game, &err);
    assert_int_equal(json_array_size(json_object_get(board, "marks")), 3);
    json_decref(board);
    write_text(s.path, "board.conf", "marks = ({ mark = \"-\"; shape = \"bar\"; });");
    assert_null(board_conf_read(path, &game, &err));
    assert_non_null(strstr(err.text, "letter, dot, hbar, vbar"));
    err.set = false;
    write_text(s.path, "board.conf", "kind = \"circles\";");
    assert_null(board_conf_read(path, &game, &err));
    assert_non_null(strstr(err.text, "hexagons")); // what is accepted
    scratch_done(&s);
}

// A game of one position and one move, to be held against boards.
static const char *fake_position, *fake_move;

static int fake_moves(const void *state, move *list) {
    (void)state;
    list[0] = 0;
    return 1;
}

static void fake_write_move(const void *state, move m, char text[static MOVE_TEXT_MAX]) {
    (void)state, (void)m;
    snprintf(text, MOVE_TEXT_MAX, "%s", fake_move);
}

static void fake_write_state(const void *state, char text[static STATE_TEXT_MAX]) {
    (void)state;
    snprintf(text, STATE_TEXT_MAX, "%s", fake_position);
}

static void fits(void **unused) {
    (void)unused;
    static const struct {
        const char *cell, *position, *move, *fault; // NULL: it fits
    } cases[] = {
        {"row,column", "X3/4/..O.", "2,3", NULL},
        {"row,column", "X3/4/4 black", "1,1 2,3 q", NULL},
        {"row,column", "X3/4/4", "3,2", "the legal move '3,2' has the cell 3,2"},
        {"column,row", "X3/4/4", "3,2", NULL},
        {"column,row", "X3/4/4", "2,3", "has the cell 2,3 (cell = \"column,row\")"},
        {"column", "X3/4/4", "3", NULL},
        {"column", "X3/4/4", "4", "has the cell 4"},
        {"a1", "X3/4/4", "d3 swap", NULL},
        {"a1", "X3/4/4", "d4", "has the cell d4"},
        {"a1", "X3/4/4", "e1", "has the cell e1"},
        {"row,column", "X3/4", "0,0", "has 2 rows, the board 3; say rows = 2"},
        {"row,column", "X4/5/5", "0,0", "has 5 columns, the board 4"},
        {"row,column", "X3/4/3Z", "0,0", "the letter 'Z', which is none of the marks"},
    };
    struct game game = {.moves_max = 1,
                        .moves = fake_moves,
                        .write_move = fake_write_move,
                        .write_state = fake_write_state};
    const struct ruleset rules = {.game = &game};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf fault = {.data = NULL};
        json_t *board =
            json_pack("{s:i, s:i, s:i, s:s, s:[{s:s}, {s:s}]}", "rows", 3, "columns", 4, "layers",
                      1, "cell", cases[i].cell, "marks", "mark", "X", "mark", "O");
        fake_position = cases[i].position;
        fake_move = cases[i].move;
        assert_int_equal(board_fit(board, &rules, NULL, &fault), !cases[i].fault);
        if (cases[i].fault && !strstr(fault.data, cases[i].fault))
            fail_msg("'%s' does not say '%s'", fault.data, cases[i].fault);
        buf_done(&fault);
        json_decref(board);
    }
}

// A server asks children for so many games; the next one is refused in words.
static void too_many(void **unused) {
    (void)unused;
    struct scratch s = {.path = NULL};
    struct err err = {.set = false};
    char folder[500], name[20], text[500];
    assert_true(scratch_make(&s, "a test", &err));
    snprintf(folder, sizeof folder, "%.300s/games", s.path);
    assert_true(path_make_folder(folder, &err));
    folder_open(s.path, true);
    for (int i = 0; i <= PROXIES_MAX; i++) {
        snprintf(name, sizeof name, "many_%d", i);
        snprintf(folder, sizeof folder, "%.300s/games/%s", s.path, name);
        assert_true(path_make_folder(folder, &err));
        snprintf(text, sizeof text, "name\t%s\n" FACTS_BUT_NAME, name);
        write_text(folder, "facts", text);
        write_text(folder, "rules.wasm", name);
        snprintf(text, sizeof text, "name = \"%s\"; title = { en = \"Many\"; };", name);
        write_text(folder, "game.conf", text);
        if (i < PROXIES_MAX - 1) // one was taken above
            assert_non_null(game_find(name));
    }
    assert_null(game_find(name));
    assert_non_null(strstr(folder_trouble(name), "more than 256 games"));
    assert_non_null(strstr(folder_trouble(name), "remove some, and start it again"));
    folder_open("", false);
    scratch_done(&s);
}

// Where the server itself sees that rules fail, it goes on: so does the next game.
static void failures_are_of_one_game(void **unused) {
    (void)unused;
    static struct game game = {.name = "failing", .state_size = 1};
    assert_true(proxy_give(&game));
    assert_null(proxy_failure(&game));
    for (int i = 0; i < 3; i++) {
        proxy_forget();
        assert_null(proxy_failure(&game));
        folder_fail(&game, "apply", "it does what it must not");
        assert_string_equal(proxy_failure(&game),
                            "the rules of failing failed: apply: it does what it must not");
    }
    proxy_forget(); // but not again and again
    assert_non_null(proxy_failure(&game));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_within_bounds),
        cmocka_unit_test(changes_are_seen),
        cmocka_unit_test(places),
        cmocka_unit_test(tables),
        cmocka_unit_test(refusals),
        cmocka_unit_test(boards),
        cmocka_unit_test(fits),
        cmocka_unit_test(failures_are_of_one_game),
        cmocka_unit_test(too_many), // takes all places
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
