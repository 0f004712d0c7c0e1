// SPDX-License-Identifier: MIT
#include "web/arenas.h"

#include "base/mem.h"
#include "web/entry.h"
#include "web/intake.h"
#include "web/show.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ARENAS_MAX = LASTING_CONTESTS, ENDS_MAX = 32 };

// So long a demo that is over is shown before it is played anew.
static const int64_t rest_us = INT64_C(20000000);

struct arenas {
    struct arena_hall hall;
    struct arena *first; // the newest
    int count;
    bool demo;                        // the demos are to be played as long as there is no other
    int64_t idle_us[ENTRY_DEMOS_MAX]; // since when a demo rests; INT64_MAX: it is played
};

// Reads a file, to be freed by the caller; NULL if it cannot be read.
static char *read_text(const char *path) {
    FILE *file = fopen(path, "r");
    struct buf text = {.data = NULL};
    char piece[4096];
    if (!file)
        return NULL;
    for (size_t n; (n = fread(piece, 1, sizeof piece, file)) > 0;)
        buf_put(&text, piece, n);
    fclose(file);
    return text.data;
}

static struct arena *add(struct arenas *arenas, const char *id, const char *text, struct err *err) {
    struct arena *arena = arena_new(&arenas->hall, id, text, err);
    if (!arena)
        return NULL;
    arena->next = arenas->first;
    arenas->first = arena;
    arenas->count++;
    return arena;
}

// Nothing of it has been played as long as its teams hand in.
static bool is_open(const struct arena *arena) {
    return arena->intake && intake_is_open(arena->intake);
}

static void read_arena(struct arenas *arenas, const char *name) {
    char path[ARENA_PATH_MAX], id[32];
    const char *tail = strstr(name, ".conf");
    struct err err = {.set = false};
    if (!tail || tail[5] || tail - name >= ROOM_ID_MAX)
        return;
    snprintf(id, sizeof id, "%.*s", (int)(tail - name), name);
    arena_path(&arenas->hall, id, ".conf", path);
    char *text = shelf_is_id(id) ? read_text(path) : NULL;
    if (text && add(arenas, id, text, &err))
        arenas->first->unknown = !is_open(arenas->first);
    else if (text)
        arenas->hall.note(arenas->hall.owner, err.text);
    free(text);
}

// A contest file of the folder, and when it was written.
struct kept_file {
    char name[64];
    time_t at;
};

static int by_time(const void *a, const void *b) {
    const struct kept_file *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : strcmp(x->name, y->name);
}

// The newest of the folder, so that the newest of all comes first.
static void read_arenas(struct arenas *arenas) {
    struct buf list = {.data = NULL};
    DIR *dir = opendir(arenas->hall.folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        struct kept_file file = {.at = 0};
        struct stat info;
        if (strlen(e->d_name) >= sizeof file.name || !strstr(e->d_name, ".conf") ||
            fstatat(dirfd(dir), e->d_name, &info, 0) != 0)
            continue;
        strcpy(file.name, e->d_name);
        file.at = info.st_mtime;
        buf_put(&list, &file, sizeof file);
    }
    if (dir)
        closedir(dir);
    struct kept_file *files = (void *)list.data;
    const size_t count = list.length / sizeof *files;
    if (count > 0)
        qsort(files, count, sizeof *files, by_time);
    for (size_t i = count > ARENAS_MAX ? count - ARENAS_MAX : 0; i < count; i++)
        read_arena(arenas, files[i].name);
    buf_done(&list);
}

// Those that were going on when the server fell are to go on; all others rest until they are told
// to.
static void resume(struct arenas *arenas, bool again) {
    struct lasting *lasting = arenas->hall.lasting;
    for (struct arena *arena = arenas->first; arena; arena = arena->next) {
        const struct lasting_contest *was = again ? lasting_find(lasting, arena->id) : NULL;
        arena->resume = was != NULL;
        arena->done = was ? was->done : 0;
        arena->expected = was ? was->expected : 0;
    }
    memset(lasting->going, 0, sizeof lasting->going);
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        if (arena->resume) // it may fall again before they do
            arena_remember(arena);
}

