// SPDX-License-Identifier: MIT
#include "web/arena.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "contest/plan.h"
#include "link/link.h"
#include "link/shell.h"
#include "web/intake.h"
#include "web/show.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 1 << 22,
    DRAFT_MAX = 1 << 20,
    REPORT_MAX = 1 << 28,
    PATIENCE_US = 2000000,
    LINGER_US = 60000000,
    PLAYED_MIN = 2, // games after which it is said how long the rest will take
};

static const char *state_word(enum arena_state state) {
    static const char *const words[] = {
#define ARENA_STATE_WORD(id, word) word,
        ARENA_STATES(ARENA_STATE_WORD)
#undef ARENA_STATE_WORD
    };
    return words[state];
}

void arena_path(const struct arena_hall *hall, const char *id, const char *tail,
                char path[static ARENA_PATH_MAX]) {
    snprintf(path, ARENA_PATH_MAX, "%s/%.23s%s", hall->folder, id, tail);
}

// How many seconds the games that are missing will take if they go like those since the start;
// null if that cannot be said yet.
static json_t *seconds_left(const struct arena *arena) {
    const json_int_t missing = arena->expected - arena->done;
    const json_int_t played = arena->begun_done < 0 ? 0 : arena->done - arena->begun_done;
    if (arena->state != ARENA_RUNNING || played < PLAYED_MIN || missing < 0)
        return json_null();
    const double each_s = (double)(clock_now_us() - arena->begun_us) / 1e6 / (double)played;
    return json_integer((json_int_t)(each_s * (double)missing));
}

json_t *arena_summary(const struct arena *arena) {
    return json_pack("{s:s, s:o, s:s, s:s, s:b, s:b, s:s, s:I, s:I, s:o}", "id", arena->id, "name",
                     json_text(arena->name), "game", arena->game->name, "state",
                     state_word(arena->resume ? ARENA_RUNNING : arena->state), "teams",
                     arena->intake != NULL, "open", arena->intake && intake_is_open(arena->intake),
                     "why", arena->why, "done", arena->done, "expected", arena->expected, "left_s",
                     seconds_left(arena));
}

static void put_report(const struct arena *arena, struct buf *out) {
    char path[ARENA_PATH_MAX];
    const size_t before = out->length;
    arena_path(arena->hall, arena->id, ".report", path);
    if (arena->report.length)
        buf_put(out, arena->report.data, arena->report.length);
    else if (arena->put_away)
        path_read(path, REPORT_MAX, out);
    if (out->length == before) // there is none, or somebody has removed it
        buf_text(out, "null");
}

// The report is put in as it is: it may be large.
void arena_put(const struct arena *arena, struct buf *out) {
    json_t *o = arena_summary(arena), *live = json_array();
    for (const struct show *s = arena->shows; s; s = s->next)
        if (!s->result)
            json_array_append_new(live, show_summary(s));
    json_object_set_new(o, "live", live);
    char *line = json_dumps(o, JSON_LINE);
    buf_put(out, line, strlen(line) - 1); // without the bracket at its end
    buf_text(out, ",\"report\":");
    put_report(arena, out);
    buf_text(out, "}");
    free(line);
    json_decref(o);
}

static void write_arena(void *owner, struct buf *out) { arena_put(owner, out); }

// Into its file, where it rests and nobody watches it.
static void put_away(struct arena *arena) {
    char path[ARENA_PATH_MAX];
    if (arena->child || !arena->report.length || arena->topic.watcher_count > 0)
        return;
    arena_path(arena->hall, arena->id, ".report", path);
    if (!path_write(path, arena->report.data, arena->report.length))
        return; // it stays where it is
    arena->put_away = true;
    buf_done(&arena->report);
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
        show_remove(&arena->shows, show, arena->hall->house->live);
    show = show_new(arena->id, arena->name, arena->game, line);
    show->next = arena->shows;
    arena->shows = show;
    arena->hall->house->changed(arena->hall->house->owner);
}

static void tell_moved(struct arena *arena, const json_t *line) {
    struct show *show = find_show(arena, json_integer_value(json_object_get(line, "number")));
    if (show)
        show_move(show, line, arena->hall->house->live);
}

static void tell_ended(struct arena *arena, const json_t *line) {
    struct show *show = find_show(arena, json_integer_value(json_object_get(line, "number")));
    json_t *record = json_object_get(line, "record");
    struct err err = {.set = false};
    if (!show || !json_is_object(record))
        return;
    show_end(show, record, arena->hall->house->live);
    json_t *seen = show_record(show, record);
    if (!shelf_put(arena->hall->shelf, show->id, seen, &err))
        arena->hall->note(arena->hall->owner, err.text);
    json_decref(seen);
    arena->hall->house->changed(arena->hall->house->owner);
}

void arena_remember(const struct arena *arena) {
    struct lasting_contest contest = {.done = arena->done, .expected = arena->expected};
    memcpy(contest.id, arena->id, sizeof contest.id);
    lasting_set_going(arena->hall->lasting, &contest,
                      arena->state == ARENA_RUNNING || arena->resume);
}

