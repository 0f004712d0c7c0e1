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

enum { ARENAS_MAX = 64 };

static const char demo_id[] = "demo";

struct arenas {
    struct arena_hall hall;
    struct arena *first; // the newest
    int count;
    bool demo; // the demo is to be played as soon as it is known how it stands
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

// All of the folder, so that the newest comes first.
static void read_arenas(struct arenas *arenas) {
    struct kept_file files[ARENAS_MAX];
    int count = 0;
    DIR *dir = opendir(arenas->hall.folder);
    for (const struct dirent *e; dir && count < ARENAS_MAX && (e = readdir(dir));) {
        struct stat info;
        if (strlen(e->d_name) >= sizeof files->name || !strstr(e->d_name, ".conf") ||
            fstatat(dirfd(dir), e->d_name, &info, 0) != 0)
            continue;
        strcpy(files[count].name, e->d_name);
        files[count++].at = info.st_mtime;
    }
    if (dir)
        closedir(dir);
    qsort(files, (size_t)count, sizeof *files, by_time);
    for (int i = 0; i < count; i++)
        read_arena(arenas, files[i].name);
}

struct arenas *arenas_new(const char *folder, const struct room_house *house, struct shelf *shelf,
                          void (*note)(void *owner, const char *words), void *owner,
                          struct err *err) {
    struct arenas *arenas = mem_new(1, sizeof *arenas);
    arenas->hall =
        (struct arena_hall){.house = house, .shelf = shelf, .note = note, .owner = owner};
    arenas->hall.box = mem_new(1, sizeof *arenas->hall.box);
    snprintf(arenas->hall.folder, sizeof arenas->hall.folder, "%s", folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
        arenas_free(arenas);
        return NULL;
    }
    read_arenas(arenas);
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

bool arenas_make(struct arenas *arenas, const json_t *form, char id[static ROOM_ID_MAX],
                 struct err *err) {
    const char *given = json_string_value(json_object_get(form, "text"));
    struct buf text = {.data = NULL};
    if (arenas->count >= ARENAS_MAX)
        return err_set(err, "there is room for %d contests", ARENAS_MAX);
    if (given)
        buf_text(&text, given);
    else
        entry_write(&text, form, arenas->hall.house, err);
    if (!err->set) {
        shelf_draw_id(arenas->hall.shelf, id, ROOM_ID_MAX);
        if (add(arenas, id, text.data, err))
            keep_text(arenas, id, text.data, err);
    }
    buf_done(&text);
    return !err->set;
}

static bool start_idle(struct arena *arena, struct err *err) {
    return arena_is_playing(arena) ? err_set(err, "the contest is running")
                                   : arena_start(arena, err);
}

static const struct order {
    const char *name;
    bool (*give)(struct arena *arena, struct err *err);
} orders[] = {{"start", start_idle}, {"pause", arena_pause}, {"continue", arena_continue}};

bool arenas_order(struct arenas *arenas, const char *id, const char *order, struct err *err) {
    struct arena *arena = find(arenas, id);
    if (!arena)
        return err_set(err, "there is no such contest");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(order, orders[i].name) == 0)
            return orders[i].give(arena, err);
    return err_set(err, "a contest knows start, pause, continue");
}

// The demo.

static void forget_demo(const struct arenas *arenas) {
    static const char *const tails[] = {".db", ".db-wal", ".db-shm"};
    char path[ARENA_PATH_MAX];
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        arena_path(&arenas->hall, demo_id, tails[i], path);
        unlink(path);
    }
}

static void make_demo(struct arenas *arenas, struct err *err) {
    struct buf text = {.data = NULL};
    entry_write_demo(&text, arenas->hall.house);
    if (add(arenas, demo_id, text.data, err))
        keep_text(arenas, demo_id, text.data, err);
    buf_done(&text);
}

// Plays it on, or once more if it is over.
static void play_demo(struct arenas *arenas) {
    struct arena *demo = find(arenas, demo_id);
    struct err err = {.set = false};
    if (!demo || demo->unknown || demo->looking)
        return;
    arenas->demo = false;
    if (demo->state == ARENA_OVER || demo->state == ARENA_FAILED)
        forget_demo(arenas);
    if (!arena_start(demo, &err))
        arenas->hall.note(arenas->hall.owner, err.text);
}

// It names this program, which may have been another when it was made.
static bool is_old_demo(const struct arenas *arenas) {
    char path[ARENA_PATH_MAX];
    struct buf fresh = {.data = NULL};
    arena_path(&arenas->hall, demo_id, ".conf", path);
    char *text = read_text(path);
    entry_write_demo(&fresh, arenas->hall.house);
    const bool old = !text || strcmp(text, fresh.data) != 0;
    free(text);
    buf_done(&fresh);
    return old;
}

static void remove_demo(struct arenas *arenas) {
    char path[ARENA_PATH_MAX];
    struct arena *demo = arenas->first;
    arena_path(&arenas->hall, demo_id, ".conf", path);
    unlink(path);
    forget_demo(arenas);
    arenas->first = NULL;
    arenas->count = 0;
    arena_free(demo);
}

void arenas_demo(struct arenas *arenas) {
    struct err err = {.set = false};
    if (arenas->count == 1 && find(arenas, demo_id) && is_old_demo(arenas))
        remove_demo(arenas);
    if (arenas->count == 0)
        make_demo(arenas, &err);
    if (err.set)
        arenas->hall.note(arenas->hall.owner, err.text);
    arenas->demo = arenas->count == 1;
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

void arenas_tick(struct arenas *arenas, int64_t now_us) {
    look_at_next(arenas);
    if (arenas->demo)
        play_demo(arenas);
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

json_t *arenas_look(const struct arenas *arenas, const char *id) {
    const struct arena *arena = find(arenas, id);
    return arena ? arena_json(arena) : NULL;
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