struct arenas *arenas_new(const char *folder, const struct arena_hall *hall, bool again,
                          struct err *err) {
    struct arenas *arenas = mem_new(1, sizeof *arenas);
    arenas->hall = *hall;
    arenas->hall.box = mem_new(1, sizeof *arenas->hall.box);
    snprintf(arenas->hall.folder, sizeof arenas->hall.folder, "%s", folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
        arenas_free(arenas);
        return NULL;
    }
    read_arenas(arenas);
    resume(arenas, again);
    return arenas;
}

void arenas_free(struct arenas *arenas) {
    while (arenas && arenas->first) {
        struct arena *arena = arenas->first;
        arenas->first = arena->next;
        arena_free(arena);
    }
    if (arenas) {
        box_done(arenas->hall.box);
        free(arenas->hall.box);
    }
    free(arenas);
}

static struct arena *find(const struct arenas *arenas, const char *id) {
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        if (strcmp(arena->id, id) == 0)
            return arena;
    return NULL;
}

static bool keep_text(const struct arenas *arenas, const char *id, const char *text,
                      struct err *err) {
    char path[ARENA_PATH_MAX];
    arena_path(&arenas->hall, id, ".conf", path);
    FILE *file = fopen(path, "wx");
    const bool good = file && fputs(text, file) >= 0;
    return (file && fclose(file) == 0 && good) ||
           err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

static void remove_arena(struct arenas *arenas, struct arena *arena) {
    struct arena **at = &arenas->first;
    while (*at != arena)
        at = &(*at)->next;
    *at = arena->next;
    arenas->count--;
    arena_free(arena);
}

// The oldest that is over gives way to a new one; its files stay.
static bool make_room(struct arenas *arenas, struct err *err) {
    struct arena *oldest = NULL;
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        if (arena->state == ARENA_OVER && !arena->child && !arena->bridges &&
            (!arena->intake || intake_rests(arena->intake)))
            oldest = arena;
    if (arenas->count < ARENAS_MAX)
        return true;
    if (!oldest)
        return err_set(err, "%d contests are not over, which is all there is room for", ARENAS_MAX);
    remove_arena(arenas, oldest);
    return true;
}

bool arenas_make(struct arenas *arenas, const json_t *form, char id[static ROOM_ID_MAX],
                 struct err *err) {
    const char *given = json_string_value(json_object_get(form, "text"));
    struct buf text = {.data = NULL};
    if (given)
        buf_text(&text, given);
    else
        entry_write(&text, form, arenas->hall.house, err);
    if (!err->set && make_room(arenas, err)) {
        shelf_draw_id(arenas->hall.shelf, id, ROOM_ID_MAX);
        if (add(arenas, id, text.data, err))
            keep_text(arenas, id, text.data, err);
    }
    buf_done(&text);
    return !err->set;
}

bool arenas_spare(const struct arenas *arenas, int32_t team, const struct arena *other,
                  struct err *err) {
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        if (arena != other && arena_needs(arena, team))
            return err_set(err, "team %d plays in the contest %.100s", team, arena->name);
    return true;
}

bool arenas_expect(const struct arenas *arenas, int32_t team) {
    for (const struct arena *arena = arenas ? arenas->first : NULL; arena; arena = arena->next)
        if (arena->state != ARENA_OVER && arena_has_team(arena, team))
            return true;
    return false;
}

// Whether the teams that come by themselves are free for a contest.
static bool has_teams(const struct arenas *arenas, const struct arena *arena, struct err *err) {
    const struct lobby *lobby = arenas->hall.house->lobby;
    for (int i = 0; i < arena->team_count && !err->set; i++) {
        const int32_t team = arena->teams[i];
        if (arenas_spare(arenas, team, arena, err) && lobby && lobby_has_seated(lobby, team) &&
            !bridges_have(arena->bridges, team))
            err_set(err, "team %d is seated in a game of practice", team);
    }
    return !err->set;
}

static bool start_idle(struct arena *arena, struct err *err) {
    return arena_is_playing(arena) ? err_set(err, "the contest is running")
                                   : arena_start(arena, err);
}

static const struct arena_order {
    const char *name;
    bool (*give)(struct arena *arena, struct err *err);
    bool plays; // it needs its teams
} orders[] = {
    {"start", start_idle, true}, {"pause", arena_pause, false}, {"continue", arena_continue, true}};

bool arenas_order(struct arenas *arenas, const char *id, const char *order, struct err *err) {
    struct arena *arena = find(arenas, id);
    if (!arena)
        return err_set(err, "there is no such contest");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(order, orders[i].name) == 0)
            return (!orders[i].plays || has_teams(arenas, arena, err)) &&
                   orders[i].give(arena, err);
    return err_set(err, "a contest knows start, pause, continue");
}

