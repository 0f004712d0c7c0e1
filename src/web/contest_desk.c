// SPDX-License-Identifier: MIT
// All of it is one JSON object, {"last": id, "archived", "notices": [..], "protests": [..]}, which
// is changed as a copy and takes the place of the old one once it is on the disk: what is answered
// as done is kept.
#include "web/contest_desk.h"

#include "base/mem.h"
#include "base/plain.h"
#include "web/hosted_contest.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NOTICE_MAX = 2000, PROTEST_MAX = 1000, NOTICES_MAX = 50, PROTESTS_MAX = 500 };

struct contest_desk {
    const struct hosting *hosting;
    char id[GAME_ID_MAX];
    json_t *all;
};

static json_t *list_of(const json_t *all, const char *key) {
    json_t *list = json_object_get(all, key);
    return json_is_array(list) ? list : NULL;
}

struct contest_desk *contest_desk_new(const struct hosting *hosting, const char *id) {
    struct contest_desk *d = mem_new(1, sizeof *d);
    char *text = hosted_contest_read(hosting, id, ".desk");
    d->hosting = hosting;
    snprintf(d->id, sizeof d->id, "%s", id);
    d->all = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    if (!list_of(d->all, "notices") || !list_of(d->all, "protests")) {
        json_decref(d->all);
        d->all =
            json_pack("{s:i, s:b, s:[], s:[]}", "last", 0, "archived", 0, "notices", "protests");
    }
    return d;
}

void contest_desk_free(struct contest_desk *d) {
    if (!d)
        return;
    json_decref(d->all);
    free(d);
}

// Takes what is to be kept from now on.
static bool keep(struct contest_desk *d, json_t *take_all, struct err *err) {
    char *text = json_dumps(take_all, JSON_LINE);
    const bool good = text && hosted_contest_write(d->hosting, d->id, ".desk", text, err);
    free(text);
    json_decref(good ? d->all : take_all);
    if (good)
        d->all = take_all;
    return good;
}

// Puts something new at the beginning of a list, with its number and time.
static bool add(struct contest_desk *d, const char *list, json_t *take_one, struct err *err) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    json_t *all = json_deep_copy(d->all);
    const json_int_t id = json_integer_value(json_object_get(all, "last")) + 1;
    json_object_set_new(take_one, "id", json_integer(id));
    json_object_set_new(take_one, "at_ms",
                        json_integer(now.tv_sec * 1000LL + now.tv_nsec / 1000000));
    json_object_set_new(all, "last", json_integer(id));
    json_array_insert_new(list_of(all, list), 0, take_one);
    return keep(d, all, err);
}

// Where something of a number is in a list; the list's size: nowhere.
static size_t find(const json_t *list, int64_t id) {
    size_t i = 0;
    while (i < json_array_size(list) &&
           json_integer_value(json_object_get(json_array_get(list, i), "id")) != id)
        i++;
    return i;
}

static bool delete_notice(struct contest_desk *d, int64_t id, struct err *err) {
    json_t *all = json_deep_copy(d->all), *list = list_of(all, "notices");
    const size_t at = find(list, id);
    if (at == json_array_size(list)) {
        json_decref(all);
        return err_set(err, "there is no such notice");
    }
    json_array_remove(list, at);
    return keep(d, all, err);
}

bool contest_desk_notice(struct contest_desk *d, const json_t *asked, struct err *err) {
    const char *text = json_string_value(json_object_get(asked, "text"));
    int64_t id;
    if (json_whole(json_object_get(asked, "delete"), 1, INT64_MAX, &id))
        return delete_notice(d, id, err);
    if (!text || plain_is_blank(text) || strlen(text) > NOTICE_MAX)
        return err_set(err, "a notice has a text of at most %d bytes", NOTICE_MAX);
    if (json_array_size(list_of(d->all, "notices")) >= NOTICES_MAX)
        return err_set(err, "there are %d notices, which is all there is room for", NOTICES_MAX);
    return add(d, "notices", json_pack("{s:o}", "text", json_text(text)), err);
}

static bool is_of(const json_t *protest, const char *team) {
    const char *whose = json_string_value(json_object_get(protest, "team"));
    return !team || (whose && strcmp(whose, team) == 0);
}

static bool is_open(const json_t *protest) {
    return !json_is_string(json_object_get(protest, "answer"));
}

bool contest_desk_protest(struct contest_desk *d, const char *team, int64_t game, const char *text,
                          struct err *err) {
    const json_t *list = list_of(d->all, "protests");
    if (!text || plain_is_blank(text) || strlen(text) > PROTEST_MAX)
        return err_set(err, "a protest has a text of at most %d bytes", PROTEST_MAX);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (is_of(one, team) && is_open(one) &&
            json_integer_value(json_object_get(one, "game")) == game)
            return err_set(err, "your protest against this game is not answered yet");
    }
    if (json_array_size(list) >= PROTESTS_MAX)
        return err_set(err, "there are %d protests, which is all there is room for", PROTESTS_MAX);
    return add(d, "protests",
               json_pack("{s:o, s:I, s:o, s:n}", "team", json_text(team), "game", (json_int_t)game,
                         "text", json_text(text), "answer"),
               err);
}

bool contest_desk_answer(struct contest_desk *d, const json_t *asked, struct err *err) {
    const char *answer = json_string_value(json_object_get(asked, "answer"));
    json_t *all = json_deep_copy(d->all), *list = list_of(all, "protests");
    int64_t id = 0;
    json_whole(json_object_get(asked, "id"), 1, INT64_MAX, &id);
    json_t *one = json_array_get(list, find(list, id));
    if (!one)
        err_set(err, "there is no such protest");
    else if (!answer || plain_is_blank(answer) || strlen(answer) > PROTEST_MAX)
        err_set(err, "an answer has a text of at most %d bytes", PROTEST_MAX);
    if (err->set) {
        json_decref(all);
        return false;
    }
    json_object_set_new(one, "answer", json_text(answer));
    return keep(d, all, err);
}

bool contest_desk_archive(struct contest_desk *d, bool archived, struct err *err) {
    json_t *all = json_deep_copy(d->all);
    json_object_set_new(all, "archived", json_boolean(archived));
    return keep(d, all, err);
}

bool contest_desk_is_archived(const struct contest_desk *d) {
    return json_is_true(json_object_get(d->all, "archived"));
}

int contest_desk_open_protests(const struct contest_desk *d) {
    const json_t *list = list_of(d->all, "protests");
    int count = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        count += is_open(json_array_get(list, i));
    return count;
}

json_t *contest_desk_notices(const struct contest_desk *d) {
    return json_incref(list_of(d->all, "notices"));
}

json_t *contest_desk_protests(const struct contest_desk *d, const char *team) {
    json_t *list = json_array();
    const json_t *all = list_of(d->all, "protests");
    for (size_t i = 0; i < json_array_size(all); i++)
        if (is_of(json_array_get(all, i), team))
            json_array_append(list, json_array_get(all, i));
    return list;
}
