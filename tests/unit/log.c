// SPDX-License-Identifier: MIT
#include "referee/log.h"

#include "base/clock.h"
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MUCH = 4000 };

// A log in a file, and what it holds in the end with '#' for the times, which stand first in every
// line.
struct kept {
    char path[40];
    struct log *log;
    struct match_config config;
    char *text;
    size_t length;
};

static void begin(struct kept *kept) {
    static const char *const players[2] = {"abp:./a", "tcp:7"};
    struct err err = {.set = false};
    *kept = (struct kept){.path = "/tmp/arbiter-log-XXXXXX"};
    close(mkstemp(kept->path));
    kept->log = log_open(kept->path, &err);
    assert_non_null(kept->log);
    kept->config = (struct match_config){.time_us = 5000000, .number = 3};
    ruleset_init(&kept->config.rules, game_find("tower4"));
    log_begin(kept->log, &kept->config, players);
}

static void read_back(struct kept *kept) {
    FILE *file = fopen(kept->path, "r");
    assert_non_null(file);
    free(kept->text);
    kept->text = NULL;
    size_t room = 0;
    const ssize_t length = getdelim(&kept->text, &room, '\0', file);
    kept->length = length > 0 ? (size_t)length : 0;
    fclose(file);
    for (char *line = kept->text; line < kept->text + kept->length; line = strchr(line, '\n') + 1)
        for (char *c = line; c < line + 11; c++)
            *c = '#';
}

static void end(struct kept *kept, const char *wanted) {
    struct err err = {.set = false};
    assert_true(log_close(kept->log, &err));
    read_back(kept);
    static const char first[] =
        "########### #3 -- game 3 of tower4 begins: X (black) is abp:./a, O "
        "(white) is tcp:7; 5 s a turn; corners=3; pieces=64\n";
    assert_int_equal(strncmp(kept->text, first, strlen(first)), 0);
    if (wanted)
        assert_string_equal(kept->text + strlen(first), wanted);
    free(kept->text);
    unlink(kept->path);
}

// UTF-8 as it is, CP949 as UTF-8, what steers a terminal and what is neither as numbers.
static void test_scripts(void **state) {
    static const char lines[] = "ready 한글 é\nready \xc7\xd1\xb1\xdb\n",
                      odd[] = "\x1b[31m \xc2\x9b \xe2\x80\xae\n\xff\xfe\n";
    (void)state;
    struct kept kept;
    begin(&kept);
    log_bytes(kept.log, 1, &wire_abp, false, lines, sizeof lines - 1);
    log_noise(kept.log, 2, odd, sizeof odd - 1);
    end(&kept, "########### #3 <- X abp:./a ready 한글 é\n"
               "########### #3 <- X abp:./a ready 한글\n"
               "########### #3 !! O tcp:7 \\x1b[31m \\xc2\\x9b \\xe2\\x80\\xae\n"
               "########### #3 !! O tcp:7 \\xff\\xfe\n");
}

static void test_lines(void **state) {
    (void)state;
    struct kept kept;
    begin(&kept);
    log_note(kept.log, "a remark");
    log_bytes(kept.log, 1, &wire_abp, true, "go id=1\nquit\n", 13);
    log_bytes(kept.log, 1, &wire_abp, false, "move \xff\r\n\nhalf", 13);
    log_noise(kept.log, 2, "thinking\n", 9);
    end(&kept, "########### #3 -- a remark\n"
               "########### #3 -> X abp:./a go id=1\n"
               "########### #3 -> X abp:./a quit\n"
               "########### #3 <- X abp:./a move \\xff\\x0d\n"
               "########### #3 <- X abp:./a \n"
               "########### #3 !! O tcp:7 thinking\n"
               "########### #3 <- X abp:./a half\n");
}

static void say(struct kept *kept, const char *bytes) {
    log_bytes(kept->log, 1, &wire_abp, false, bytes, strlen(bytes));
}

// One entry a line, however many writes it came in.
static void test_pieces(void **state) {
    (void)state;
    struct kept kept;
    begin(&kept);
    for (const char *c = "ready \xc7\xd1\r\n\nmove\n"; *c; c++)
        say(&kept, (const char[]){*c, '\0'});
    log_bytes(kept.log, 2, &wire_abp, true, "go\n", 3);
    say(&kept, "mo");
    log_bytes(kept.log, 2, &wire_abp, true, "go\n", 3); // the other's turn is no end of his line
    say(&kept, "ve 1\nmo");
    log_bytes(kept.log, 1, &wire_abp, true, "go\n", 3);
    say(&kept, "\r\nrest");
    log_note(kept.log, "he is gone");
    end(&kept, "########### #3 <- X abp:./a ready 한\\x0d\n"
               "########### #3 <- X abp:./a \n"
               "########### #3 <- X abp:./a move\n"
               "########### #3 -> O tcp:7 go\n"
               "########### #3 -> O tcp:7 go\n"
               "########### #3 <- X abp:./a move 1\n"
               "########### #3 <- X abp:./a mo\n"
               "########### #3 -> X abp:./a go\n"
               "########### #3 <- X abp:./a rest\n"
               "########### #3 -- he is gone\n");
}