// The demos.

static bool is_demo(const struct arena *arena) {
    const char *id;
    for (int i = 0; (id = entry_demo_id(i)); i++)
        if (strcmp(arena->id, id) == 0)
            return true;
    return false;
}

static bool has_demos_alone(const struct arenas *arenas) {
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        if (!is_demo(arena))
            return false;
    return true;
}

static void forget_demo(const struct arenas *arenas, const char *id) {
    static const char *const tails[] = {".conf", ".db", ".db-wal", ".db-shm"};
    char path[ARENA_PATH_MAX];
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        arena_path(&arenas->hall, id, tails[i], path);
        unlink(path);
    }
}

// The text of a demo's file, to be freed; NULL: there is none.
static char *read_demo(const struct arenas *arenas, const char *id) {
    char path[ARENA_PATH_MAX];
    arena_path(&arenas->hall, id, ".conf", path);
    return read_text(path);
}

// Writes its file anew, with the seed after that of the last time, and forgets what was played.
static bool renew_demo(const struct arenas *arenas, int number, struct err *err) {
    const char *id = entry_demo_id(number);
    char *old = read_demo(arenas, id);
    struct buf text = {.data = NULL};
    entry_write_demo(&text, arenas->hall.house, number, old ? entry_seed(old) + 1 : 6);
    forget_demo(arenas, id);
    keep_text(arenas, id, text.data, err);
    buf_done(&text);
    free(old);
    return !err->set;
}

static bool is_due(int64_t *idle_us, const struct arena *demo, int64_t now_us) {
    if (arena_is_playing(demo))
        *idle_us = INT64_MAX;
    else if (*idle_us == INT64_MAX)
        *idle_us = now_us;
    return !demo->unknown && !demo->looking && *idle_us < now_us && now_us - *idle_us >= rest_us;
}

// Plays a demo on, or anew if it is over.
static void play_demo(struct arenas *arenas, int number, int64_t now_us) {
    struct arena *demo = find(arenas, entry_demo_id(number));
    struct err err = {.set = false};
    if (!demo || !is_due(&arenas->idle_us[number], demo, now_us))
        return;
    arenas->idle_us[number] = now_us;
    const bool over = demo->state == ARENA_OVER || demo->state == ARENA_FAILED;
    if ((over && !renew_demo(arenas, number, &err)) || !arena_start(demo, &err))
        arenas->hall.note(arenas->hall.owner, err.text);
}

static void play_demos(struct arenas *arenas, int64_t now_us) {
    if (!has_demos_alone(arenas))
        return;
    for (int i = 0; entry_demo_id(i); i++)
        play_demo(arenas, i, now_us);
}

// It names this program, which may have been another when it was made.
static bool is_old_demo(const struct arenas *arenas, int number) {
    struct buf fresh = {.data = NULL};
    char *text = read_demo(arenas, entry_demo_id(number));
    entry_write_demo(&fresh, arenas->hall.house, number, text ? entry_seed(text) : 1);
    const bool old = !text || strcmp(text, fresh.data) != 0;
    free(text);
    buf_done(&fresh);
    return old;
}

static void make_demo(struct arenas *arenas, int number, struct err *err) {
    const char *id = entry_demo_id(number);
    if (!renew_demo(arenas, number, err))
        return;
    char *text = read_demo(arenas, id);
    if (text)
        add(arenas, id, text, err);
    free(text);
}

void arenas_demo(struct arenas *arenas) {
    struct err err = {.set = false};
    arenas->demo = has_demos_alone(arenas);
    for (int i = 0; arenas->demo && entry_demo_id(i); i++) {
        struct arena *demo = find(arenas, entry_demo_id(i));
        arenas->idle_us[i] = -rest_us; // it is played at once
        if (demo && is_old_demo(arenas, i)) {
            remove_arena(arenas, demo);
            demo = NULL;
        }
        if (!demo)
            make_demo(arenas, i, &err);
    }
    if (err.set)
        arenas->hall.note(arenas->hall.owner, err.text);
}