static void tell_report(struct arena *arena, const json_t *line) {
    const json_t *report = json_object_get(line, "report");
    char *text = json_dumps(report, JSON_LINE);
    buf_clear(&arena->report);
    buf_text(&arena->report, text ? text : "");
    free(text);
    arena->reported = json_is_object(report);
    arena->put_away = false;
    arena->done = json_integer_value(json_object_get(report, "done"));
    arena->expected = json_integer_value(json_object_get(report, "expected"));
    arena->over = json_is_true(json_object_get(report, "over"));
    if (arena->begun_done < 0)
        arena->begun_done = arena->done;
    arena_remember(arena);
}

static void set_state(struct arena *arena, enum arena_state state) {
    arena->state = state;
    arena_remember(arena);
}

static void tell_over(struct arena *arena, const json_t *line) {
    (void)line;
    set_state(arena, ARENA_OVER);
}

static void tell_note(struct arena *arena, const json_t *line) {
    const char *words = json_string_value(json_object_get(line, "words"));
    arena->hall->note(arena->hall->owner, words ? words : "");
}

// Its game says who has not come, and that he has lost.
static void tell_team(struct arena *arena, const json_t *line) {
    const struct room_house *house = arena->hall->house;
    struct err err = {.set = false};
    if (!house->lobby)
        arena->hall->note(arena->hall->owner, "a team is awaited, but this server has no judge's "
                                              "port for it to come to");
    else if (!bridge_new(&arena->bridges, house->loop, house->lobby,
                         json_int(json_object_get(line, "team"), -1),
                         json_int(json_object_get(line, "port"), 0), &err))
        arena->hall->note(arena->hall->owner, err.text);
}

static const struct teller {
    const char *event;
    void (*tell)(struct arena *arena, const json_t *line);
} tellers[] = {{"began", tell_began},   {"moved", tell_moved}, {"ended", tell_ended},
               {"report", tell_report}, {"over", tell_over},   {"note", tell_note},
               {"team", tell_team}};

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

static void end_child(struct arena *arena, int64_t patience_us) {
    if (arena->child)
        link_free(arena->child, patience_us);
    arena->child = NULL;
    arena->looking = false;
    buf_done(&arena->input); // as long as its longest line
}

static void gone(void *owner, const struct parting *how, int64_t now_us) {
    struct arena *arena = owner;
    const bool looked = arena->looking && how->exited && how->code == 0;
    (void)now_us;
    end_child(arena, 0);
    arena->stale = true;
    if (looked)
        set_state(arena, arena->over ? ARENA_OVER : arena->reported ? ARENA_PAUSED : ARENA_WAITING);
    if (looked || arena->state == ARENA_OVER)
        return;
    set_state(arena, ARENA_FAILED);
    snprintf(arena->why, sizeof arena->why, "%.399s", arena->noise.length ? arena->noise.data : "");
}

// Starts the child, to play or only to look.
static bool begin(struct arena *arena, bool look, struct err *err) {
    static const struct link_events events = {.bytes = heard, .gone = gone, .noise = noise};
    char file[ARENA_PATH_MAX], store[ARENA_PATH_MAX];
    struct buf command = {.data = NULL};
    arena_path(arena->hall, arena->id, ".conf", file);
    arena_path(arena->hall, arena->id, ".db", store);
    shell_put_quoted(&command, arena->hall->house->program);
    buf_text(&command, " contest live ");
    shell_put_quoted(&command, file);
    buf_text(&command, " --store ");
    shell_put_quoted(&command, store);
    buf_text(&command, look ? " --look" : "");
    const struct program program = {.command = command.data};
    end_child(arena, 0);
    buf_clear(&arena->input);
    buf_clear(&arena->noise);
    arena->unknown = false;
    arena->looking = look;
    arena->begun_us = clock_now_us();
    arena->begun_done = -1;
    arena->child = link_new_pipe(arena->hall->house->loop, &program, &events, arena, err);
    buf_done(&command);
    arena->why[0] = '\0';
    if (!arena->child)
        set_state(arena, ARENA_FAILED);
    else if (!look)
        set_state(arena, ARENA_RUNNING);
    arena->stale = true;
    return arena->child != NULL;
}

bool arena_start(struct arena *arena, struct err *err) {
    return (!arena->intake || intake_close(arena->intake, err)) && begin(arena, false, err);
}

bool arena_look(struct arena *arena, struct err *err) { return begin(arena, true, err); }

bool arena_is_playing(const struct arena *arena) { return arena->child && !arena->looking; }

bool arena_has_team(const struct arena *arena, int32_t team) {
    int i = 0;
    while (i < arena->team_count && arena->teams[i] != team)
        i++;
    return i < arena->team_count;
}

bool arena_needs(const struct arena *arena, int32_t team) {
    return arena_has_team(arena, team) && (arena->state == ARENA_RUNNING || arena->bridges);
}

