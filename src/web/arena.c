// SPDX-License-Identifier: MIT
#include "web/arena.h"

#include "base/clock.h"
#include "base/mem.h"
#include "contest/plan.h"
#include "link/link.h"
#include "link/shell.h"
#include "web/entry.h"
#include "web/show.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { ARENAS_MAX = 64, LINE_MAX_BYTES = 1 << 22, PATIENCE_US = 2000000, LINGER_US = 60000000 };

// How a contest stands, in the words of the API.
#define ARENA_STATES(X)                                                                            \
    X(WAITING, "waiting")                                                                          \
    X(RUNNING, "running") X(PAUSED, "paused") X(OVER, "over") X(FAILED, "failed")

enum arena_state {
#define ARENA_STATE_CONSTANT(id, word) ARENA_##id,
    ARENA_STATES(ARENA_STATE_CONSTANT)
#undef ARENA_STATE_CONSTANT
};

struct arena {
    struct arena *next;
    struct arenas *arenas;
    char id[ROOM_ID_MAX];
    char *name;
    const struct game *game;
    enum arena_state state;
    char why[400]; // it failed
    struct link *child;
    struct buf input, noise;
    json_t *report;
    struct show *shows; // games under way, or just over
    struct topic topic;
    bool stale; // it is to be published
};

struct arenas {
    char folder[4000];
    const struct room_house *house;
    struct shelf *shelf;
    struct arena *first;
    int count;
    void (*note)(void *owner, const char *words);
    void *owner;
};

static const char *state_word(enum arena_state state) {
    static const char *const words[] = {
#define ARENA_STATE_WORD(id, word) word,
        ARENA_STATES(ARENA_STATE_WORD)
#undef ARENA_STATE_WORD
    };
    return words[state];
}

static void path_of(const struct arenas *arenas, const char *id, const char *tail, char *path,
                    size_t size) {
    snprintf(path, size, "%s/%.23s%s", arenas->folder, id, tail);
}

static json_t *summary_of(const struct arena *arena) {
    const json_t *done = json_object_get(arena->report, "done"),
                 *expected = json_object_get(arena->report, "expected");
    return json_pack("{s:s, s:o, s:s, s:s, s:s, s:I, s:I}", "id", arena->id, "name",
                     json_text(arena->name), "game", arena->game->name, "state",
                     state_word(arena->state), "why", arena->why, "done", json_integer_value(done),
                     "expected", json_integer_value(expected));
}

static json_t *arena_json(const struct arena *arena) {
    json_t *o = summary_of(arena), *live = json_array();
    for (const struct show *s = arena->shows; s; s = s->next)
        if (!s->result)
            json_array_append_new(live, show_summary(s));
    json_object_set(o, "report", arena->report ? arena->report : json_null());
    json_object_set_new(o, "live", live);
    return o;
}

