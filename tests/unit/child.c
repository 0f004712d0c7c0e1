// SPDX-License-Identifier: MIT
// Children that say lines, end in every way, and do not outlive whoever started them.
#include "base/child.h"

#include "base/fds.h"
#include "base/signals.h"
#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINES = 100, LONG = 150000, FLOODERS = 3 };

struct kid {
    struct child *child;
    int (*play)(const struct kid *kid, int out);
    int other; // a descriptor that concerns it
    struct kid *victim;
    int lines, status;
    bool in_order, ended;
};

static int kid_live(void *owner, int out) {
    const struct kid *kid = owner;
    return kid->play(kid, out);
}

static void kid_said(void *owner, const json_t *line) {
    struct kid *kid = owner;
    kid->in_order &= json_integer_value(json_object_get(line, "n")) == kid->lines;
    kid->lines++;
    if (kid->victim && kid->victim->child) {
        child_signal(kid->victim->child, SIGKILL);
        child_free(kid->victim->child);
        kid->victim->child = NULL;
    }
}

static void kid_ended(void *owner, int status) {
    struct kid *kid = owner;
    kid->child = NULL;
    kid->ended = true;
    kid->status = status;
}

static const struct child_task task = {
    .name = "kids", .live = kid_live, .said = kid_said, .ended = kid_ended};

static struct children *begin(struct kid *kids, int count) {
    struct err err = {.set = false};
    struct children *pool = children_new(&task, &err);
    assert_non_null(pool);
    for (int i = 0; i < count; i++) {
        kids[i].in_order = true;
        kids[i].child = child_start(pool, &kids[i]);
        assert_non_null(kids[i].child);
    }
    assert_int_equal(children_count(pool), count);
    return pool;
}

static void hear_once(struct children *pool) {
    struct pollfd fd = {.fd = children_fd(pool), .events = POLLIN};
    poll(&fd, 1, -1);
    children_hear(pool);
}

static void hear_all(struct children *pool) {
    while (children_count(pool) > 0)
        hear_once(pool);
}

static int say_many(const struct kid *kid, int out) {
    (void)kid;
    static char words[LONG + 1];
    memset(words, 'x', LONG);
    fds_write(out, "no JSON\n", 8);
    for (int i = 0; i < LINES; i++)
        if (!child_tell(out, json_pack("{s:i, s:s}", "n", i, "words", i % 25 ? "" : words)))
            return 1;
    fds_write(out, "{\"n\":", 5); // and then nothing
    return 7;
}

static int flood(const struct kid *kid, int out) {
    (void)kid;
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; child_tell(out, json_pack("{s:i}", "n", i)); i++)
        ;
    return 0;
}

static int die(const struct kid *kid, int out) {
    (void)kid;
    child_tell(out, json_pack("{s:i}", "n", 0));
    raise(SIGKILL);
    return 0;
}

// Until it is told to.
static int wait_for_ever(const struct kid *kid, int out) {
    (void)kid, (void)out;
    signals_hold(false);
    while (pause() < 0)
        ;
    return 0;
}

// Whether it has a pipe of another.
static int look(const struct kid *kid, int out) {
    (void)out;
    return fcntl(kid->other, F_GETFD) >= 0;
}

static void test_lines_and_ends(void **unused) {
    (void)unused;
    struct kid kids[] = {{.play = say_many}, {.play = die}, {.play = say_many}};
    struct children *pool = begin(kids, 3);
    hear_all(pool);
    for (int i = 0; i < 3; i++) {
        assert_true(kids[i].ended && kids[i].in_order);
        assert_int_equal(kids[i].lines, i == 1 ? 1 : LINES);
    }
    assert_true(WIFEXITED(kids[0].status) && WEXITSTATUS(kids[0].status) == 7);
    assert_true(WIFSIGNALED(kids[1].status) && WTERMSIG(kids[1].status) == SIGKILL);
    children_free(pool);
}

// Who never stops is heard beside the others, and ended without being heard to the end.
static void test_floods(void **unused) {
    (void)unused;
    struct kid kids[FLOODERS + 1] = {
        [0].play = flood, [1].play = flood, [2].play = flood, [3].play = say_many};
    struct children *pool = begin(kids, FLOODERS + 1);
    while (!kids[FLOODERS].ended)
        hear_once(pool);
    for (int i = 0; i < FLOODERS; i++)
        assert_true(kids[i].lines > 0 && kids[i].in_order && !kids[i].ended);
    children_free(pool);
    assert_false(kids[0].ended);
}

static void test_signals(void **unused) {
    (void)unused;
    struct kid kids[] = {{.play = wait_for_ever}, {.play = wait_for_ever}};
    struct children *pool = begin(kids, 2);
    child_signal(kids[1].child, SIGINT);
    while (!kids[1].ended)
        hear_once(pool);
    assert_int_equal(WTERMSIG(kids[1].status), SIGINT);
    children_signal(pool, SIGTERM);
    hear_all(pool);
    assert_int_equal(WTERMSIG(kids[0].status), SIGTERM);
    children_free(pool);
}

// While one is heard another is freed, which has something to say too.
static void test_freed_meanwhile(void **unused) {
    (void)unused;
    struct kid kids[] = {{.play = flood}, {.play = flood}};
    kids[0].victim = &kids[1];
    kids[1].victim = &kids[0];
    struct children *pool = begin(kids, 2);
    while (kids[0].child && kids[1].child)
        hear_once(pool);
    assert_int_equal(children_count(pool), 1);
    hear_once(pool);
    children_free(pool);
    assert_false(kids[0].ended || kids[1].ended);
}

// Nobody keeps the pipe of another open, nor the descriptor of all.
static void test_closed_pipes(void **unused) {
    (void)unused;
    const int next = dup(STDERR_FILENO); // the number that the pool's descriptor will have
    close(next);
    struct kid kids[] = {{.play = wait_for_ever}, {.play = look, .other = next + 1}};
    struct children *pool = begin(kids, 2);
    assert_int_equal(children_fd(pool), next);
    while (!kids[1].ended)
        hear_once(pool);
    assert_int_equal(WEXITSTATUS(kids[1].status), 0);
    children_free(pool);
}

// A pipe of ours that all have breaks when the last of them has ended.
static void test_parent_dies(void **unused) {
    (void)unused;
    int ends[2];
    char byte;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    const pid_t parent = child_fork(SIGKILL);
    if (parent == 0) {
        struct kid kids[] = {{.play = wait_for_ever}, {.play = wait_for_ever}};
        begin(kids, 2);
        fds_write(ends[1], "x", 1);
        raise(SIGKILL);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    assert_int_equal(WTERMSIG(child_wait(parent)), SIGKILL);
    close(ends[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_and_ends), cmocka_unit_test(test_floods),
        cmocka_unit_test(test_signals),        cmocka_unit_test(test_freed_meanwhile),
        cmocka_unit_test(test_closed_pipes),   cmocka_unit_test(test_parent_dies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
