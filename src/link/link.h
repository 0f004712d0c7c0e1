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
};

struct link;

// A program to start. The command is for /bin/sh, which a last simple command replaces.
struct program {
    const char *command;
    const char *folder; // where it starts; NULL: here
    int64_t memory;     // bytes of address space for each of its processes; 0: no limit
};

// A child process on plain pipes (pipe(2)), in its own process group, its standard error handed to
// `noise`. All processes that come of it end with the link, or with us, even by kill -9.
struct link *link_new_pipe(struct loop *loop, const struct program *program,
                           const struct link_events *events, void *owner, struct err *err);
// A child process that will connect by TCP (or not): no pipes, standard output goes to `noise` too.
struct link *link_new_child(struct loop *loop, const struct program *program,
                            const struct link_events *events, void *owner, struct err *err);
// One end in this process: what is sent goes to `answer`, which may call link_feed.
struct link *link_new_local(struct loop *loop,
                            void (*answer)(void *context, struct link *link, const char *bytes,
                                           size_t length),
                            void *context, const struct link_events *events, void *owner);
void link_feed(struct link *link, const char *bytes,
               size_t length); // local: as if it had sent this

// Tries to hand all bytes to the kernel at once, queues what it refuses, and returns the time of
// the first attempt (when a turn begins). A link that is gone swallows them, and so does one to a
// player that lets more than 1 MB wait: from then on it is sent nothing.
int64_t link_send(struct link *link, const void *bytes, size_t length);
void link_hold(struct link *link);      // stops its processes (SIGSTOP)
void link_release(struct link *link);   // lets them go on
int64_t link_cpu_us(struct link *link); // CPU time of its processes so far; -1 if not known
int link_pid(const struct link *link);  // of the first of them; -1 where there is none
void link_describe(const struct link *link, char *text, size_t size); // "process 1234: ./player"
// Ends it: closes the pipes, or our side of the connection; a process that is still there after
// `patience_us` gets SIGKILL, with all that came of it in any case; a connection is closed
// then. Returns at once; the loop does the rest. The owner hears no more.
void link_free(struct link *link, int64_t patience_us);