// Those that were there before us are looked at one after the other.
static void look_at_next(struct arenas *arenas) {
    struct err err = {.set = false};
    struct arena *next = NULL;
    for (struct arena *arena = arenas->first; arena; arena = arena->next) {
        if (arena->looking)
            return;
        if (arena->unknown)
            next = arena;
    }
    if (next && !arena_look(next, &err))
        arenas->hall.note(arenas->hall.owner, err.text);
}

// When it is known how they stand.
static void resume_known(struct arenas *arenas) {
    for (struct arena *arena = arenas->first; arena; arena = arena->next) {
        struct err err = {.set = false};
        if (!arena->resume || arena->unknown || arena->looking)
            continue;
        arena->resume = false;
        if (arena_is_playing(arena) || arena->state == ARENA_OVER)
            continue;
        if (!arenas_order(arenas, arena->id, "continue", &err))
            arenas->hall.note(arenas->hall.owner, err.text);
    }
}

// The game that ended first of those that nobody watches, and its contest; NULL: none.
static struct show *find_oldest_end(const struct arenas *arenas, struct arena **of, int *count) {
    struct show *oldest = NULL;
    *count = 0;
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        for (struct show *s = arena->shows; s; s = s->next) {
            if (!s->result || s->topic.watcher_count > 0)
                continue;
            ++*count;
            if (!oldest || s->since_us < oldest->since_us) {
                oldest = s;
                *of = arena;
            }
        }
    return oldest;
}

// However fast games end, few of them stay to be seen by whoever comes late; the shelf has all.
static void forget_ends(struct arenas *arenas) {
    struct arena *arena = NULL;
    int count;
    for (struct show *s; (s = find_oldest_end(arenas, &arena, &count)) && count > ENDS_MAX;)
        show_remove(&arena->shows, s, arenas->hall.house->live);
}

void arenas_tick(struct arenas *arenas, int64_t now_us) {
    forget_ends(arenas);
    look_at_next(arenas);
    resume_known(arenas);
    if (arenas->demo)
        play_demos(arenas, now_us);
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        arena_tick(arena, now_us);
}

struct intake *arenas_intake(const struct arenas *arenas, const char *id) {
    const struct arena *arena = find(arenas, id);
    return arena ? arena->intake : NULL;
}

bool arenas_put_similar(const struct arenas *arenas, const char *id, const json_t *players,
                        struct buf *out, struct err *err) {
    const struct arena *arena = find(arenas, id);
    return arena ? arena_put_similar(arena, players, out, err)
                 : err_set(err, "there is no such contest");
}

json_t *arenas_list(const struct arenas *arenas) {
    json_t *list = json_array();
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        json_array_append_new(list, arena_summary(arena));
    return list;
}

bool arenas_put(const struct arenas *arenas, const char *id, struct buf *out) {
    const struct arena *arena = find(arenas, id);
    if (arena)
        arena_put(arena, out);
    return arena != NULL;
}

static const struct show *find_game(const struct arenas *arenas, const char *id) {
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        for (const struct show *s = arena->shows; s; s = s->next)
            if (strcmp(s->id, id) == 0)
                return s;
    for (const struct arena *arena = arenas->first; arena; arena = arena->next) {
        const struct show *test = arena->intake ? intake_show(arena->intake, id) : NULL;
        if (test)
            return test;
    }
    return NULL;
}

json_t *arenas_game(const struct arenas *arenas, const char *game_id) {
    const struct show *show = find_game(arenas, game_id);
    return show ? show_json(show) : NULL;
}

json_t *arenas_games(const struct arenas *arenas) {
    json_t *list = json_array();
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        for (const struct show *s = arena->shows; s; s = s->next)
            if (!s->result)
                json_array_append_new(list, show_summary(s));
    return list;
}

struct topic *arenas_topic(const struct arenas *arenas, const char *name) {
    for (struct arena *arena = arenas->first; arena; arena = arena->next) {
        if (strcmp(arena->topic.name, name) == 0)
            return &arena->topic;
        for (struct show *s = arena->shows; s; s = s->next)
            if (strcmp(s->topic.name, name) == 0)
                return &s->topic;
        struct topic *own = arena->intake ? intake_topic(arena->intake, name) : NULL;
        if (own)
            return own;
    }
    return NULL;
}
