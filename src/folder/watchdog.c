// SPDX-License-Identifier: MIT
// A timer of the process's CPU time, so that rules that wait for the machine are not blamed. It is
// not inherited by children, which set it anew.
#include "folder/watchdog.h"

#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

enum { WATCHED_MAX = 64, TICK_US = 250000, TICKS_MAX = 8 }; // 2 s

static struct native *watched[WATCHED_MAX];
static volatile int count;

static void look(int number) {
    (void)number;
    for (int i = 0; i < count; i++)
        for (struct native_thread *t = atomic_load(&watched[i]->threads); t; t = t->next) {
            const char *within = t->within;
            const uint64_t calls = t->calls;
            t->ticks = within && calls == t->calls_before ? t->ticks + 1 : 0;
            t->calls_before = calls;
            if (t->ticks > TICKS_MAX)
                watched[i]->host->failed(within, "it does not come to an end");
        }
}

static void set_timer(void) {
    const struct itimerval every = {{0, TICK_US}, {0, TICK_US}};
    setitimer(ITIMER_PROF, &every, NULL);
}

void watchdog_watch(struct native *native) {
    if (count == 0) {
        const struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
        sigaction(SIGPROF, &action, NULL);
        pthread_atfork(NULL, NULL, set_timer);
        set_timer();
    }
    if (count < WATCHED_MAX)
        watched[count++] = native;
}