static void write_arena(void *owner, struct buf *out) {
    json_t *object = arena_json(owner);
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

static struct show *find_show(const struct arena *arena, json_int_t number) {
    for (struct show *s = arena->shows; s; s = s->next)
        if (s->number == number)
            return s;
    return NULL;
}

// What the child tells. Each takes one line.

static void tell_began(struct arena *arena, const json_t *line) {
    struct show *show = find_show(arena, json_integer_value(json_object_get(line, "number")));
    if (show) // begun again after a worker was lost
        show_remove(&arena->shows, show, arena->arenas->house->live);
    show = show_new(arena->id, arena->name, arena->game, line);
    show->next = arena->shows;
    arena->shows = show;
    arena->arenas->house->changed(arena->arenas->house->owner);
}

static void tell_moved(struct arena *arena, const json_t *line) {
    struct show *show = find_show(arena, json_integer_value(json_object_get(line, "number")));
    if (show)
        show_move(show, line, arena->arenas->house->live);
}

static void tell_ended(struct arena *arena, const json_t *line) {
    struct show *show = find_show(arena, json_integer_value(json_object_get(line, "number")));
    json_t *record = json_object_get(line, "record");
    struct err err = {.set = false};
    if (!show || !json_is_object(record))
        return;
    show_end(show, record, arena->arenas->house->live);
    if (!shelf_put(arena->arenas->shelf, show->id, show->record, &err))
        arena->arenas->note(arena->arenas->owner, err.text);
    arena->arenas->house->changed(arena->arenas->house->owner);
}

static void tell_report(struct arena *arena, const json_t *line) {
    json_decref(arena->report);
    arena->report = json_incref(json_object_get(line, "report"));
}

static void tell_over(struct arena *arena, const json_t *line) {
    (void)line;
    arena->state = ARENA_OVER;
}

static void tell_note(struct arena *arena, const json_t *line) {
    const char *words = json_string_value(json_object_get(line, "words"));
    arena->arenas->note(arena->arenas->owner, words ? words : "");
}

static const struct teller {
    const char *event;
    void (*tell)(struct arena *arena, const json_t *line);
} tellers[] = {{"began", tell_began},   {"moved", tell_moved}, {"ended", tell_ended},
               {"report", tell_report}, {"over", tell_over},   {"note", tell_note}};

static void take_line(struct arena *arena, const char *text, size_t length) {
    json_t *line = json_loadb(text, length, 0, NULL);
    const char *event = json_string_value(json_object_get(line, "event"));
    for (size_t i = 0; event && i < sizeof tellers / sizeof *tellers; i++)
        if (strcmp(event, tellers[i].event) == 0)
            tellers[i].tell(arena, line);
    if (event && strcmp(event, "moved") != 0) // a move is told by its game alone
        arena->stale = true;
    json_decref(line);
}

static void heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct arena *arena = owner;
    (void)now_us;
    buf_put(&arena->input, bytes, length);
    for (const char *end;
         arena->input.length && (end = memchr(arena->input.data, '\n', arena->input.length));) {
        const size_t line = (size_t)(end - arena->input.data);
        take_line(arena, arena->input.data, line);
        buf_drop(&arena->input, line + 1);
    }
    if (arena->input.length > LINE_MAX_BYTES)
        buf_clear(&arena->input);
}

static void noise(void *owner, const char *bytes, size_t length) {
    struct arena *arena = owner;
    if (arena->noise.length + length < sizeof arena->why)
        buf_put(&arena->noise, bytes, length);
}

static void gone(void *owner, const struct parting *how, int64_t now_us) {
    struct arena *arena = owner;
    (void)how, (void)now_us;
    link_free(arena->child, 0);
    arena->child = NULL;
    arena->stale = true;
    if (arena->state == ARENA_OVER)
        return;
    arena->state = ARENA_FAILED;
    snprintf(arena->why, sizeof arena->why, "%.399s",
             arena->noise.length ? arena->noise.data : "it has ended before its time");
}

static bool start(struct arena *arena, struct err *err) {
    static const struct link_events events = {.bytes = heard, .gone = gone, .noise = noise};
    char file[4096], store[4096];
    struct buf command = {.data = NULL};
    path_of(arena->arenas, arena->id, ".conf", file, sizeof file);
    path_of(arena->arenas, arena->id, ".db", store, sizeof store);
    shell_put_quoted(&command, arena->arenas->house->program);
    buf_text(&command, " contest live ");
    shell_put_quoted(&command, file);
    buf_text(&command, " --store ");
    shell_put_quoted(&command, store);
    const struct program program = {.command = command.data};
    buf_clear(&arena->input);
    buf_clear(&arena->noise);
    arena->child = link_new_pipe(arena->arenas->house->loop, &program, &events, arena, err);
    buf_done(&command);
    arena->why[0] = '\0';
    arena->state = arena->child ? ARENA_RUNNING : ARENA_FAILED;
    arena->stale = true;
    return arena->child != NULL;
}

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
    char topic[TOPIC_NAME_MAX];
    struct plan *plan = plan_read(id, text, err);
    if (!plan)
        return NULL;
    struct arena *arena = mem_new(1, sizeof *arena);
    *arena = (struct arena){.next = arenas->first, .arenas = arenas, .game = plan->rules.game};
    snprintf(arena->id, ROOM_ID_MAX, "%s", id);
    arena->name = mem_text(plan->name);
    snprintf(topic, sizeof topic, "contest/%s", id);
    topic_init(&arena->topic, topic, write_arena, arena);
    plan_free(plan);
    arenas->first = arena;
    arenas->count++;
    return arena;
}

static void read_arena(struct arenas *arenas, const char *name) {
    char path[4096 + 300], id[32];
    const char *tail = strstr(name, ".conf");
    struct err err = {.set = false};
    if (!tail || tail[5] || tail - name >= ROOM_ID_MAX)
        return;
    snprintf(id, sizeof id, "%.*s", (int)(tail - name), name);
    snprintf(path, sizeof path, "%s/%s", arenas->folder, name);
    char *text = shelf_is_id(id) ? read_text(path) : NULL;
    if (text && !add(arenas, id, text, &err))
        arenas->note(arenas->owner, err.text);
    free(text);
}

