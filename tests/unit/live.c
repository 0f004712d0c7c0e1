// SPDX-License-Identifier: MIT
// Who watches what (src/web/live.h): a change for who is up to date, the whole for who is not.
#include "web/live.h"
#include "check.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct topic game, list;
    struct live live;
    int woken, written;
};

static void wake(void *connection) { ++*(int *)connection; }

static void write_whole(void *owner, struct buf *out) {
    struct fixture *f = owner;
    f->written++;
    buf_text(out, "{\"all\":1}");
}

static void set_up(struct fixture *f) {
    *f = (struct fixture){.live = {.wake = wake}};
    topic_init(&f->game, &f->live, "game", write_whole, f);
    topic_init(&f->list, &f->live, "list", write_whole, f);
}

static void tear_down(struct fixture *f) {
    topic_done(&f->game);
    topic_done(&f->list);
}

static void hear(struct watcher *w, const char *words) {
    assert_true(watcher_hear(w, words, strlen(words)));
}

static void expect(struct watcher *w, const char *part) {
    size_t length;
    const char *message = watcher_next(w, &length);
    assert_non_null(message);
    assert_true(length > strlen(part));
    assert_non_null(strstr(message, part));
}

static void expect_nothing(struct watcher *w) {
    size_t length;
    assert_null(watcher_next(w, &length));
}

static void late_ones_get_the_whole(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    expect_nothing(w);
    hear(w, "{\"watch\":[\"game\"]}");
    expect(w, "\"whole\":{\"all\":1}");
    expect_nothing(w);
    watcher_free(w);
    tear_down(&f);
}

static void others_get_each_change(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    hear(w, "{\"watch\":[\"game\"]}");
    expect(w, "whole");
    f.woken = 0;
    topic_publish(&f.game, "{\"ply\":1}");
    assert_int_equal(f.woken, 1);
    expect(w, "\"change\":{\"ply\":1}");
    topic_publish(&f.game, NULL); // a change that cannot be told in short
    expect(w, "whole");
    expect_nothing(w);
    watcher_free(w);
    tear_down(&f);
}

static void who_is_behind_gets_one_message(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    hear(w, "{\"watch\":[\"game\"]}");
    expect(w, "whole");
    for (int i = 0; i < 1000; i++)
        topic_publish(&f.game, "{\"ply\":1}");
    expect(w, "whole");
    expect_nothing(w);
    assert_int_equal(f.written, 2); // and what is shared is written once
    watcher_free(w);
    tear_down(&f);
}

static void what_is_not_wanted_any_more_is_not_sent(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    hear(w, "{\"watch\":[\"game\",\"list\",\"nothing\",7]}");
    expect(w, "\"topic\":\"game\"");
    expect(w, "\"topic\":\"list\"");
    hear(w, "{\"watch\":[\"list\"]}");
    expect_nothing(w); // it has seen that
    topic_publish(&f.game, "{}");
    expect_nothing(w);
    assert_int_equal(f.game.watcher_count, 0);
    watcher_free(w);
    assert_int_equal(f.list.watcher_count, 0);
    tear_down(&f);
}

static void what_is_named_often_is_watched_once(void **unused) {
    (void)unused;
    struct fixture f;
    struct buf words = {.data = NULL};
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    for (int i = 0; i < 500; i++)
        buf_text(&words, i == 0 ? "{\"watch\":[\"list\",\"game\"" : ",\"game\"");
    buf_text(&words, "]}");
    hear(w, words.data);
    buf_done(&words);
    assert_int_equal(f.game.watcher_count, 1);
    assert_int_equal(f.list.watcher_count, 1);
    expect(w, "\"topic\":\"list\"");
    expect(w, "\"topic\":\"game\"");
    expect_nothing(w);
    watcher_free(w);
    assert_null(f.game.watchings);
    tear_down(&f);
}

static void who_stays_has_nothing_written_anew(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken), *late = watcher_new(&f.live, &f.woken);
    for (int i = 0; i < 10; i++)
        hear(w, i % 2 ? "{\"watch\":[\"game\",\"list\"]}" : "{\"watch\":[\"game\"]}");
    expect(w, "\"topic\":\"game\"");
    hear(w, "{\"watch\":[\"game\"]}");
    expect_nothing(w);
    hear(late, "{\"watch\":[\"game\"]}");
    expect(late, "whole");
    assert_int_equal(f.written, 1);
    watcher_free(w);
    watcher_free(late);
    assert_int_equal(f.game.watcher_count, 0);
    tear_down(&f);
}

static void other_messages_are_none(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    static const char *const wrong[] = {"", "x", "[]", "{}", "{\"watch\":1}", "{\"move\":\"1,1\"}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(watcher_hear(w, wrong[i], strlen(wrong[i])));
    watcher_free(w);
    tear_down(&f);
}

static void topics_may_end_first(void **unused) {
    (void)unused;
    struct fixture f;
    set_up(&f);
    struct watcher *w = watcher_new(&f.live, &f.woken);
    hear(w, "{\"watch\":[\"game\",\"list\"]}");
    tear_down(&f);
    expect_nothing(w);
    watcher_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_ones_get_the_whole),
        cmocka_unit_test(others_get_each_change),
        cmocka_unit_test(who_is_behind_gets_one_message),
        cmocka_unit_test(what_is_not_wanted_any_more_is_not_sent),
        cmocka_unit_test(what_is_named_often_is_watched_once),
        cmocka_unit_test(who_stays_has_nothing_written_anew),
        cmocka_unit_test(other_messages_are_none),
        cmocka_unit_test(topics_may_end_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
