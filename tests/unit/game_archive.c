// SPDX-License-Identifier: MIT
// The platform's archive: a record is held against its sum whenever it is taken out.
#include "web/game_archive.h"
#include "check.h"
#include "store/store.h"
#include "web/services.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char record[] =
    "{\"game\":\"reversi\",\"players\":[\"random\",\"random\"],\"winner\":1,"
    "\"moves\":[\"2,3\",\"2,4\"],\"ms\":[0.5,0.25],\"sum\":\"of before\"}";

struct fixture {
    char folder[40], path[64];
};

static int set_up(void **state) {
    struct fixture *f = calloc(1, sizeof *f);
    strcpy(f->folder, "/tmp/arbiter-shelf-XXXXXX");
    assert_non_null(mkdtemp(f->folder));
    snprintf(f->path, sizeof f->path, "%s/games.db", f->folder);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    unlink(f->path);
    rmdir(f->folder);
    free(f);
    return 0;
}

// What the archive says of a game: NULL and an error, if it is damaged.
static json_t *take(const struct fixture *f, const char *id, struct err *err) {
    struct game_archive *archive = game_archive_open(f->path, err);
    assert_non_null(archive);
    json_t *taken = game_archive_get(archive, id, err);
    game_archive_close(archive);
    return taken;
}

static void copy_text(void *owner, const char *text, const char *study) {
    (void)study;
    *(char **)owner = strdup(text);
}

// The text of a kept record, one letter of it changed, in the place of it.
static void change(const struct fixture *f, const char *id, const char *was, const char *is) {
    struct err err = {.set = false};
    struct store *store = store_open(f->path, &err);
    char *text = NULL;
    assert_true(store_kept(store, id, copy_text, &text, &err));
    char *at = strstr(text, was);
    assert_non_null(at);
    memcpy(at, is, strlen(is));
    assert_true(store_keep(store, id, 1, "{}", text, &err));
    free(text);
    store_close(store);
}

static void put(const struct fixture *f) {
    struct err err = {.set = false};
    json_t *json = json_loads(record, 0, NULL);
    struct game_archive *archive = game_archive_open(f->path, &err);
    assert_true(game_archive_put(archive, "abc", json, &err));
    game_archive_close(archive);
    json_decref(json);
}

static void gives_back_what_was_put(void **state) {
    struct err err = {.set = false};
    put(*state);
    json_t *taken = take(*state, "abc", &err);
    assert_non_null(taken);
    assert_false(err.set);
    assert_int_equal(json_array_size(json_object_get(taken, "moves")), 2);
    json_decref(taken);
    assert_null(take(*state, "none", &err));
    assert_false(err.set);
}

static void never_shows_a_changed_record(void **state) {
    static const char *const changes[][2] = {{"2,4", "2,5"},
                                             {"\"winner\":1", "\"winner\":2"},
                                             {"0.25", "0.35"},
                                             {"\"at\":1", "\"at\":2"},
                                             {"{", "}"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        struct err err = {.set = false};
        put(*state);
        change(*state, "abc", changes[i][0], changes[i][1]);
        assert_null(take(*state, "abc", &err));
        assert_non_null(strstr(err.text, "damaged"));
    }
}

// Records of earlier versions have no sum at their end.
static void takes_those_of_before(void **state) {
    const struct fixture *f = *state;
    struct err err = {.set = false};
    struct store *store = store_open(f->path, &err);
    assert_true(
        store_keep(store, "old", 1, "{}", "{\"game\":\"reversi\",\"sum\":\"x\",\"at\":5}", &err));
    store_close(store);
    json_t *taken = take(f, "old", &err);
    assert_non_null(taken);
    assert_false(err.set);
    json_decref(taken);
}

static void flip(const struct fixture *f, long at) {
    FILE *file = fopen(f->path, "r+");
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    const int byte = getc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    putc(byte ^ 4, file);
    fclose(file);
}

// How many games the list has; -1: it cannot be read, as it says.
static int listed(const struct fixture *f) {
    struct err err = {.set = false};
    struct game_archive *archive = game_archive_open(f->path, &err);
    json_t *list = archive ? game_archive_list(archive, 100, &err) : NULL;
    const int count = list ? (int)json_array_size(list) : -1;
    assert_true(err.set == !list);
    if (err.set)
        assert_non_null(strstr(err.text, "damaged"));
    json_decref(list);
    game_archive_close(archive);
    return count;
}

// One bit that has changed, in whichever page: all games are listed, or it is said why not.
static void never_lists_some_of_the_games(void **state) {
    const struct fixture *f = *state;
    enum { GAMES = 60, PAGE = 4096 };
    struct err err = {.set = false};
    struct game_archive *archive = game_archive_open(f->path, &err);
    json_t *json = json_loads(record, 0, NULL);
    for (int i = 0; i < GAMES; i++) {
        char id[16];
        snprintf(id, sizeof id, "game%d", i);
        assert_true(game_archive_put(archive, id, json, &err));
    }
    json_decref(json);
    game_archive_close(archive);
    assert_int_equal(listed(f), GAMES);
    FILE *file = fopen(f->path, "r");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    fclose(file);
    int refused = 0;
    for (long at = PAGE + 1000; at < size; at += PAGE) {
        flip(f, at);
        const int count = listed(f);
        assert_true(count == GAMES || count == -1);
        refused += count == -1;
        flip(f, at);
    }
    assert_true(refused > 0);
}

// A line of the list that another program has changed.
static void never_lists_what_it_cannot_read(void **state) {
    const struct fixture *f = *state;
    struct err err = {.set = false};
    put(f);
    struct store *store = store_open(f->path, &err);
    assert_true(store_keep(store, "odd", 1, "{\"id\":", "{}", &err));
    store_close(store);
    assert_int_equal(listed(f), -1);
}

// An id must not be taken for that of a contest's game, "contest" g "number".
static void draws_ids_of_no_contest(void **state) {
    const struct fixture *f = *state;
    struct err err = {.set = false};
    struct game_archive *archive = game_archive_open(f->path, &err);
    assert_non_null(archive);
    for (int i = 0; i < 200; i++) {
        char id[GAME_ID_MAX];
        game_archive_draw_id(archive, id, sizeof id);
        assert_true(game_archive_is_id(id));
        assert_null(strchr(id, 'g'));
    }
    game_archive_close(archive);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(gives_back_what_was_put, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_shows_a_changed_record, set_up, tear_down),
        cmocka_unit_test_setup_teardown(takes_those_of_before, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_lists_some_of_the_games, set_up, tear_down),
        cmocka_unit_test_setup_teardown(never_lists_what_it_cannot_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(draws_ids_of_no_contest, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
