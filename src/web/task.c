// SPDX-License-Identifier: MIT
// A task is asked for, worked on, and looked at until its answer has been kept for two minutes.
// There are three kinds in one list: a check is a sitting with the player; a thought is a child for
// a position, or one after the other for every turn of a game that is studied; and a run is a child
// with arguments that tells how far it is. Children are started by the tick, two at a time, and of
// what visitors ask the oldest position and the oldest game. A position is thought about twice, so
// that there is something to show soon. What
// a sitting tells is noted and acted upon by the tick: it cannot be freed from within.
#include "web/task.h"

#include "base/clock.h"
#include "base/mem.h"
#include "folder/proxy.h"
#include "link/link.h"
#include "link/shell.h"
#include "web/game_request.h"
#include "web/shown_game.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TASKS_MAX = 40,
    AT_ONCE = 2,          // children that think
    KEEP_US = 120000000,  // a task that is done is kept so long
    OUTPUT_MAX = 1 << 16, // bytes read of a child that thinks
    RUN_MAX = 32 << 20,   // and of one that is run
    NOISE_MAX = 400,
    LOST_US = 5000000, // a question about lines that nobody looks at for so long is dropped
    PAGE_MAX = 24,     // of the name of a page
    PEER_MAX = 64,
};

#define HINT_SECONDS "1"
#define STUDY_SECONDS "0.25"
#define SOON_SECONDS "0.4" // for lines, at first
#define LINES_SECONDS "3"  // and then
#define VISITOR_SECONDS "2"

// What visitors may have waiting: lines, or studies.
static const struct visitor_room {
    int all, of_address;
} room_for_lines = {24, 6}, room_for_studies = {16, 3};

enum task_state { TASK_WORKING, TASK_DONE, TASK_FAILED };

struct task {
    struct task *next;
    struct tasks *tasks;
    int number;
    enum task_state state;
    int64_t ended_us;
    json_t *result;
    char error[ERR_TEXT_MAX];
    const char *word; // what the player did wrong, or NULL
    // a player that is checked: it sits opposite a person
    struct game_request *request;
    struct sitting *sitting;
    enum { CHECK_PLAYING, CHECK_READY, CHECK_OVER } check;
    // positions that are thought about
    const struct game *game;
    struct ruleset rules;
    json_t *moves;
    int at;              // the next position: after so many moves
    const char *seconds; // NULL: nothing is thought about
    struct link *child;
    struct buf output, noise;
    char *command;              // that is run once; NULL: none
    int of;                     // how much there is to do, for who waits
    char study_id[GAME_ID_MAX]; // of the game that is studied; "": none is
    const char *then;           // seconds to think after that, for lines; NULL: none
    bool lines;                 // several lines are wanted
    char page[PAGE_MAX];        // that asked for them; "": several have
    json_t *asked;              // what was asked
    char peer[PEER_MAX];        // the visitor's address; "": the organiser asks
    int64_t looked_us;          // when somebody looked at it last
};

struct tasks {
    const struct services *services;
    struct task *first;
    int last_number;
};

static void end_task(struct task *t, enum task_state state) {
    t->state = state;
    t->ended_us = clock_now_us();
}

static void fail(struct task *t, const char *words) {
    static const char own[] = "arbiter: ";
    if (strncmp(words, own, sizeof own - 1) == 0)
        words += sizeof own - 1;
    snprintf(t->error, sizeof t->error, "%.*s", (int)strcspn(words, "\n"), words);
    end_task(t, TASK_FAILED);
}

static struct task *add_task(struct tasks *all, struct err *err) {
    int count = 0;
    for (const struct task *t = all->first; t; t = t->next)
        count += !*t->peer; // what visitors ask has bounds of its own
    if (count >= TASKS_MAX) {
        err_set(err, "the server is busy with %d other questions; ask again later", count);
        return NULL;
    }
    struct task *t = mem_new(1, sizeof *t);
    *t = (struct task){.next = all->first, .tasks = all, .number = ++all->last_number};
    all->first = t;
    return t;
}

