// SPDX-License-Identifier: MIT
// An owner of a link for tests: it notes all it hears, and stops the loop when what a test waits
// for has happened. Tests wait for events, never for time.
#pragma once

#include "base/buf.h"
#include "base/err.h"
#include "check.h"
#include "link/link.h"
#include "link/loop.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EAR_KEEPS = 4 << 20 };

struct ear {
    struct loop *loop;
    struct link *link;
    struct buf bytes, noise; // as far as kept
    size_t heard;            // bytes in all
    struct parting how;
    int gone, sent;
    int64_t at_us;
    size_t bytes_wanted, noise_wanted; // what is waited for
    bool gone_wanted, sent_wanted, waits;
    bool free_at_bytes, free_at_gone; // frees the link inside its callback
    int64_t patience_us;
};

static inline bool ear_is_content(const struct ear *ear) {
    return ear->heard >= ear->bytes_wanted && ear->noise.length >= ear->noise_wanted &&
           (ear->gone || !ear->gone_wanted) && (ear->sent || !ear->sent_wanted);
}

static inline void ear_stop(struct ear *ear) {
    if (ear->waits && ear_is_content(ear))
        loop_stop(ear->loop);
}

static inline void ear_free_link(struct ear *ear) {
    link_free(ear->link, ear->patience_us);
    ear->link = NULL;
}

static inline void ear_bytes(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct ear *ear = owner;
    assert_false(ear->gone);
    assert_non_null(ear->link);
    assert_true(now_us >= ear->at_us);
    ear->at_us = now_us;
    ear->heard += length;
    if (ear->bytes.length < EAR_KEEPS)
        buf_put(&ear->bytes, bytes, length);
    if (ear->free_at_bytes)
        ear_free_link(ear);
    ear_stop(ear);
}

static inline void ear_sent(void *owner, int64_t now_us) {
    struct ear *ear = owner;
    (void)now_us;
    assert_non_null(ear->link);
    ear->sent++;
    ear_stop(ear);
}

static inline void ear_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct ear *ear = owner;
    assert_non_null(ear->link);
    assert_true(now_us >= ear->at_us);
    ear->how = *how;
    assert_int_equal(++ear->gone, 1);
    if (ear->free_at_gone)
        ear_free_link(ear);
    ear_stop(ear);
}

static inline void ear_noise(void *owner, const char *bytes, size_t length) {
    struct ear *ear = owner;
    assert_non_null(ear->link);
    if (ear->noise.length < EAR_KEEPS)
        buf_put(&ear->noise, bytes, length);
    ear_stop(ear);
}

static const struct link_events ear_events = {
    .bytes = ear_bytes, .sent = ear_sent, .gone = ear_gone, .noise = ear_noise};

// Runs the loop until what the ear wants has happened.
static inline void ear_wait(struct ear *ear) {
    ear->waits = true;
    if (!ear_is_content(ear))
        loop_run(ear->loop);
    ear->waits = false;
    assert_true(ear_is_content(ear));
}

static inline void ear_wait_bytes(struct ear *ear, const char *expected) {
    ear->bytes_wanted = strlen(expected);
    ear_wait(ear);
    assert_string_equal(ear->bytes.data, expected);
}

static inline void ear_wait_gone(struct ear *ear) {
    ear->gone_wanted = true;
    ear_wait(ear);
}

static inline struct loop *ear_loop(void) {
    struct err err = {.set = false};
    struct loop *loop = loop_new(&err);
    assert_non_null(loop);
    return loop;
}

// Sleeps until a process that is not our child is dead; it may be a zombie then.
static inline void wait_for_death(pid_t pid) {
    struct pollfd process = {.fd = pidfd_open(pid, 0), .events = POLLIN};
    if (process.fd < 0)
        return;
    assert_int_equal(poll(&process, 1, -1), 1);
    close(process.fd);
}

static inline bool is_there(pid_t pid) { return kill(pid, 0) == 0 || errno != ESRCH; }

// A child on pipes in a loop of its own, and its ear.
static inline void ear_start(struct ear *ear, const char *command) {
    struct err err = {.set = false};
    *ear = (struct ear){.loop = ear_loop()};
    ear->link =
        link_new_pipe(ear->loop, &(struct program){.command = command}, &ear_events, ear, &err);
    assert_string_equal(err.text, "");
    assert_non_null(ear->link);
}

static inline void ear_done(struct ear *ear) {
    loop_free(ear->loop);
    buf_done(&ear->bytes);
    buf_done(&ear->noise);
}

// The first line a child says is the number of its own child.
static inline pid_t wait_for_grandchild(struct ear *ear) {
    while (!ear->bytes.data || !strchr(ear->bytes.data, '\n')) {
        ear->bytes_wanted = ear->heard + 1;
        ear_wait(ear);
    }
    return (pid_t)atol(ear->bytes.data);
}