bool arena_pause(struct arena *arena, struct err *err) {
    if (!arena_is_playing(arena) && !arena->resume)
        return err_set(err, "the contest is not running");
    if (arena_is_playing(arena))
        link_send(arena->child, "pause\n", 6);
    arena->resume = false;
    set_state(arena, ARENA_PAUSED);
    arena->stale = true;
    return true;
}

bool arena_continue(struct arena *arena, struct err *err) {
    if (!arena_is_playing(arena))
        return arena_start(arena, err);
    link_send(arena->child, "continue\n", 9);
    set_state(arena, ARENA_RUNNING);
    arena->stale = true;
    return true;
}

// The contest file before the teams had handed in, to be freed; NULL: there is none.
static struct plan *read_draft(const struct arena_hall *hall, const char *id) {
    char path[ARENA_PATH_MAX];
    struct buf text = {.data = NULL};
    struct err err = {.set = false};
    arena_path(hall, id, ".draft", path);
    struct plan *draft =
        path_read(path, DRAFT_MAX, &text) && text.data ? plan_read(id, text.data, &err) : NULL;
    buf_done(&text);
    return draft;
}

// Takes the plan if its teams still hand in.
static bool open_intake(struct arena *arena, struct plan *plan, struct err *err) {
    const bool open = plan_find_open(plan) != NOBODY;
    struct plan *draft = open ? plan : read_draft(arena->hall, arena->id);
    if (draft)
        arena->intake = intake_new(arena->hall, arena->id, draft, open, err);
    if (!open)
        plan_free(plan);
    return !err->set;
}

static bool put_pair(const json_t *players, struct buf *out, struct err *err) {
    const size_t count = json_array_size(players);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(players, i));
        if (!name || count != 2)
            return err_set(err, "two players are compared by their names");
        buf_text(out, " --pair ");
        shell_put_quoted(out, name);
    }
    return true;
}

// Before it has begun, what counts at this time is compared.
bool arena_put_similar(const struct arena *arena, const json_t *players, struct buf *out,
                       struct err *err) {
    char file[ARENA_PATH_MAX], store[ARENA_PATH_MAX];
    const bool open = arena->intake && intake_is_open(arena->intake);
    arena_path(arena->hall, arena->id, open ? ".now" : ".conf", file);
    arena_path(arena->hall, arena->id, ".db", store);
    if (open && !intake_write(arena->intake, file, err))
        return false;
    buf_text(out, "contest similar ");
    shell_put_quoted(out, file);
    if (access(store, F_OK) == 0) {
        buf_text(out, " --store ");
        shell_put_quoted(out, store);
    }
    buf_text(out, " --json --progress");
    return put_pair(players, out, err);
}

static void list_teams(struct arena *arena, const struct plan *plan) {
    arena->teams = mem_new((size_t)plan->player_count + 1, sizeof *arena->teams);
    arena->team_count = plan_awaited(plan, arena->teams);
}

struct arena *arena_new(const struct arena_hall *hall, const char *id, const char *text,
                        struct err *err) {
    char topic[TOPIC_NAME_MAX];
    struct plan *plan = plan_read(id, text, err);
    if (!plan)
        return NULL;
    struct arena *arena = mem_new(1, sizeof *arena);
    *arena = (struct arena){.hall = hall, .game = plan->rules.game};
    snprintf(arena->id, ROOM_ID_MAX, "%s", id);
    arena->name = mem_text(plan->name);
    snprintf(topic, sizeof topic, "contest/%s", id);
    topic_init(&arena->topic, topic, write_arena, arena);
    list_teams(arena, plan);
    if (open_intake(arena, plan, err))
        return arena;
    arena_free(arena);
    return NULL;
}

void arena_free(struct arena *arena) {
    const struct live *live = arena->hall->house->live;
    char path[ARENA_PATH_MAX];
    end_child(arena, PATIENCE_US);
    arena_path(arena->hall, arena->id, ".report", path);
    if (arena->put_away)
        unlink(path);
    bridges_free(&arena->bridges);
    intake_free(arena->intake);
    while (arena->shows)
        show_remove(&arena->shows, arena->shows, live);
    topic_done(&arena->topic, live);
    buf_done(&arena->input);
    buf_done(&arena->noise);
    buf_done(&arena->report);
    free(arena->teams);
    free(arena->name);
    free(arena);
}

void arena_tick(struct arena *arena, int64_t now_us) {
    const struct room_house *house = arena->hall->house;
    for (struct show *s = arena->shows, *next; s; s = next) {
        next = s->next;
        if (s->result && s->topic.watcher_count == 0 && now_us - s->since_us > LINGER_US)
            show_remove(&arena->shows, s, house->live);
    }
    if (arena->intake)
        intake_tick(arena->intake);
    put_away(arena);
    if (!arena->stale)
        return;
    arena->stale = false;
    topic_publish(&arena->topic, house->live, NULL);
    house->changed(house->owner);
}