static void drop_task(struct task *t) {
    struct task **at = &t->tasks->first;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    if (t->child)
        link_free(t->child, 0);
    t->check = CHECK_OVER; // nobody is to be told how it ends
    sitting_free(t->sitting);
    if (t->request)
        game_request_done(t->request);
    free(t->request);
    buf_done(&t->output);
    buf_done(&t->noise);
    free(t->command);
    json_decref(t->moves);
    json_decref(t->asked);
    json_decref(t->result);
    free(t);
}

// Its number if it can be worked on; otherwise it is dropped.
static int keep_task(struct task *t, bool good) {
    if (good)
        return t->number;
    drop_task(t);
    return 0;
}

static const char *move_at(const struct task *t, int at) {
    return json_string_value(json_array_get(t->moves, (size_t)at));
}

// Thinking.

static bool is_over_at(const struct task *t, int at, int *due) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    proxy_forget();
    if (!t->game->start(&state, &t->rules, NULL, why))
        return true;
    for (int i = 0, played; i < at; i++)
        if (shown_game_play(t->game, &state, move_at(t, i), &played))
            return true;
    if (game_is_over(t->game, &state))
        return true;
    *due = t->game->due(&state);
    return false;
}

static void put_command(const struct task *t, struct buf *out) {
    if (*t->peer)
        buf_text(out, "nice -n 19 ");
    shell_put_quoted(out, t->tasks->services->program);
    buf_format(out, " analyse %s --json --time %s%s", t->game->name, t->seconds,
               t->lines ? " --lines 3" : "");
    for (int i = 0; i < t->game->rule_count; i++) {
        struct buf rule = {.data = NULL};
        buf_format(&rule, "%s=%s", t->game->rules[i].key, t->rules.text[i]);
        buf_text(out, " --set ");
        shell_put_quoted(out, rule.data);
        buf_done(&rule);
    }
    struct buf moves = {.data = NULL};
    buf_text(&moves, "");
    for (int i = 0; i < t->at; i++)
        buf_format(&moves, "%s%s", i ? ";" : "", move_at(t, i));
    buf_text(out, " --moves ");
    shell_put_quoted(out, moves.data);
    buf_done(&moves);
}

static void finish_thinking(struct task *t) {
    const struct services *services = t->tasks->services;
    struct err err = {.set = false};
    t->seconds = NULL;
    end_task(t, TASK_DONE);
    if (*t->study_id)
        game_archive_put_study(services->archive, t->study_id, t->result, &err);
    services_note(services, &err);
}

// Takes one answer, and goes to the next position if the whole game is studied.
static void take_thought(struct task *t, json_t *take_thought) {
    int due = 1;
    if (!*t->study_id) {
        json_decref(t->result);
        t->result = take_thought;
        t->seconds = t->then;
        t->then = NULL;
        if (!t->seconds)
            finish_thinking(t);
        return;
    }
    json_object_set_new(take_thought, "ply", json_integer(t->at));
    json_array_append_new(json_object_get(t->result, "values"), take_thought);
    is_over_at(t, t->at, &due);
    t->at += due;
    if (t->at > (int)json_array_size(t->moves) || is_over_at(t, t->at, &due))
        finish_thinking(t);
}

static void start_thinking(struct task *t);

// Takes the lines that tell how far it is; what remains is the last line.
static void hear_progress(struct task *t) {
    for (const char *end; (end = memchr(t->output.data, '\n', t->output.length)) &&
                          end + 1 < t->output.data + t->output.length;) {
        const size_t length = (size_t)(end - t->output.data);
        json_t *line = json_loadb(t->output.data, length, 0, NULL);
        t->at = json_int(json_object_get(line, "done"), 0);
        t->of = json_int(json_object_get(line, "of"), 0);
        json_decref(line);
        buf_drop(&t->output, length + 1);
    }
}

static void task_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct task *t = owner;
    (void)now_us;
    if (t->output.length + length < (t->command ? RUN_MAX : OUTPUT_MAX))
        buf_put(&t->output, bytes, length);
    if (t->command)
        hear_progress(t);
}

static void task_noise(void *owner, const char *bytes, size_t length) {
    struct task *t = owner;
    if (t->noise.length + length < NOISE_MAX)
        buf_put(&t->noise, bytes, length);
}

