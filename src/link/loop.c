// SPDX-License-Identifier: MIT
// A timer is four handles of libuv. Its uv_timer costs no system call but knows only milliseconds,
// and is set to wake within the last one; a timerfd, which costs some, waits for the rest. Most
// timers are set again before that. When the time has come, nobody knows yet what has arrived while
// the program was late or busy. So an idle handle keeps the poll of this round from blocking, and a
// check handle is called after that poll has handed everything over. Only then has the time passed,
// if it is still wanted.
#include "link/loop.h"

#include "base/clock.h"
#include "base/mem.h"
#include "link/kind.h"

#include <assert.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/timerfd.h>

struct timer {
    struct loop_member member;
    struct loop *loop;
    void (*passed)(void *owner, int64_t now_us);
    void *owner;
    int64_t at_us;
    uv_timer_t wait;
    struct port
        exact; // the timerfd; without one, when no descriptor is left, we wake up to 1 ms late
    bool armed;
    uv_idle_t hurry;
    uv_check_t check;
    bool freed;
};

static void closed(uv_handle_t *handle) {
    struct loop_member *member = handle->data;
    assert(member->handles > 0);
    if (--member->handles > 0)
        return;
    if (member->release)
        member->release(member);
    else
        free(member);
}

static const char ours; // its address marks members

void member_add(struct loop_member *member, void *handle) {
    member->mark = &ours;
    ((uv_handle_t *)handle)->data = member;
    member->handles++;
}

void member_close(void *handle) { uv_close(handle, closed); }

static void on_wait(uv_timer_t *wait);

static void stop(struct timer *timer) {
    uv_timer_stop(&timer->wait);
    if (timer->armed) // stopping costs a system call
        uv_poll_stop(&timer->exact.poll);
    timer->armed = false;
    uv_idle_stop(&timer->hurry);
    uv_check_stop(&timer->check);
}

// libuv counts whole milliseconds of the same clock. It adds the delay to its idea of now, so that
// it does not matter how old that is.
static void start(struct timer *timer) {
    const int64_t at_ms = timer->at_us / 1000;
    const int64_t now_ms = (int64_t)uv_now(&timer->loop->uv);
    uv_timer_start(&timer->wait, on_wait, at_ms > now_ms ? (uint64_t)(at_ms - now_ms) : 0, 0);
}

static void on_check(uv_check_t *check) {
    struct timer *timer = check->data;
    stop(timer);
    timer->passed(timer->owner, clock_now_us());
}

static void on_hurry(uv_idle_t *hurry) { (void)hurry; }

static void hand_over_first(struct timer *timer) {
    uv_idle_start(&timer->hurry, on_hurry);
    uv_check_start(&timer->check, on_check);
}

static void on_exact(uv_poll_t *poll, int status, int events) {
    (void)status, (void)events;
    struct timer *timer = poll->data;
    uv_poll_stop(poll);
    timer->armed = false;
    hand_over_first(timer);
}

static void on_wait(uv_timer_t *wait) {
    struct timer *timer = wait->data;
    const struct itimerspec at = {
        .it_value = {.tv_sec = timer->at_us / 1000000, .tv_nsec = timer->at_us % 1000000 * 1000}};
    if (clock_now_us() >= timer->at_us)
        hand_over_first(timer);
    else if (timerfd_settime(timer->exact.fd, TFD_TIMER_ABSTIME, &at, NULL) == 0)
        timer->armed = uv_poll_start(&timer->exact.poll, UV_READABLE, on_exact) == 0;
    else
        uv_timer_start(&timer->wait, on_wait, 1, 0);
}

static void timer_end(struct loop_member *member) { timer_free((struct timer *)member); }

struct timer *timer_new(struct loop *loop, void (*passed)(void *owner, int64_t now_us),
                        void *owner) {
    struct timer *timer = mem_new(1, sizeof *timer);
    timer->member = (struct loop_member){.end = timer_end};
    timer->loop = loop;
    timer->passed = passed;
    timer->owner = owner;
    uv_timer_init(&loop->uv, &timer->wait);
    timer->exact.fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (timer->exact.fd >= 0) {
        uv_poll_init(&loop->uv, &timer->exact.poll, timer->exact.fd);
        member_add(&timer->member, &timer->exact.poll);
    }
    uv_idle_init(&loop->uv, &timer->hurry);
    uv_check_init(&loop->uv, &timer->check);
    member_add(&timer->member, &timer->wait);
    member_add(&timer->member, &timer->hurry);
    member_add(&timer->member, &timer->check);
    return timer;
}

void timer_set(struct timer *timer, int64_t at_us) {
    assert(!timer->freed);
    stop(timer);
    timer->at_us = at_us;
    start(timer);
}

void timer_clear(struct timer *timer) { stop(timer); }

void timer_free(struct timer *timer) {
    if (!timer || timer->freed)
        return;
    timer->freed = true;
    member_close(&timer->wait);
    port_close(&timer->exact);
    member_close(&timer->hurry);
    member_close(&timer->check);
}

// The loop's own handles: closed with it, by then there is nothing to release.
static void signals_end(struct loop_member *member) {
    struct loop *loop = (struct loop *)member;
    for (int i = 0; i < 2; i++)
        if (!uv_is_closing((uv_handle_t *)&loop->signals[i]))
            member_close(&loop->signals[i]);
}

static void signals_release(struct loop_member *member) { (void)member; }

static void on_signal(uv_signal_t *handle, int number) {
    (void)number;
    struct loop *loop = handle->data;
    loop->interrupted(loop->owner);
}

static void loop_end(uv_handle_t *handle, void *unused) {
    (void)unused;
    struct loop_member *member = handle->data;
    if (uv_is_closing(handle))
        return;
    if (member && member->mark == &ours)
        member->end(member);
    else
        uv_close(handle, NULL);
}

struct loop *loop_new(struct err *err) {
    struct loop *loop = mem_new(1, sizeof *loop);
    const int error = uv_loop_init(&loop->uv);
    if (error) {
        err_set(err, "cannot make an event loop: %s", uv_strerror(error));
        free(loop);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN); // a player that closes its input must not end us
    loop->member = (struct loop_member){.end = signals_end, .release = signals_release};
    for (int i = 0; i < 2; i++) {
        uv_signal_init(&loop->uv, &loop->signals[i]);
        uv_unref((uv_handle_t *)&loop->signals[i]);
        member_add(&loop->member, &loop->signals[i]);
    }
    return loop;
}

void loop_run(struct loop *loop) { uv_run(&loop->uv, UV_RUN_DEFAULT); }

void loop_turn(struct loop *loop) { uv_run(&loop->uv, UV_RUN_NOWAIT); }

void loop_stop(struct loop *loop) { uv_stop(&loop->uv); }

void loop_on_interrupt(struct loop *loop, void (*interrupted)(void *owner), void *owner) {
    assert(interrupted);
    loop->interrupted = interrupted;
    loop->owner = owner;
    uv_signal_start(&loop->signals[0], on_signal, SIGINT);
    uv_signal_start(&loop->signals[1], on_signal, SIGTERM);
}

void loop_free(struct loop *loop) {
    if (!loop)
        return;
    uv_walk(&loop->uv, loop_end, NULL);
    while (uv_run(&loop->uv, UV_RUN_DEFAULT) != 0)
        ;
    const int busy = uv_loop_close(&loop->uv);
    assert(busy == 0);
    (void)busy;
    free(loop);
}
