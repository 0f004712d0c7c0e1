// SPDX-License-Identifier: MIT
// A way to reach a player: bytes both ways, with times. Knows nothing of games.
// A link is made by one of the constructors below and freed by link_free, also inside its own
// callbacks, or by loop_free. What callbacks hand over is valid until they return.
#pragma once

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loop;

// How a player left.
struct parting {
    bool exited; // its process has ended: by itself with `code`, or by `signal` if not 0
    int code, signal;
    bool closed; // its output or connection was closed, or broke
};

// What the owner hears, always from the loop, never inside a call of the owner's; every time is
// clock_now_us() at the event. A function may be NULL.
struct link_events {
    void (*bytes)(void *owner, const char *bytes, size_t length, int64_t now_us);
    // What link_send had to queue has reached the kernel, all of it.
    void (*sent)(void *owner, int64_t now_us);
    // Once. All bytes came before; of a child whose process lives on, noise may follow.
    void (*gone)(void *owner, const struct parting *how, int64_t now_us);
    void (*noise)(void *owner, const char *bytes, size_t length); // standard error of a child
    // Of a boxed child: a socket that listens on its side of the wall. The owner closes it.
    void (*door)(void *owner, int fd);
};

struct link;
struct box;

// A program to start. The command is for /bin/sh, which a last simple command replaces.
struct program {
    const char *command;
    const char *folder; // where it starts; NULL: here
    int64_t memory; // bytes; of all its processes where the box counts it, else of address space
                    // for each of them; 0: no limit
    bool by_use;    // it is what all of them have in use that is limited, never address space
    const struct box *box; // in which it runs; NULL: none. The rest is for it alone.
    char *const *show;     // what it may read besides the system
    int shows;
    bool frozen; // it will be held
    bool wine;   // it is wine, which reserves far more address space than it uses
    bool solo;   // it has no opponent: it may lock files, and nobody waits for its core
    int port;    // where it connects to on the loopback; 0: nowhere
};

// What its processes have used, where it is known.
struct usage {
    int64_t peak;      // bytes of memory, all together; -1: not known
    bool over;         // it wanted more than it may have, and has lost a process for it
    int64_t frozen_us; // CPU time while it was held; -1: not measured
    int holds;         // how often it was held
    int unconfirmed;   // times that it was held and not seen to stop before it was let go
};

// A thread of its processes, by the kernel's account.
struct thread_time {
    int id;
    int64_t ran_ns, waited_ns; // on a core, and for one: a wait is added when it is over
    bool runnable;             // it is on a core, or waits for one
};

enum { RUN_THREADS_MAX = 128 };

// How its processes came to a core, up to a moment.
struct run_times {
    int64_t at_us;
    int64_t cpu_us;      // of all of them; -1: not known
    int64_t cpu_wait_us; // one wanted a core and none had one, where the kernel counts it; -1: not
    bool hidden;         // one of them hides what its children use
    bool begun;          // its own program has: before that it is still we who start it
    int count;
    struct thread_time thread[RUN_THREADS_MAX]; // those that are there; of many, some
};

// A child process on plain pipes (pipe(2)), in its own process group, its standard error handed to
// `noise`. All processes that come of it end with the link, or with us, even by kill -9.
struct link *link_new_pipe(struct loop *loop, const struct program *program,
                           const struct link_events *events, void *owner, struct err *err);
// A child process that will connect by TCP (or not): no pipes, standard output goes to `noise` too.
struct link *link_new_child(struct loop *loop, const struct program *program,
                            const struct link_events *events, void *owner, struct err *err);

// Tries to hand all bytes to the kernel at once, queues what it refuses, and returns the time of
// the first attempt (when a turn begins). A link that is gone swallows them, and so does one to a
// player that lets more than 1 MB wait: from then on it is sent nothing.
int64_t link_send(struct link *link, const void *bytes, size_t length);
bool link_has_input(const struct link *link); // something has come that was not read yet
void link_hear_noise(struct link *link);      // hands over what standard error holds by now
// Whether its turn has come: it has the core before those whose has not. All have it at first.
void link_favour(struct link *link, bool favoured);
void link_hold(struct link *link); // stops its processes (the freezer, or SIGSTOP)
// To be called a moment after a hold: what its processes use is counted from here. They have to run
// once more to stop, and what that takes is on the account only when they are off their cores.
void link_settle(struct link *link);
void link_release(struct link *link);   // lets them go on
int64_t link_cpu_us(struct link *link); // CPU time of its processes so far; -1 if not known
void link_usage(struct link *link, struct usage *usage);
// Costs some 10 µs a thread.
void link_run_times(struct link *link, struct run_times *times);
int link_pid(const struct link *link); // of the first of them; -1 where there is none
// Ends it: closes the pipes, or our side of the connection; a process that is still there after
// `patience_us` gets SIGKILL, with all that came of it in any case; a connection is closed
// then. Returns at once; the loop does the rest. The owner hears no more.
void link_free(struct link *link, int64_t patience_us);