// What has no end is logged with the time when it came.
static void test_half_time(void **state) {
    (void)state;
    struct kept kept;
    double half = 0, gone = 0;
    char line[200];
    begin(&kept);
    say(&kept, "half");
    usleep(2000);
    log_note(kept.log, "gone");
    FILE *file = fopen(kept.path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        *(strstr(line, "<-") ? &half : &gone) = strtod(line, NULL);
    fclose(file);
    assert_true(half > 0 && half + 0.001 < gone);
    end(&kept, NULL);
}

// Players as typed may be any bytes, and remarks may quote them, cut anywhere.
static void test_names(void **state) {
    (void)state;
    struct kept kept;
    begin(&kept);
    log_begin(kept.log, &kept.config, (const char *[]){"abp:./\xc7\xd1\n#1", "abp:한\xff"});
    say(&kept, "ready\n");
    log_note(kept.log, "abp:한\xed\x95 has left\nfiles");
    end(&kept,
        "########### #3 -- game 3 of tower4 begins: X (black) is abp:./한\\x0a#1, O (white) is "
        "abp:한\\xff; 5 s a turn; corners=3; pieces=64\n"
        "########### #3 <- X abp:./한\\x0a#1 ready\n"
        "########### #3 -- abp:한?? has left?files\n");
}

static void test_integers(void **state) {
    (void)state;
    struct kept kept;
    begin(&kept);
    log_bytes(kept.log, 2, &wire_stcp, true, "\0\0\0\0\0\0\0\0", 8);
    log_bytes(kept.log, 2, &wire_stcp, false, "\1\0\0\0\xff\xff\xff\xff\0\0\0\x80", 12);
    log_bytes(kept.log, 2, &wire_stcp, false, "\1\0\0\0\2\0", 6);
    end(&kept, "########### #3 -> O tcp:7 the stop: 0 0 \n"
               "########### #3 <- O tcp:7 1 -1 -2147483648 \n"
               "########### #3 <- O tcp:7 1 \\x02\\x00\n");
}

static void test_conditions(void **state) {
    (void)state;
    struct kept kept;
    begin(&kept);
    struct match_config c = {
        .time_us = 0, .grace_us = 1500, .number = 4, .opening = "9,9; 8,8; 7,7"};
    char why[WHY_TEXT_MAX];
    ruleset_init(&c.rules, game_find("connect6"));
    assert_true(ruleset_set(&c.rules, "blocks", "1,1 2,2", why));
    log_begin(kept.log, &c, (const char *[]){"random", "human"});
    end(&kept,
        "########### #4 -- game 4 of connect6 begins: X (black) is random, O (white) is human; "
        "no limit, 1.5 ms of grace; size=19; blocks=1,1 2,2; overline=lose; "
        "blocks_count=both; opening 9,9; 8,8; 7,7\n");
}

// Plays what abp players say, "1 text" or "2 text", and logs how it ends.
static void play(struct kept *kept, const char *set, const char *const *lines) {
    struct wire wire[2];
    struct action action;
    char why[WHY_TEXT_MAX], text[200];
    if (set)
        assert_true(ruleset_set(&kept->config.rules, "pieces", set, why));
    penalties_init(&kept->config.penalties, kept->config.rules.game);
    wire_init(&wire[0], &wire_abp);
    wire_init(&wire[1], &wire_abp);
    struct match *match = match_new(&kept->config, &wire[0], &wire[1]);
    match_start(match, 0);
    match_joined(match, 1, 0);
    match_joined(match, 2, 0);
    for (; *lines; lines++) {
        while (match_next(match, &action))
            if (action.kind == ACTION_SEND)
                match_sent(match, action.player, 0, 0);
        const int length = snprintf(text, sizeof text, "%s\n", *lines + 2);
        match_bytes(match, **lines - '0', text, (size_t)length, 1, -1);
    }
    if (!match_is_over(match))
        match_abort(match, "enough");
    log_end(kept->log, match);
    match_free(match);
    wire_done(&wire[0]);
    wire_done(&wire[1]);
}

static void test_ends(void **state) {
    (void)state;
    static const char *const none[] = {NULL};
    static const char *const drawn[] = {"1 ready", "2 ready", "1 move id=1 9,9", NULL};
    static const char *const refused[] = {"1 refuse no", "2 ready B", NULL};
    static const char *const lost[] = {"2 refuse no", "1 ready A", NULL};
    struct kept kept;
    begin(&kept);
    play(&kept, NULL, none);
    play(&kept, "1", drawn);
    play(&kept, NULL, refused);
    play(&kept, NULL, lost);
    end(&kept,
        "########### #3 -- game 3 has ended after 0 moves: nobody wins, aborted\n"
        "########### #3 -- game 3 has ended after 1 moves: a draw, pieces; X: illegal ('9,9': row "
        "and column are 0..5)\n"
        "########### #3 -- game 3 has ended after 0 moves: O wins, forfeit; X: refused (no)\n"
        "########### #3 -- game 3 has ended after 0 moves: X wins, forfeit; O: refused (no)\n");
}

// Long lines are cut, and many.
static void test_much(void **state) {
    (void)state;
    struct kept kept;
    char bytes[MUCH];
    begin(&kept);
    memset(bytes, 'x', MUCH);
    log_bytes(kept.log, 1, &wire_abp, false, bytes, MUCH);
    log_note(kept.log, "and no more");
    read_back(&kept);
    assert_non_null(strstr(kept.text, "xxx...\n"));
    assert_null(memchr(strstr(kept.text, "xxx") + 2000, 'x', 5));
    memset(bytes, '\n', MUCH);
    log_bytes(kept.log, 1, &wire_abp, false, bytes, MUCH);
    read_back(&kept);
    assert_non_null(strstr(kept.text, "X abp:./a ... and 3800 bytes more\n"));
    end(&kept, NULL);
}

static int count(const char *text, const char *words) {
    int n = 0;
    for (; (text = strstr(text, words)); text++)
        n++;
    return n;
}

// Of standard error the first 64 KiB are kept, of each player and in each game, as they come.
static void test_noise(void **state) {
    (void)state;
    static const char cut[] = "bytes are left out", rest[] = "(the rest of what it wrote:)\n";
    struct kept kept;
    char line[64];
    begin(&kept);
    memset(line, 'x', sizeof line);
    line[63] = '\n';
    for (int i = 0; i < 1024; i++)
        log_noise(kept.log, 1, line, sizeof line);
    read_back(&kept);
    assert_int_equal(count(kept.text, "xxx\n"), 1024); // all 64 KiB
    assert_int_equal(count(kept.text, rest), 0);
    for (int i = 0; i < 5; i++)
        log_noise(kept.log, 1, line, sizeof line);
    log_noise(kept.log, 2, line, sizeof line);
    read_back(&kept);
    assert_int_equal(count(kept.text, "xxx\n"), 1025);
    log_begin(kept.log, &kept.config, (const char *[]){"a", "b"});
    read_back(&kept);
    assert_int_equal(count(kept.text, "xxx\n"), 1030);
    assert_int_equal(count(kept.text, rest), 1);
    log_noise(kept.log, 1, line, sizeof line);
    for (int i = 0; i < 1030; i++)
        log_noise(kept.log, 2, line, sizeof line);
    read_back(&kept);
    assert_int_equal(count(kept.text, "xxx\n"), 1030 + 1 + 1024);
    assert_int_equal(count(kept.text, cut), 0);
    end(&kept, NULL);
}

// Of what is more the last is kept, and says why a player has ended.
static void test_last_noise(void **state) {
    (void)state;
    struct kept kept;
    char line[64];
    begin(&kept);
    for (int i = 0; i < 10000; i++) {
        snprintf(line, sizeof line, "thought %d\n", i);
        log_noise(kept.log, 1, line, strlen(line));
    }
    log_noise(kept.log, 1, "ZeroDivisionError\n", 18);
    log_noise(kept.log, 2, "one word\n", 9);
    log_begin(kept.log, &kept.config, (const char *[]){"a", "b"});
    read_back(&kept);
    const char *first = strstr(kept.text, "X abp:./a thought 0\n"),
               *cut = strstr(kept.text, " bytes are left out; the last of what it wrote:)\n"),
               *late = strstr(kept.text, "thought 9999\n"),
               *why = strstr(kept.text, "!! X abp:./a ZeroDivisionError\n"),
               *next = strstr(kept.text, "X (black) is a,");
    assert_true(first && cut && late && why && next);
    assert_true(first < cut && cut < late && late < why && why < next);
    assert_null(strstr(kept.text, "thought 8000\n"));
    assert_true(kept.length < (64 + 24) * 1024 * 6); // with the beginnings of the lines
    end(&kept, NULL);
}

// Processes that were forked write into it too, whole lines from one zero.
static void test_processes(void **state) {
    (void)state;
    enum { PROCESSES = 4, LINES = 200 };
    struct kept kept;
    const int64_t begin_us = clock_now_us();
    begin(&kept);
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            kept.config.number = 10 + i;
            log_begin(kept.log, &kept.config, (const char *[]){"a", "b"});
            for (int k = 0; k < LINES; k++)
                log_bytes(kept.log, 1, &wire_abp, true, "one line\nand another\n", 21);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    const double took = (double)(clock_now_us() - begin_us) / 1e6 + 0.001; // they are written in ms
    struct err err = {.set = false};
    assert_true(log_close(kept.log, &err));
    FILE *file = fopen(kept.path, "r");
    char line[200];
    int lines[PROCESSES] = {0}, number;
    double at;
    assert_non_null(fgets(line, sizeof line, file));
    while (fgets(line, sizeof line, file)) {
        char words[20];
        if (strstr(line, " -- "))
            continue;
        assert_int_equal(sscanf(line, "%lf #%d -> X a %19[a-z ]", &at, &number, words), 3);
        assert_true(at >= 0 && at < took && number >= 10 && number < 10 + PROCESSES);
        assert_string_equal(words, lines[number - 10]++ % 2 ? "and another" : "one line");
    }
    for (int i = 0; i < PROCESSES; i++)
        assert_int_equal(lines[i], 2 * LINES);
    fclose(file);
    unlink(kept.path);
}

// A disk that is full is noticed, whoever writes.
static void test_full_disk(void **state) {
    (void)state;
    for (int forked = 0; forked < 2; forked++) {
        struct err err = {.set = false};
        struct log *log = log_open("/dev/full", &err);
        assert_non_null(log);
        if (!forked || fork() == 0) {
            log_note(log, "x");
            log_note(log, "y");
            if (forked)
                _exit(0);
        }
        while (wait(NULL) > 0)
            ;
        assert_false(log_close(log, &err));
        assert_string_equal(err.text, "cannot write the log /dev/full: No space left on device; it "
                                      "ends where that began");
    }
}

// One in memory is read whole or cut in its middle, by lines; a player reads its own of it.
static void test_in_memory(void **state) {
    (void)state;
    struct buf all = {.data = NULL}, some = {.data = NULL}, own = {.data = NULL};
    struct err err = {.set = false};
    struct log *log = log_new();
    const struct match_config config = {
        .rules = {.game = game_find("cuptactoe")}, .number = 1, .time_us = 0};
    assert_non_null(log);
    log_begin(log, &config, (const char *const[]){"a", "O secret"});
    for (int i = 0; i < 40; i++) {
        log_noise(log, 1, "mine\n", 5);
        log_noise(log, 2, "-- his X\n", 9);
    }
    log_put(log, 1 << 20, &all);
    log_put(log, 1000, &some);
    assert_true(some.length < 1100 && all.length > 2000);
    assert_non_null(strstr(some.data, "are left out\n"));
    assert_memory_equal(some.data + some.length - 6, all.data + all.length - 6, 6);
    log_put_own(all.data, 1, &own);
    assert_non_null(strstr(own.data, "game 1 of cuptactoe begins"));
    assert_non_null(strstr(own.data, "!! X black mine"));
    assert_null(strstr(own.data, "his X"));
    assert_true(log_close(log, &err));
    buf_done(&all);
    buf_done(&some);
    buf_done(&own);
}

static void test_no_log(void **state) {
    (void)state;
    struct err err = {.set = false};
    assert_null(log_open("/", &err));
    assert_string_equal(err.text, "cannot open the log /: Is a directory");
    log_note(NULL, "x");
    log_begin(NULL, NULL, NULL);
    log_end(NULL, NULL);
    log_bytes(NULL, 1, &wire_abp, true, "x\n", 2);
    log_noise(NULL, 1, "x\n", 2);
    assert_true(log_close(NULL, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),      cmocka_unit_test(test_pieces),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_half_time),
        cmocka_unit_test(test_scripts),    cmocka_unit_test(test_integers),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_much),       cmocka_unit_test(test_noise),
        cmocka_unit_test(test_last_noise), cmocka_unit_test(test_processes),
        cmocka_unit_test(test_full_disk),  cmocka_unit_test(test_no_log),
        cmocka_unit_test(test_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
