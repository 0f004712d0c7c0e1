// SPDX-License-Identifier: MIT
// What the files of this folder share. Everything that lives on the loop (a link, a timer, a
// listener) begins with a member: it counts its libuv handles, and its memory goes when libuv has
// closed the last of them. So it may be ended at any time, also inside its own callbacks.
#pragma once

#include "base/buf.h"
#include "link/link.h"

#include <uv.h>

enum {
    LOOP_BYTES = 1 << 16,     // read at once: all that a pipe holds, unless its writer enlarged it
    LINK_QUEUE_MAX = 1 << 20, // what may wait for a player that does not read
};

struct loop_member {
    const void *mark; // of ours: a library's handles have something else there
    void (*end)(struct loop_member *member);     // loop_free: end it now; may be called again
    void (*release)(struct loop_member *member); // frees the memory; NULL: by free()
    int handles;                                 // not yet closed
};

struct loop {
    struct loop_member member; // of its own handles
    uv_loop_t uv;
    uv_signal_t signals[2]; // SIGINT and SIGTERM
    void (*interrupted)(void *owner);
    void *owner;
    char bytes[LOOP_BYTES]; // what was read last, for all links: handed over and forgotten
};

// A file descriptor that the loop watches; -1 when there is none, or it is closed.
struct port {
    uv_poll_t poll;
    int fd;
};

// What differs between the kinds of links.
struct kind {
    void (*send)(struct link *link, const char *bytes, size_t length);
    void (*ended)(struct link *link);    // the input, if it has one, is at its end, or broke
    void (*deafened)(struct link *link); // nobody reads what is sent; NULL: the input shows that
    void (*leave)(struct link *link); // freed: closes its side, and calls link_end once it is alone
    void (*end)(struct link *link);   // at once; calls link_close
    void (*release)(struct link *link); // frees what it added to struct link; NULL: nothing
    void (*favour)(struct link *link, bool favoured);      // NULL: it has no processes
    void (*hold)(struct link *link, bool held);            // all its processes; NULL: it has none
    void (*settle)(struct link *link);                     // NULL: there is nothing to do
    void (*usage)(struct link *link, struct usage *usage); // NULL: not known
    int (*first)(const struct link *link); // of its processes; NULL: that which we started
    int64_t (*cpu_us)(struct link *link);  // which they have used; NULL: it has none
    void (*run_times)(struct link *link, struct run_times *times); // NULL: it has none
};

// The common beginning of every kind.
struct link {
    struct loop_member member;
    const struct kind *kind;
    struct loop *loop;
    struct link_events events;
    void *owner;
    struct port in, out, noise;
    struct port *to;  // where what is sent goes: out, or in where one connection serves both
    struct buf queue; // what the kernel did not take yet
    uv_timer_t timer; // for the kind while it is used, then for patience
    uv_timer_t rest;  // from reading what it writes to standard error
    int pid;          // also that of its group; -1: no process, or nothing is left of it
    bool deaf;        // it does not read any more, or too much had to wait: nothing is sent
    bool gone, freed;
};

void member_add(struct loop_member *member, void *handle);
void member_close(void *handle); // once per handle

void link_init(struct link *link, const struct kind *kind, struct loop *loop,
               const struct link_events *events, void *owner);
void link_close(struct link *link); // all that link_init and link_open made
// Makes the loop watch a descriptor, which the port owns from then on; 0, or an error of libuv.
int link_open(struct link *link, struct port *port, int fd);
void port_close(struct port *port);
void link_listen(struct link *link); // to in and noise, as far as they are open
// Hands over what a port holds by now, but not what comes meanwhile; true at its end.
bool link_drain(struct link *link, struct port *port);
void link_leave(struct link *link, const struct parting *how); // tells the owner, once
void stream_send(struct link *link, const char *bytes, size_t length);
