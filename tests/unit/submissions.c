// SPDX-License-Identifier: MIT
// Where teams hand in, as the platform uses it. Without a box, to be quick;
// tests/e2e/submit.py has the box.
#include "contest/submissions.h"

#include "base/path.h"
#include "base/scratch.h"
#include "check.h"
#include "link/loop.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARCHIVE_MAX = 1 << 16 };

// A player of cuptactoe on our protocol that is not ready in time, and one that ends.
static const char ending[] = "int main(void) { return 0; }\n";

struct fixture {
    struct ruleset rules;
    struct player_limits limits;
    struct conditions conditions;
    struct submissions_options options;
    struct scratch folder;
    const char *home; // its path
    struct submissions *submissions;
    struct loop *loop; // the owner has one of his own
    int ended, log_bytes, tries_began, tries_ended;
    char last[TEAM_NAME_MAX]; // of whom was heard last
    json_t *report;
};

static size_t pack(const char *name, const char *text, char bytes[static ARCHIVE_MAX]) {
    size_t size = 0;
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_set_format_zip(a);
    archive_write_open_memory(a, bytes, ARCHIVE_MAX, &size);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    archive_write_header(a, entry);
    archive_write_data(a, text, strlen(text));
    archive_entry_free(entry);
    archive_write_close(a);
    archive_write_free(a);
    return size;
}

static void heard_log(void *owner, const char *team, int number, const char *words, size_t length) {
    struct fixture *f = owner;
    (void)team, (void)words;
    assert_int_equal(number, 1);
    f->log_bytes += (int)length;
}

static void heard_end(void *owner, const char *team, int number, const json_t *report) {
    struct fixture *f = owner;
    f->ended++;
    snprintf(f->last, sizeof f->last, "%s", team);
    assert_int_equal(json_integer_value(json_object_get(report, "number")), number);
    json_decref(f->report);
    f->report = json_deep_copy(report);
}

static void heard_try(void *owner, const char *team, int number, const struct tryout_wish *wish) {
    (void)team, (void)number, (void)wish;
    ((struct fixture *)owner)->tries_began++;
}

static void heard_try_end(void *owner, const char *team, int number, const json_t *report) {
    struct fixture *f = owner;
    (void)team;
    f->tries_ended++;
    json_decref(f->report);
    f->report = report ? json_deep_copy(report) : NULL;
    assert_true(!report || json_integer_value(json_object_get(report, "number")) == number);
}

static int set_up(void **state) {
    static const struct submissions_events events = {
        .log = heard_log, .ended = heard_end, .try_began = heard_try, .try_ended = heard_try_end};
    struct fixture *f = calloc(1, sizeof *f);
    struct err err = {.set = false};
    const struct game *game = game_find("cuptactoe");
    ruleset_init(&f->rules, game);
    player_limits_init(&f->limits, game);
    conditions_init(&f->conditions, game);
    assert_true(scratch_make(&f->folder, "a test", &err));
    f->home = f->folder.path;
    f->loop = loop_new(&err);
    f->options = (struct submissions_options){.home = f->home,
                                              .program = getenv("ARBITER"),
                                              .rules = &f->rules,
                                              .player_limits = &f->limits,
                                              .conditions = &f->conditions,
                                              .limits = submit_standard,
                                              .at_once = 1,
                                              .keep = 3};
    f->submissions = submissions_new(&f->options, &events, f, &err);
    assert_non_null(f->submissions);
    *state = f;
    return 0;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    submissions_free(f->submissions);
    scratch_done(&f->folder);
    loop_free(f->loop);
    json_decref(f->report);
    free(f);
    return 0;
}

static void wait_for(struct fixture *f, int ended) {
    for (int i = 0; f->ended < ended && i < 36000; i++) { // an hour, for what hangs
        struct pollfd wait = {.fd = submissions_fd(f->submissions), .events = POLLIN};
        poll(&wait, 1, 100);
        submissions_work(f->submissions);
    }
    assert_int_equal(f->ended, ended);
}

// Until a build has said something.
static void wait_for_log(struct fixture *f) {
    while (f->log_bytes == 0) {
        struct pollfd wait = {.fd = submissions_fd(f->submissions), .events = POLLIN};
        poll(&wait, 1, 100);
        submissions_work(f->submissions);
    }
}

static int take(struct fixture *f, const char *team, const char *name, const char *text,
                struct err *err) {
    char bytes[ARCHIVE_MAX];
    const size_t size = pack(name, text, bytes);
    *err = (struct err){.set = false};
    return submissions_take(f->submissions, team, bytes, size, false, err);
}

static const char *finding(const struct fixture *f) {
    return json_string_value(json_object_get(f->report, "finding"));
}