struct arenas *arenas_new(const char *folder, const struct room_house *house, struct shelf *shelf,
                          void (*note)(void *owner, const char *words), void *owner,
                          struct err *err) {
    struct arenas *arenas = mem_new(1, sizeof *arenas);
    *arenas = (struct arenas){.house = house, .shelf = shelf, .note = note, .owner = owner};
    snprintf(arenas->folder, sizeof arenas->folder, "%s", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
        free(arenas);
        return NULL;
    }
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && arenas->count < ARENAS_MAX && (e = readdir(dir));)
        read_arena(arenas, e->d_name);
    if (dir)
        closedir(dir);
    return arenas;
}

static void free_arena(struct arena *arena) {
    const struct live *live = arena->arenas->house->live;
    if (arena->child)
        link_free(arena->child, PATIENCE_US);
    while (arena->shows)
        show_remove(&arena->shows, arena->shows, live);
    topic_done(&arena->topic, live);
    buf_done(&arena->input);
    buf_done(&arena->noise);
    json_decref(arena->report);
    free(arena->name);
    free(arena);
}

void arenas_free(struct arenas *arenas) {
    while (arenas && arenas->first) {
        struct arena *arena = arenas->first;
        arenas->first = arena->next;
        free_arena(arena);
    }
    free(arenas);
}

void arenas_tick(struct arenas *arenas, int64_t now_us) {
    for (struct arena *arena = arenas->first; arena; arena = arena->next) {
        for (struct show *s = arena->shows, *next; s; s = next) {
            next = s->next;
            if (s->result && s->topic.watcher_count == 0 && now_us - s->since_us > LINGER_US)
                show_remove(&arena->shows, s, arenas->house->live);
        }
        if (!arena->stale)
            continue;
        arena->stale = false;
        topic_publish(&arena->topic, arenas->house->live, NULL);
        arenas->house->changed(arenas->house->owner);
    }
}

static struct arena *find(const struct arenas *arenas, const char *id) {
    for (struct arena *arena = arenas->first; arena; arena = arena->next)
        if (strcmp(arena->id, id) == 0)
            return arena;
    return NULL;
}

static bool keep_text(struct arenas *arenas, const char *id, const char *text, struct err *err) {
    char path[4096];
    path_of(arenas, id, ".conf", path, sizeof path);
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
        entry_write(&text, form, arenas->house, err);
    if (!err->set) {
        shelf_draw_id(arenas->shelf, id, ROOM_ID_MAX);
        if (add(arenas, id, text.data, err))
            keep_text(arenas, id, text.data, err);
    }
    buf_done(&text);
    return !err->set;
}

bool arenas_order(struct arenas *arenas, const char *id, const char *order, struct err *err) {
    struct arena *arena = find(arenas, id);
    if (!arena)
        return err_set(err, "there is no such contest");
    if (strcmp(order, "start") == 0)
        return arena->child ? err_set(err, "the contest is running") : start(arena, err);
    const bool pause = strcmp(order, "pause") == 0;
    if (!pause && strcmp(order, "continue") != 0)
        return err_set(err, "a contest knows start, pause, continue");
    if (!arena->child)
        return pause ? err_set(err, "the contest is not running") : start(arena, err);
    link_send(arena->child, pause ? "pause\n" : "continue\n", pause ? 6 : 9);
    arena->state = pause ? ARENA_PAUSED : ARENA_RUNNING;
    arena->stale = true;
    return true;
}

void arenas_demo(struct arenas *arenas) {
    struct buf text = {.data = NULL};
    struct err err = {.set = false};
    if (arenas->count > 0)
        return;
    entry_write_demo(&text, arenas->house);
    if (!add(arenas, "demo", text.data, &err) || !keep_text(arenas, "demo", text.data, &err) ||
        !start(arenas->first, &err))
        arenas->note(arenas->owner, err.text);
    buf_done(&text);
}

json_t *arenas_list(const struct arenas *arenas) {
    json_t *list = json_array();
    for (const struct arena *arena = arenas->first; arena; arena = arena->next)
        json_array_append_new(list, summary_of(arena));
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
    }
    return NULL;
}
