// SPDX-License-Identifier: MIT
// A game is kept as two texts: a summary for lists, and its record, which ends with its own sum and
// is held against it whenever it is read. What does not fit is an error and never a game that is
// not there: nobody is to think that a damaged game was never played. The summary has the last
// position, so that a list can show it without the record.
//
// A search goes through the summaries, newest first, until it has found a page of them or has
// looked at SCAN_MOST: nobody keeps the server busy by looking for what is not there.
#include "web/game_archive.h"

#include "base/mem.h"
#include "base/whole.h"
#include "referee/record.h"
#include "store/store.h"
#include "web/shown_game.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

enum { ID_LENGTH = 10, FOUND_MOST = 50, SCAN_MOST = 2000 };

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
    static const char letters[] = "abcdefhjkmnpqrstuvwxyz23456789"; // none that look alike
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

// The last position, and the moves of the last turn.
static void add_picture(json_t *entry, const json_t *record) {
    const json_t *moves = json_object_get(record, "moves");
    const size_t count = json_array_size(moves);
    union game_state state;
    char text[STATE_TEXT_MAX];
    int last = 0;
    const struct game *game = shown_game_last(record, &state, &last);
    if (!game)
        return;
    game->write_state(&state, text);
    json_t *turn = json_array();
    for (size_t i = count - (size_t)last; i < count; i++)
        json_array_append(turn, json_array_get(moves, i));
    json_object_set_new(entry, "position", json_text(text));
    json_object_set_new(entry, "last", turn);
}

static json_t *entry_of(const char *id, const json_t *record) {
    json_t *entry = json_object();
    static const char *const fields[] = {"game",   "players", "names", "winner",
                                         "scores", "reason",  "plies", "at"};
    json_object_set_new(entry, "id", json_string(id));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set(entry, fields[i], json_object_get(record, fields[i]));
    json_t *verdict = json_object_get(json_object_get(record, "verdict"), "word");
    if (verdict)
        json_object_set(entry, "verdict", verdict);
    add_picture(entry, record);
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

// What a search has come to.
struct game_found {
    const struct game_search *search;
    json_t *games;
    int seen;
    int64_t at_us; // where it stands
    char id[GAME_ID_MAX];
    bool damaged;
};

static bool is_wanted(const char *wanted) { return wanted && *wanted; }

static bool is_text(const json_t *value, const char *text) {
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

// A player goes by his name, or by what he is.
static const char *name_of(const json_t *entry, size_t seat) {
    const char *name = shown_game_text(entry, "names", seat);
    const char *player = shown_game_text(entry, "players", seat);
    return name && *name ? name : player ? player : "";
}

static bool is_of_contest(const json_t *entry, const char *contest) {
    const char *id = json_string_value(json_object_get(entry, "id"));
    const size_t length = strlen(contest);
    return id && strncmp(id, contest, length) == 0 && id[length] == 'g' &&
           strspn(id + length + 1, "0123456789") == strlen(id + length + 1) && id[length + 1];
}

// The seat of the player that is looked for: 1, 2, 3 for both, 0 for neither.
static int seats_of(const json_t *entry, const struct game_search *s) {
    int seats = 0;
    for (size_t i = 0; i < 2; i++) {
        const char *name = name_of(entry, i);
        if ((!is_wanted(s->player) || strcmp(name, s->player) == 0) &&
            (!is_wanted(s->against) || strcmp(name_of(entry, 1 - i), s->against) == 0) &&
            (!is_wanted(s->part) || strcasestr(name, s->part)))
            seats |= 1 << i;
    }
    return seats;
}

static bool fits_result(const json_t *entry, const char *result, int seats) {
    const json_t *winner = json_object_get(entry, "winner");
    const int won = json_is_integer(winner) ? json_int(winner, 0) : -1;
    if (json_is_true(json_object_get(entry, "annulled")))
        return strcmp(result, "annulled") == 0;
    return strcmp(result, "black") == 0     ? won == 1
           : strcmp(result, "white") == 0   ? won == 2
           : strcmp(result, "draw") == 0    ? won == 0
           : strcmp(result, "forfeit") == 0 ? is_text(json_object_get(entry, "reason"), "forfeit")
           : strcmp(result, "won") == 0     ? won > 0 && (seats & won)
           : strcmp(result, "lost") == 0    ? won > 0 && (seats & (3 - won))
                                            : false;
}

static bool fits(const json_t *entry, const struct game_search *s) {
    const int seats = seats_of(entry, s);
    return seats && (!is_wanted(s->game) || is_text(json_object_get(entry, "game"), s->game)) &&
           (!is_wanted(s->contest) || is_of_contest(entry, s->contest)) &&
           (!is_wanted(s->result) || fits_result(entry, s->result, seats));
}

static void take_found(void *owner, const char *id, int64_t at_us, const char *summary) {
    struct game_found *f = owner;
    if (json_array_size(f->games) >= FOUND_MOST)
        return;
    json_t *entry = json_loads(summary, 0, NULL);
    f->seen++;
    f->at_us = at_us;
    snprintf(f->id, sizeof f->id, "%.*s", GAME_ID_MAX - 1, id);
    f->damaged |= !json_is_object(entry);
    if (f->search->is_annulled && f->search->is_annulled(f->search->contests, id))
        json_object_set_new(entry, "annulled", json_true());
    if (fits(entry, f->search))
        json_array_append(f->games, entry);
    json_decref(entry);
}

// "TIME.ID"; false: it is none.
static bool read_after(const char *after, struct game_found *f) {
    char time[24];
    const size_t length = strcspn(after, ".");
    f->at_us = INT64_MAX;
    if (!*after)
        return true;
    if (length >= sizeof time || !after[length] || !game_archive_is_id(after + length + 1))
        return false;
    snprintf(time, sizeof time, "%.*s", (int)length, after);
    snprintf(f->id, sizeof f->id, "%.*s", GAME_ID_MAX - 1, after + length + 1);
    return text_whole(time, 0, INT64_MAX, &f->at_us);
}

json_t *game_archive_search(const struct game_archive *a, const struct game_search *search,
                            struct err *err) {
    struct game_found f = {.search = search, .games = json_array()};
    char after[64] = "", from[GAME_ID_MAX];
    if (!read_after(search->after ? search->after : "", &f))
        err_set(err, "a search cannot go on from there");
    snprintf(from, sizeof from, "%s", f.id);
    if (!err->set)
        store_kept_after(a->store, &(struct kept_place){f.at_us, from, SCAN_MOST}, take_found, &f,
                         err);
    if (f.damaged)
        err_set(err, "the list of games is damaged: it is not as it was written");
    if (json_array_size(f.games) >= FOUND_MOST || f.seen >= SCAN_MOST)
        snprintf(after, sizeof after, "%lld.%s", (long long)f.at_us, f.id);
    json_t *result = json_pack("{s:o, s:s}", "games", f.games, "after", after);
    if (!err->set)
        return result;
    json_decref(result);
    return NULL;
}