// A process that was forked meanwhile has its pipe too: it has ended all the same, and once.
static void test_ended_is_ended(void **state) {
    struct fixture *f = *state;
    struct err err;
    assert_int_equal(take(f, "Red", "player.c", "no C\n", &err), 1);
    const pid_t other = fork();
    if (other == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    wait_for(f, 1);
    for (int i = 0; i < 3; i++)
        submissions_work(f->submissions);
    assert_int_equal(f->ended, 1);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

// One at a time; of a team one at all; what was found is kept.
static void test_in_order(void **state) {
    struct fixture *f = *state;
    struct err err;
    struct buf log = {.data = NULL};
    assert_int_equal(take(f, "Red", "player.c", "no C\n", &err), 1);
    assert_int_equal(take(f, "Blue 2", "player.c", ending, &err), 1);
    assert_int_equal(take(f, "Red", "player.c", ending, &err), 0);
    assert_non_null(strstr(err.text, "still worked on"));
    assert_int_equal(submissions_busy(f->submissions, "Red"), 1);
    assert_int_equal(submissions_busy(f->submissions, "Blue 2"), 1);
    wait_for(f, 1);
    assert_string_equal(f->last, "Red");
    assert_string_equal(finding(f), "build");
    assert_true(f->log_bytes > 0);
    wait_for(f, 2);
    assert_string_equal(f->last, "Blue 2");
    assert_string_equal(finding(f), "game");
    assert_int_equal(submissions_busy(f->submissions, "Red"), 0);
    assert_int_equal(submissions_last(f->submissions, "Red"), 1);
    assert_int_equal(submissions_good(f->submissions, "Red", NULL, NULL), 0);
    assert_true(submissions_log(f->submissions, "Red", 1, &log));
    assert_non_null(strstr(log.data, "player.c:1"));
    json_t *kept = submissions_report(f->submissions, "Red", 1);
    assert_string_equal(json_string_value(json_object_get(kept, "finding")), "build");
    json_decref(kept);
    assert_null(submissions_report(f->submissions, "Red", 2));
    buf_done(&log);
}

// The test game is refereed, although its referee is a child of somebody who has a loop running.
static void test_game_is_played(void **state) {
    struct fixture *f = *state;
    struct err err;
    loop_turn(f->loop);
    assert_int_equal(take(f, "Red", "player.c", ending, &err), 1);
    wait_for(f, 1);
    assert_string_equal(finding(f), "game");
    assert_true(json_is_object(json_object_get(f->report, "game")));
}

static void wait_for_tries(struct fixture *f, int ended) {
    for (int i = 0; f->tries_ended < ended && i < 36000; i++) {
        struct pollfd wait = {.fd = submissions_fd(f->submissions), .events = POLLIN};
        poll(&wait, 1, 100);
        submissions_work(f->submissions);
    }
    assert_int_equal(f->tries_ended, ended);
}

static int try_out(struct fixture *f, int against, struct err *err) {
    struct tryout_wish wish = {.submission = 1, .against = against, .colour = 2};
    if (!against)
        strcpy(wish.level, "random");
    *err = (struct err){.set = false};
    return submissions_try(f->submissions, "Red", &wish, err);
}

static void check_left(const struct fixture *f, const char *team, const char *names);

// Of a submission that was made games are played as often as one likes; the last ten are kept. One
// that is broken off leaves nothing.
static void test_tries(void **state) {
    struct fixture *f = *state;
    struct err err;
    struct buf said = {.data = NULL};
    assert_int_equal(try_out(f, 0, &err), 0);
    assert_non_null(strstr(err.text, "submission 1 cannot play"));
    assert_int_equal(take(f, "Red", "player.c", ending, &err), 1);
    assert_int_equal(try_out(f, 0, &err), 0);
    assert_non_null(strstr(err.text, "is being worked on"));
    wait_for(f, 1);
    assert_int_equal(try_out(f, 1, &err), 0);
    assert_int_equal(try_out(f, 2, &err), 0);
    for (int i = 1; i <= 12; i++) {
        assert_int_equal(try_out(f, 0, &err), i);
        assert_int_equal(try_out(f, 0, &err), 0);
        assert_non_null(strstr(err.text, "still being played"));
        assert_true(submissions_rest(f->submissions));
        wait_for_tries(f, i);
    }
    const json_t *verdict = json_object_get(json_object_get(f->report, "game"), "verdict");
    assert_int_equal(json_integer_value(json_object_get(verdict, "player")), 2);
    assert_int_equal(f->tries_began, 12);
    assert_null(submissions_tryout(f->submissions, "Red", 2));
    assert_false(submissions_tryout_messages(f->submissions, "Red", 2, &said));
    json_t *kept = submissions_tryout(f->submissions, "Red", 3);
    assert_int_equal(json_integer_value(json_object_get(kept, "number")), 3);
    json_decref(kept);
    assert_true(submissions_tryout_messages(f->submissions, "Red", 3, &said));
    assert_int_equal(try_out(f, 0, &err), 13);
    submissions_break_off_tries(f->submissions);
    assert_int_equal(f->tries_ended, 13);
    assert_null(f->report);
    assert_int_equal(submissions_trying(f->submissions, "Red"), 0);
    assert_int_equal(submissions_last_tryout(f->submissions, "Red"), 12);
    check_left(f, "Red", "1 1.json 1.log 1.messages tries ");
    buf_done(&said);
}

static void test_refused(void **state) {
    struct fixture *f = *state;
    static const char *const bad[] = {"", ".", "..", "../x", "a/b", " a", "-a", "a\nb"};
    static char large[(8 << 20) + 1];
    struct err err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(take(f, bad[i], "player.c", ending, &err), 0);
        assert_true(err.set);
        assert_null(submissions_report(f->submissions, bad[i], 1));
        assert_int_equal(submissions_good(f->submissions, bad[i], NULL, NULL), 0);
    }
    err.set = false;
    assert_int_equal(submissions_take(f->submissions, "Red", large, sizeof large, false, &err), 0);
    assert_non_null(strstr(err.text, "larger than"));
}

// What else the owner has open is not kept open by those who work: a connection ends when he closes
// it.
static void test_nothing_kept(void **state) {
    struct fixture *f = *state;
    struct err err;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(take(f, "Red", "Makefile", "player:\n\tsleep 3600\n", &err), 1);
    wait_for_log(f);
    close(ends[1]);
    assert_int_equal(poll(&(struct pollfd){.fd = ends[0], .events = POLLIN}, 1, -1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    submissions_work(f->submissions);
    assert_int_equal(f->ended, 0); // it was closed while they worked
    submissions_break_off(f->submissions);
    assert_int_equal(f->ended, 1);
}

static void interrupted(void *owner) { (void)owner; }

static void check_left(const struct fixture *f, const char *team, const char *names) {
    struct buf path = {.data = NULL}, found = {.data = NULL};
    struct dirent **entries = NULL;
    buf_format(&path, "%s/%s", f->home, team);
    const int count = scandir(path.data, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.')
            buf_format(&found, "%s ", entries[i]->d_name);
        free(entries[i]);
    }
    assert_string_equal(found.data, names);
    free(entries);
    buf_done(&path);
    buf_done(&found);
}

static void check_broken_off(const struct fixture *f, const char *name) {
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", f->home, name);
    json_t *kept = json_load_file(path.data, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(kept, "error")), "it was broken off");
    json_decref(kept);
    buf_done(&path);
}

// Whoever takes submissions no more ends what is worked on, at once. What was handed in to him is
// there for whoever comes after him; what lay elsewhere was broken off, and does not count.
static void test_broken_off(void **state) {
    struct fixture *f = *state;
    struct err err = {.set = false};
    char path[300];
    loop_on_interrupt(f->loop, interrupted, f); // his signals are not theirs
    assert_int_equal(take(f, "Red", "Makefile", "player:\n\tsleep 3600\n", &err), 1);
    wait_for_log(f);
    snprintf(path, sizeof path, "%s/none.zip", f->home);
    assert_int_equal(submissions_take_path(f->submissions, "Blue", path, &err), 1);
    submissions_free(f->submissions);
    f->submissions = NULL;
    assert_int_equal(f->ended, 0);
    check_left(f, "Red", "1.archive ");
    check_left(f, "Blue", "1.json 1.log ");
    check_broken_off(f, "Blue/1.json");
}

// What is worked on and what waits ends at once and does not count, and the next one is taken.
static void test_all_broken_off(void **state) {
    struct fixture *f = *state;
    struct err err;
    loop_on_interrupt(f->loop, interrupted, f);
    assert_int_equal(take(f, "Red", "Makefile", "player:\n\tsleep 3600\n", &err), 1);
    assert_int_equal(take(f, "Blue", "player.c", ending, &err), 1);
    wait_for_log(f);
    submissions_break_off(f->submissions);
    assert_int_equal(f->ended, 2);
    assert_string_equal(f->last, "Blue");
    assert_string_equal(json_string_value(json_object_get(f->report, "error")),
                        "it was broken off");
    assert_true(json_is_false(json_object_get(f->report, "counts")));
    assert_int_equal(submissions_busy(f->submissions, "Red"), 0);
    check_left(f, "Red", "1.json 1.log ");
    check_broken_off(f,
                     "Red/1.json"); // had it been waited for, the build would have taken too long
    assert_int_equal(take(f, "Red", "player.c", "no C\n", &err), 2);
}

// Makes a file of the team Red, or with NULL a folder.
static void leave_behind(const struct fixture *f, const char *name, const char *bytes,
                         size_t size) {
    char path[300];
    snprintf(path, sizeof path, "%s/Red%s", f->home, name);
    assert_true(bytes ? path_write(path, bytes, size) : mkdir(path, 0700) == 0);
}

// Whoever took them was killed while the second was worked on, which is not there any more.
static void test_left_behind(void **state) {
    struct fixture *f = *state;
    static const char *const folders[] = {"", "/1", "/2", "/2.work", "/tries", "/tries/4.work"},
                             *const files[] = {"/1.json", "/1.archive", "/good"};
    char path[300];
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        leave_behind(f, folders[i], NULL, 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        leave_behind(f, files[i], "1\n", 2);
    submissions_recover(f->submissions);
    check_left(f, "Red", "1 1.json 2.json good tries ");
    snprintf(path, sizeof path, "%s/Red/tries/4.work", f->home);
    assert_int_not_equal(access(path, F_OK), 0);
    json_t *report = submissions_report(f->submissions, "Red", 2);
    assert_string_equal(json_string_value(json_object_get(report, "error")), "it was broken off");
    assert_string_equal(json_string_value(json_object_get(report, "team")), "Red");
    json_decref(report);
    assert_int_equal(submissions_good(f->submissions, "Red", NULL, NULL), 1);
    assert_int_equal(submissions_last(f->submissions, "Red"), 2);
}

// Whoever took it was killed while it was worked on: it is worked on from its beginning, and is as
// late as it was.
static void check_taken_up(struct fixture *f, const char *archive, bool late) {
    char bytes[ARCHIVE_MAX];
    const size_t size = pack("player.c", ending, bytes);
    leave_behind(f, "", NULL, 0);
    leave_behind(f, "/1", NULL, 0);
    leave_behind(f, "/1/rest", "rest", 4);
    leave_behind(f, "/1.work", NULL, 0);
    leave_behind(f, archive, bytes, size);
    submissions_recover(f->submissions);
    assert_int_equal(submissions_busy(f->submissions, "Red"), 1);
    wait_for(f, 1);
    assert_string_equal(finding(f), "game");
    assert_int_equal(json_is_true(json_object_get(f->report, "late")), late);
    check_left(f, "Red", "1 1.json 1.log 1.messages ");
    struct buf trouble = {.data = NULL};
    assert_true(submissions_put_trouble(f->submissions, "Red", &trouble));
    assert_int_equal(strcmp(trouble.data, "came after the deadline") == 0, late);
    buf_done(&trouble);
}

static void test_taken_up(void **state) { check_taken_up(*state, "/1.archive", false); }

static void test_taken_up_late(void **state) { check_taken_up(*state, "/1.late", true); }

// What nobody has come to the end of is not worked on for ever.
static void test_given_up(void **state) {
    struct fixture *f = *state;
    leave_behind(f, "", NULL, 0);
    leave_behind(f, "/1.archive", "no archive", 10);
    leave_behind(f, "/1.found", "3\n", 2);
    submissions_recover(f->submissions);
    assert_int_equal(submissions_busy(f->submissions, "Red"), 0);
    check_left(f, "Red", "1.json ");
    check_broken_off(f, "Red/1.json");
}

// Two who share the room work on no more than it has, and the second goes on when the first ends.
static void test_shared_room(void **state) {
    struct fixture *f = *state;
    static const struct submissions_events silent = {.log = NULL};
    struct submissions_room room = {.most = 1};
    struct submissions *both[2];
    char homes[2][300], bytes[ARCHIVE_MAX];
    const size_t size = pack("Makefile", "player:\n\tsleep 3600\n", bytes);
    struct err err = {.set = false};
    loop_on_interrupt(f->loop, interrupted, f);
    for (int i = 0; i < 2; i++) {
        struct submissions_options options = f->options;
        snprintf(homes[i], sizeof homes[i], "%s/%d", f->home, i);
        options.home = homes[i];
        options.room = &room;
        both[i] = submissions_new(&options, &silent, NULL, &err);
        assert_int_equal(submissions_take(both[i], "Red", bytes, size, false, &err), 1);
    }
    assert_false(submissions_waits(both[0], "Red"));
    submissions_begin(both[1]);
    assert_true(submissions_waits(both[1], "Red"));
    submissions_break_off(both[0]);
    assert_int_equal(room.taken, 0);
    submissions_begin(both[1]);
    assert_false(submissions_waits(both[1], "Red"));
    assert_int_equal(room.taken, 1);
    submissions_free(both[0]);
    submissions_free(both[1]);
    assert_int_equal(room.taken, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ended_is_ended, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_game_is_played, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_tries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing_kept, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_broken_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_all_broken_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left_behind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_taken_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_taken_up_late, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_given_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_room, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
