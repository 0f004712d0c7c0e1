// SPDX-License-Identifier: MIT
// Games that lie in a folder: what is written of them is read or refused in words, and what is
// added, replaced or removed while a program runs is seen by it.
#include "folder/folder.h"
#include "base/buf.h"
#include "base/path.h"
#include "base/scratch.h"
#include "check.h"
#include "folder/board_conf.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <utime.h>

#define FACTS                                                                                      \
    "name\tdots\n"                                                                                 \
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
    write_text(s.path, "board.conf", "kind = \"circles\";");
    assert_null(board_conf_read(path, &game, &err));
    assert_non_null(strstr(err.text, "hexagons")); // what is accepted
    scratch_done(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_within_bounds),
        cmocka_unit_test(changes_are_seen),
        cmocka_unit_test(refusals),
        cmocka_unit_test(boards),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
