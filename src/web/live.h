// SPDX-License-Identifier: MIT
// Who watches what. A topic has a version and two messages: all of it as it stands, and what
// changed last. A watcher who saw the version before gets the change, any other all of it: so a
// slow reader gets the latest state, and nothing is ever queued for anybody.
// A topic is its owner's memory; watchers are made and freed here.
#pragma once

#include "base/buf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    LIVE_PRE = 32,  // bytes left free before every message, for whoever frames it
    WATCH_MAX = 64, // topics that one watcher may name
    TOPIC_NAME_MAX = 48,
};

struct topic;
struct watcher;

// A watcher's place in a topic.
struct watching {
    struct topic *topic; // NULL: free
    struct watcher *watcher;
    uint64_t seen;                // version last sent; 0: none
    struct watching *next, *last; // of the topic
};

struct topic {
    char name[TOPIC_NAME_MAX];
    struct live *live;                           // NULL: nobody can watch it
    struct topic *next;                          // of the live's
    void (*write)(void *owner, struct buf *out); // all of it as it stands, a JSON object
    void *owner;
    uint64_t version;
    struct buf change, whole; // messages with LIVE_PRE bytes before them
    uint64_t change_version;  // that the change leads to
    uint64_t whole_version;   // that the whole message shows
    struct watching *watchings;
    int watcher_count;
};

// All that can be watched. Zeroed by its owner but for the first.
struct live {
    void (*wake)(void *connection); // something is there to be sent
    struct topic *topics;           // from topic_init to topic_done
};

// No two topics have the same name.
void topic_init(struct topic *topic, struct live *live, const char *name,
                void (*write)(void *owner, struct buf *out), void *owner);
void topic_done(struct topic *topic); // also of a zeroed one
// Something changed: `change` is a JSON object, or NULL if all of it must be sent.
void topic_publish(struct topic *topic, const char *change);

struct watcher *watcher_new(const struct live *live, void *connection);
void watcher_free(struct watcher *watcher);
// What a watcher sent: {"watch": ["game/1", ...]}, all it wants from now on. False: it is no such
// message.
bool watcher_hear(struct watcher *watcher, const char *bytes, size_t length);
// The next message for it, NULL if it is up to date. Points behind LIVE_PRE bytes that may be
// written to; valid until the topic changes.
char *watcher_next(struct watcher *watcher, size_t *length);