static void task_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct task *t = owner;
    (void)now_us;
    link_free(t->child, 0);
    t->child = NULL;
    json_t *thought =
        t->output.length ? json_loadb(t->output.data, t->output.length, 0, NULL) : NULL;
    if (json_is_object(thought) && t->command && how->exited && how->code == 0) {
        t->result = thought;
        end_task(t, TASK_DONE);
        return;
    }
    if (json_is_object(thought) && !t->command) {
        take_thought(t, thought);
        if (t->seconds)
            start_thinking(t);
        return;
    }
    json_decref(thought);
    t->seconds = NULL;
    fail(t, t->noise.length ? t->noise.data : "the engine has given no answer");
}

static void start_thinking(struct task *t) {
    static const struct link_events events = {
        .bytes = task_heard, .gone = task_gone, .noise = task_noise};
    struct buf command = {.data = NULL};
    struct err err = {.set = false};
    assert(!t->child && t->state == TASK_WORKING && (t->command || t->seconds));
    if (t->command)
        buf_text(&command, t->command);
    else
        put_command(t, &command);
    buf_clear(&t->output);
    buf_clear(&t->noise);
    const struct program program = {.command = command.data};
    t->child = link_new_pipe(t->tasks->services->loop, &program, &events, t, &err);
    buf_done(&command);
    if (!t->child) {
        t->seconds = NULL;
        fail(t, err.text);
    }
}

// A record has more settings than the rules.
static bool read_rules(struct task *t, const json_t *settings, struct err *err) {
    ruleset_init(&t->rules, t->game);
    for (int i = 0; i < t->game->rule_count; i++) {
        const char *key = t->game->rules[i].key;
        const json_t *value = json_object_get(settings, key);
        char room[RULE_TEXT_MAX], why[WHY_TEXT_MAX];
        const char *text = shown_game_rule(value, room);
        if (value && !text)
            return err_set(err, "the setting %.40s is no text", key);
        if (value && !ruleset_set(&t->rules, key, text, why))
            return err_set(err, "%s", why);
    }
    union game_state state;
    char why[WHY_TEXT_MAX];
    return t->game->start(&state, &t->rules, NULL, why) || err_set(err, "%s", why);
}

static bool read_position(struct task *t, const json_t *asked, const char *settings,
                          struct err *err) {
    const char *name = json_string_value(json_object_get(asked, "game"));
    json_t *moves = json_object_get(asked, "moves");
    int due;
    t->game = name ? game_find(name) : NULL;
    if (!t->game || !json_is_array(moves))
        return err_set(err, "a position has a game and moves");
    if (!read_rules(t, json_object_get(asked, settings), err))
        return false;
    t->moves = json_incref(moves);
    const int count = (int)json_array_size(moves);
    for (int i = 0; i < count; i++)
        if (!move_at(t, i))
            return err_set(err, "a move is a text");
    t->at = *t->study_id ? 0 : count;
    const bool over = is_over_at(t, t->at, &due);
    const char *failure = proxy_failure(t->game);
    if (failure)
        return err_set(err, "%s", failure);
    return !over || err_set(err, "the game is over there, or a move is not legal");
}

int tasks_think(struct tasks *all, const json_t *asked, struct err *err) {
    struct task *t = add_task(all, err);
    if (!t)
        return 0;
    t->seconds = HINT_SECONDS;
    return keep_task(t, read_position(t, asked, "set", err));
}

// Whether a visitor has asked for it: lines, or else a study.
static bool is_visitors(const struct task *t, bool lines) {
    return *t->peer && (lines ? t->lines : *t->study_id != '\0');
}

// How many of visitors come before it.
static int count_ahead(const struct task *t) {
    int ahead = 0;
    for (const struct task *o = t->tasks->first; o && *t->peer; o = o->next)
        ahead += o->number < t->number && o->state == TASK_WORKING && is_visitors(o, t->lines);
    return ahead;
}

