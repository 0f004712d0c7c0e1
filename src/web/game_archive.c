// SPDX-License-Identifier: MIT
// A game is kept as two texts: a summary for lists, and its record, which ends with its own sum and
// is held against it whenever it is read. What does not fit is an error and never a game that is
// not there: nobody is to think that a damaged game was never played.
#include "web/game_archive.h"

#include "base/mem.h"
#include "referee/record.h"
#include "store/store.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { ID_LENGTH = 10 };

struct game_archive {
    struct store *store;
};

bool game_archive_is_id(const char *id) {
    const size_t length = strlen(id);
    return length > 0 && length < 24 &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789") == length;
}

struct game_archive *game_archive_open(const char *path, struct err *err) {
    struct game_archive *a = mem_new(1, sizeof *a);
    a->store = store_open(path, err);
    if (a->store)
        return a;
    game_archive_close(a);
    return NULL;
}

void game_archive_close(struct game_archive *a) {
    if (!a)
        return;
    store_close(a->store);
    free(a);
}

// What is kept of a game.
struct volume {
    json_t *record, *study;
    bool damaged;
};

// Records end with their sum. Those of earlier versions have none, or one from before they were
// changed to be shown.
static bool is_damaged(json_t *record) {
    const char *key, *last = "";
    json_t *ignored;
    json_object_foreach(record, key, ignored) last = key;
    return !json_is_object(record) || (strcmp(last, "sum") == 0 && !record_is_whole(record));
}

static void take_volume(void *owner, const char *record, const char *study) {
    struct volume *v = owner;
    v->record = json_loads(record, 0, NULL);
    v->damaged = is_damaged(v->record);
    v->study = *study ? json_loads(study, 0, NULL) : NULL;
}

static struct volume find(const struct game_archive *a, const char *id, struct err *err) {
    struct volume v = {.record = NULL};
    if (game_archive_is_id(id))
        store_kept(a->store, id, take_volume, &v, err);
    if (v.damaged)
        err_set(err, "the record of this game is damaged: it is not as it was written");
    return v;
}

json_t *game_archive_get(const struct game_archive *a, const char *id, struct err *err) {
    struct volume v = find(a, id, err);
    json_decref(v.study);
    if (!err->set)
        return v.record;
    json_decref(v.record);
    return NULL;
}

json_t *game_archive_get_study(const struct game_archive *a, const char *id, struct err *err) {
    struct volume v = find(a, id, err);
    json_decref(v.record);
    return v.study;
}

void game_archive_draw_id(const struct game_archive *a, char *id, size_t size) {
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789"; // none that look alike
    unsigned char bytes[ID_LENGTH];
    struct err unused = {.set = false};
    json_t *known;
    do {
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
            abort();
        for (int i = 0; i < ID_LENGTH && (size_t)i + 1 < size; i++)
            id[i] = letters[bytes[i] % (sizeof letters - 1)];
        id[ID_LENGTH] = '\0';
        known = game_archive_get(a, id, &unused);
        json_decref(known);
    } while (known);
}

static json_t *entry_of(const char *id, const json_t *record) {
    json_t *entry = json_object();
    static const char *const fields[] = {"game",   "players", "names", "winner",
                                         "scores", "reason",  "plies", "at"};
    json_object_set_new(entry, "id", json_string(id));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set(entry, fields[i], json_object_get(record, fields[i]));
    return entry;
}

bool game_archive_put(struct game_archive *a, const char *id, const json_t *record,
                      struct err *err) {
    struct timespec now;
    assert(game_archive_is_id(id));
    clock_gettime(CLOCK_REALTIME, &now);
    json_t *copy = json_copy((json_t *)record);
    json_object_del(copy, "sum"); // it gets one of its own
    json_object_set_new(copy, "at", json_integer((json_int_t)now.tv_sec));
    json_t *entry = entry_of(id, copy);
    char *summary = json_dumps(entry, JSON_LINE), *text = record_line(copy);
    const bool good = store_keep(a->store, id, now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000,
                                 summary, text, err);
    free(summary);
    free(text);
    json_decref(entry);
    json_decref(copy);
    return good;
}

bool game_archive_put_study(struct game_archive *a, const char *id, const json_t *study,
                            struct err *err) {
    char *text = json_dumps(study, JSON_LINE);
    const bool good = store_keep_study(a->store, id, text, err);
    free(text);
    return good;
}

static void game_archive_take_entry(void *owner, const char *summary) {
    json_t *entry = json_loads(summary, 0, NULL);
    json_array_append_new(owner, entry ? entry : json_null());
}

json_t *game_archive_list(const struct game_archive *a, int most, struct err *err) {
    json_t *list = json_array();
    store_kept_newest(a->store, most, game_archive_take_entry, list, err);
    for (size_t i = 0; i < json_array_size(list) && !err->set; i++)
        if (!json_is_object(json_array_get(list, i)))
            err_set(err, "the list of games is damaged: it is not as it was written");
    if (!err->set)
        return list;
    json_decref(list);
    return NULL;
}
