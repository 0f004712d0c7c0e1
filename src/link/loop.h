// SPDX-License-Identifier: MIT
// The event loop (libuv): links, one deadline at a time per owner, signals. A timer is freed by
// timer_free, also inside its own callback, or by loop_free.
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct timer;

struct loop *loop_new(struct err *err);
void loop_run(struct loop *loop);  // until loop_stop, or nothing is left to wait for
void loop_turn(struct loop *loop); // once, without waiting
void loop_stop(struct loop *loop); // the callback under way is finished
// Ends and frees what is still there, links, timers and listeners: no child survives it.
void loop_free(struct loop *loop);

// Calls back once at a time of clock_now_us(), or soon after. What had arrived by then is handed
// over before: a late wake-up makes nobody late. Setting it again replaces the time; timer_clear
// forgets it.
struct timer *timer_new(struct loop *loop, void (*passed)(void *owner, int64_t now_us),
                        void *owner);
void timer_set(struct timer *timer, int64_t at_us);
void timer_clear(struct timer *timer);
void timer_free(struct timer *timer);

// Calls back on SIGINT and SIGTERM.
void loop_on_interrupt(struct loop *loop, void (*interrupted)(void *owner), void *owner);