// Whether a visitor may ask for one more.
static bool has_room(const struct tasks *all, const struct asker *asker, bool lines,
                     struct err *err) {
    const struct visitor_room *room = lines ? &room_for_lines : &room_for_studies;
    int count = 0, own = 0;
    for (const struct task *t = all->first; t; t = t->next)
        if (is_visitors(t, lines)) {
            count++;
            own += strcmp(t->peer, asker->peer) == 0;
        }
    if (asker->organiser || (count < room->all && own < room->of_address))
        return true;
    return err_set(err, "the server is busy with %d other questions; ask again later",
                   own < room->of_address ? count : own);
}

static struct task *add_asked(struct tasks *all, const struct asker *asker, struct err *err) {
    struct task *t = add_task(all, err);
    if (t && !asker->organiser)
        snprintf(t->peer, PEER_MAX, "%s", asker->peer);
    return t;
}

// What the same page has asked before.
static void drop_earlier(struct tasks *all, const struct asker *asker, const char *page) {
    const char *peer = asker->organiser ? "" : asker->peer;
    for (struct task *t = all->first, *next; t; t = next) {
        next = t->next;
        if (t->lines && strcmp(t->page, page) == 0 && strcmp(t->peer, peer) == 0)
            drop_task(t);
    }
}

// A question about the same position, which others have asked: who watches a game asks the same.
static struct task *find_same(const struct tasks *all, const json_t *asked) {
    static const char *const keys[] = {"game", "set", "moves"};
    for (struct task *t = all->first; t; t = t->next) {
        bool same = t->lines && t->state != TASK_FAILED;
        for (size_t i = 0; same && i < sizeof keys / sizeof *keys; i++) {
            const json_t *a = json_object_get(t->asked, keys[i]),
                         *b = json_object_get(asked, keys[i]);
            same = a == b || json_equal(a, b);
        }
        if (same)
            return t;
    }
    return NULL;
}

int tasks_lines(struct tasks *all, const json_t *asked, const struct asker *asker,
                struct err *err) {
    const char *page = json_string_value(json_object_get(asked, "page"));
    if (!page || !*page || strlen(page) >= PAGE_MAX) {
        err_set(err, "a page that asks for lines has a name");
        return 0;
    }
    drop_earlier(all, asker, page);
    struct task *same = find_same(all, asked);
    if (same) {
        same->page[0] = '\0';
        same->looked_us = clock_now_us();
        return same->number;
    }
    struct task *t = has_room(all, asker, true, err) ? add_asked(all, asker, err) : NULL;
    if (!t)
        return -1;
    snprintf(t->page, PAGE_MAX, "%s", page);
    t->lines = true;
    t->asked = json_deep_copy(asked);
    t->seconds = SOON_SECONDS;
    t->then = asker->organiser ? LINES_SECONDS : VISITOR_SECONDS;
    t->looked_us = clock_now_us();
    return keep_task(t, read_position(t, asked, "set", err));
}

int tasks_run(struct tasks *all, const char *arguments, struct err *err) {
    struct task *t = add_task(all, err);
    struct buf command = {.data = NULL};
    if (!t)
        return 0;
    shell_put_quoted(&command, all->services->program);
    buf_format(&command, " %s", arguments);
    t->command = command.data;
    return t->number;
}

int tasks_find_study(const struct tasks *all, const char *id) {
    for (const struct task *t = all->first; t; t = t->next)
        if (strcmp(t->study_id, id) == 0)
            return t->number;
    return 0;
}

int tasks_study(struct tasks *all, const char *id, const json_t *record, const struct asker *asker,
                struct err *err) {
    const int running = tasks_find_study(all, id);
    if (running)
        return running;
    struct task *t = has_room(all, asker, false, err) ? add_asked(all, asker, err) : NULL;
    if (!t)
        return -1;
    snprintf(t->study_id, GAME_ID_MAX, "%s", id);
    t->seconds = STUDY_SECONDS;
    t->result = json_pack("{s:[]}", "values");
    return keep_task(t, read_position(t, record, "settings", err));
}

// Checking a player: it sits opposite a person. Once the first move is asked for, of whomever, both
// are ready.

