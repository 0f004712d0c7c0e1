// SPDX-License-Identifier: MIT
// A watching is one watcher's place in one topic, and lies in the watcher: to watch allocates
// nothing. A topic lists its watchings, a watcher has an array of them; `seen` is the version that
// it was sent last. To publish only counts the version up and wakes those who watch; what they are
// sent is decided when they can take it (watcher_next), from the two messages that the topic keeps
// for all of them together. The whole one is written when somebody needs it, once for each version.
#include "web/live.h"

#include "base/json.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct watcher {
    const struct live *live;
    void *connection;
    struct watching watching[WATCH_MAX];
    int used; // the places up to here may be taken
};

void topic_init(struct topic *topic, struct live *live, const char *name,
                void (*write)(void *owner, struct buf *out), void *owner) {
    *topic = (struct topic){.live = live, .write = write, .owner = owner, .version = 1};
    strncpy(topic->name, name, TOPIC_NAME_MAX - 1);
    assert(strlen(name) < TOPIC_NAME_MAX);
    if (!live)
        return;
    topic->next = live->topics;
    live->topics = topic;
}

static void leave(struct watching *w) {
    struct topic *topic = w->topic;
    if (w->last)
        w->last->next = w->next;
    else
        topic->watchings = w->next;
    if (w->next)
        w->next->last = w->last;
    if (--topic->watcher_count == 0) { // it is written again for whoever comes
        buf_done(&topic->whole);
        topic->whole_version = 0;
    }
    *w = (struct watching){.watcher = w->watcher};
}

void topic_done(struct topic *topic) {
    struct topic **at = topic->live ? &topic->live->topics : NULL;
    while (at && *at != topic)
        at = &(*at)->next;
    if (at)
        *at = topic->next;
    topic->live = NULL;
    while (topic->watchings)
        leave(topic->watchings);
    buf_done(&topic->change);
    buf_done(&topic->whole);
}

// {"topic":NAME,"KIND":...}, behind the free bytes.
static void begin_message(struct buf *out, const struct topic *topic, const char *kind) {
    static const char free_bytes[LIVE_PRE];
    buf_clear(out);
    buf_put(out, free_bytes, sizeof free_bytes);
    buf_format(out, "{\"topic\":\"%s\",\"version\":%llu,\"%s\":", topic->name,
               (unsigned long long)topic->version, kind);
}

void topic_publish(struct topic *topic, const char *change) {
    assert(topic->live);
    topic->version++;
    if (change) {
        begin_message(&topic->change, topic, "change");
        buf_text(&topic->change, change);
        buf_text(&topic->change, "}");
        topic->change_version = topic->version;
    }
    for (const struct watching *w = topic->watchings, *next; w; w = next) {
        next = w->next;
        topic->live->wake(w->watcher->connection);
    }
}

static void write_whole(struct topic *topic) {
    if (topic->whole_version == topic->version)
        return;
    begin_message(&topic->whole, topic, "whole");
    topic->write(topic->owner, &topic->whole);
    buf_text(&topic->whole, "}");
    topic->whole_version = topic->version;
}

struct watcher *watcher_new(const struct live *live, void *connection) {
    struct watcher *watcher = mem_new(1, sizeof *watcher);
    watcher->live = live;
    watcher->connection = connection;
    for (int i = 0; i < WATCH_MAX; i++)
        watcher->watching[i].watcher = watcher;
    return watcher;
}

static void leave_all(struct watcher *watcher) {
    for (int i = 0; i < watcher->used; i++)
        if (watcher->watching[i].topic)
            leave(&watcher->watching[i]);
    watcher->used = 0;
}

void watcher_free(struct watcher *watcher) {
    if (!watcher)
        return;
    leave_all(watcher);
    free(watcher);
}

static void join(struct watching *w, struct topic *topic, uint64_t seen) {
    w->topic = topic;
    w->seen = seen;
    w->last = NULL;
    w->next = topic->watchings;
    if (w->next)
        w->next->last = w;
    topic->watchings = w;
    topic->watcher_count++;
}

// The version of a topic that a watcher has seen.
static uint64_t seen_of(const struct watcher *watcher, const struct topic *topic) {
    for (int i = 0; i < watcher->used; i++)
        if (watcher->watching[i].topic == topic)
            return watcher->watching[i].seen;
    return 0;
}

static bool has_topic(struct topic *const *topics, int count, const struct topic *topic) {
    for (int i = 0; i < count; i++)
        if (topics[i] == topic)
            return true;
    return false;
}

// Whoever stays in a topic is counted twice meanwhile, so that it is not written anew.
static void watch(struct watcher *watcher, const json_t *names) {
    struct topic *topics[WATCH_MAX];
    uint64_t seen[WATCH_MAX];
    int count = 0;
    for (size_t i = 0; i < json_array_size(names) && i < WATCH_MAX; i++) {
        const char *name = json_string_value(json_array_get(names, i));
        struct topic *topic = watcher->live->topics;
        while (topic && (!name || strcmp(topic->name, name) != 0))
            topic = topic->next;
        if (!topic || has_topic(topics, count, topic))
            continue;
        seen[count] = seen_of(watcher, topic);
        topics[count++] = topic;
        topic->watcher_count++;
    }
    leave_all(watcher);
    for (int i = 0; i < count; i++) {
        join(&watcher->watching[i], topics[i], seen[i]);
        topics[i]->watcher_count--;
    }
    watcher->used = count;
    watcher->live->wake(watcher->connection);
}

bool watcher_hear(struct watcher *watcher, const char *bytes, size_t length) {
    json_t *message = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
    const json_t *names = json_object_get(message, "watch");
    const bool good = json_is_array(names);
    if (good)
        watch(watcher, names);
    json_decref(message);
    return good;
}

char *watcher_next(struct watcher *watcher, size_t *length) {
    for (int i = 0; i < watcher->used; i++) {
        struct watching *w = &watcher->watching[i];
        struct topic *topic = w->topic;
        if (!topic || w->seen == topic->version)
            continue;
        struct buf *message = &topic->change;
        if (w->seen + 1 != topic->version || topic->change_version != topic->version) {
            write_whole(topic);
            message = &topic->whole;
        }
        w->seen = topic->version;
        *length = message->length - LIVE_PRE;
        return message->data + LIVE_PRE;
    }
    return NULL;
}