static void check_over(void *owner, const struct match *match, json_t *take_record) {
    struct task *t = owner;
    const struct fault *f = match_verdict(match);
    json_decref(take_record);
    if (t->check != CHECK_PLAYING)
        return;
    t->check = CHECK_OVER;
    fail(t, f ? f->evidence : "it did not start");
    t->word = f ? verdict_word(f->verdict) : "";
}

static void check_asked(void *owner, const struct match *match, int player) {
    struct task *t = owner;
    (void)match;
    if (player == 0)
        t->check = CHECK_READY;
}

int tasks_check(struct tasks *all, const json_t *asked, struct err *err) {
    static const struct sitting_events events = {.over = check_over, .asked = check_asked};
    struct task *t = add_task(all, err);
    if (!t)
        return 0;
    struct game_request *r = t->request = mem_new(1, sizeof *r);
    const char *player = json_string_value(json_object_get(asked, "player"));
    json_t *plan = json_pack("{s:O?, s:[s, s]}", "game", json_object_get(asked, "game"), "seats",
                             "human", player ? player : "");
    if (game_request_read(r, all->services, plan, false, err)) {
        r->sitting.wait_us = r->sitting.limits.start_s * INT64_C(1000000);
        t->sitting = sitting_new(&r->sitting, &events, t);
        sitting_play(t->sitting, &(struct sitting_game){.index = 0}, err);
    }
    json_decref(plan);
    return keep_task(t, !err->set);
}

// What was told from within the sitting is done from outside.
static void end_check(struct task *t) {
    if (t->check == CHECK_READY) {
        t->result = json_pack("{s:o, s:o}", "name", json_text(sitting_name(t->sitting, 1)),
                              "department", json_text(sitting_department(t->sitting, 1)));
        end_task(t, TASK_DONE);
    }
    t->check = CHECK_OVER;
    sitting_free(t->sitting);
    t->sitting = NULL;
}

struct tasks *tasks_new(const struct services *services) {
    struct tasks *all = mem_new(1, sizeof *all);
    all->services = services;
    return all;
}

void tasks_free(struct tasks *all) {
    while (all && all->first)
        drop_task(all->first);
    free(all);
}

static bool may_start(const struct task *t) {
    int thinking = 0;
    if (t->state != TASK_WORKING || !(t->seconds || t->command) || t->child)
        return false;
    if (*t->peer)
        return count_ahead(t) == 0;
    for (const struct task *o = t->tasks->first; o; o = o->next)
        thinking += o->child && !*o->peer;
    return thinking < AT_ONCE;
}

static bool is_lost(const struct task *t, int64_t now_us) {
    if (t->state != TASK_WORKING)
        return now_us - t->ended_us > (*t->peer ? LOST_US : KEEP_US);
    return t->lines && now_us - t->looked_us > LOST_US;
}

void tasks_tick(struct tasks *all, int64_t now_us) {
    for (struct task *t = all->first, *next; t; t = next) {
        next = t->next;
        if (t->sitting && t->check != CHECK_PLAYING)
            end_check(t);
        if (may_start(t))
            start_thinking(t);
        if (is_lost(t, now_us))
            drop_task(t);
    }
}

static struct task *find_task(const struct tasks *all, int number) {
    struct task *t = all->first;
    while (t && t->number != number)
        t = t->next;
    return t;
}

json_t *tasks_look_lines(struct tasks *all, int number) {
    struct task *t = find_task(all, number);
    if (!t && number >= 1 && number <= all->last_number)
        return json_pack("{s:s}", "state", "dropped");
    if (!t || !t->lines)
        return NULL;
    t->looked_us = clock_now_us();
    return tasks_look(all, number);
}

json_t *tasks_look(const struct tasks *all, int number) {
    static const char *const words[] = {"working", "done", "failed"};
    const struct task *t = find_task(all, number);
    if (!t)
        return NULL;
    return json_pack("{s:s, s:i, s:i, s:i, s:O?, s:o, s:s}", "state", words[t->state], "done",
                     t->at, "of", t->command ? t->of : (int)json_array_size(t->moves), "ahead",
                     count_ahead(t), "result", t->result, "error", json_text(t->error), "word",
                     t->word ? t->word : "");
}
