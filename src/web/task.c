// SPDX-License-Identifier: MIT
#include "web/task.h"

#include "base/clock.h"
#include "base/mem.h"
#include "link/link.h"
#include "link/shell.h"
#include "web/game_request.h"

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
};

#define HINT_SECONDS "1"
#define STUDY_SECONDS "0.25"

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
    char *command; // that is run once; NULL: none
    int of;        // how much there is to do, for who waits
    char study_id[GAME_ID_MAX];
    void (*done)(void *owner, const char *id, const json_t *study);
    void *owner;
};

struct tasks {
    const struct services *services;
    struct task *first;
    int last_number;
};

static void end_task(struct task *task, enum task_state state) {
    task->state = state;
    task->ended_us = clock_now_us();
}

static void fail(struct task *task, const char *words) {
    static const char own[] = "arbiter: ";
    if (strncmp(words, own, sizeof own - 1) == 0)
        words += sizeof own - 1;
    snprintf(task->error, sizeof task->error, "%.*s", (int)strcspn(words, "\n"), words);
    end_task(task, TASK_FAILED);
}

static struct task *add_task(struct tasks *tasks, struct err *err) {
    int count = 0;
    for (const struct task *task = tasks->first; task; task = task->next)
        count++;
    if (count >= TASKS_MAX) {
        err_set(err, "the server is busy with %d other questions; ask again later", count);
        return NULL;
    }
    struct task *task = mem_new(1, sizeof *task);
    *task = (struct task){.next = tasks->first, .tasks = tasks, .number = ++tasks->last_number};
    tasks->first = task;
    return task;
}

static void free_task(struct task *task) {
    if (task->child)
        link_free(task->child, 0);
    task->check = CHECK_OVER; // nobody is to be told how it ends
    sitting_free(task->sitting);
    if (task->request)
        game_request_done(task->request);
    free(task->request);
    buf_done(&task->output);
    buf_done(&task->noise);
    free(task->command);
    json_decref(task->moves);
    json_decref(task->result);
    free(task);
}

static void drop_task(struct tasks *tasks, struct task *task) {
    struct task **at = &tasks->first;
    while (*at != task)
        at = &(*at)->next;
    *at = task->next;
    free_task(task);
}

// Thinking.

static bool is_over_at(const struct task *task, int at, int *due) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    task->game->start(&state, &task->rules, NULL, why);
    for (int i = 0; i < at; i++) {
        char *one = mem_text(json_string_value(json_array_get(task->moves, (size_t)i))), *bad;
        int played;
        const char *wrong = game_play_line(task->game, &state, one, &played, &bad);
        free(one);
        if (wrong)
            return true;
    }
    if (game_is_over(task->game, &state))
        return true;
    *due = task->game->due(&state);
    return false;
}

static void put_command(const struct task *task, struct buf *out) {
    shell_put_quoted(out, task->tasks->services->program);
    buf_format(out, " analyse %s --json --time %s", task->game->name, task->seconds);
    for (int i = 0; i < task->game->rule_count; i++) {
        struct buf rule = {.data = NULL};
        buf_format(&rule, "%s=%s", task->game->rules[i].key, task->rules.text[i]);
        buf_text(out, " --set ");
        shell_put_quoted(out, rule.data);
        buf_done(&rule);
    }
    struct buf moves = {.data = NULL};
    buf_text(&moves, "");
    for (int i = 0; i < task->at; i++)
        buf_format(&moves, "%s%s", i ? ";" : "",
                   json_string_value(json_array_get(task->moves, (size_t)i)));
    buf_text(out, " --moves ");
    shell_put_quoted(out, moves.data);
    buf_done(&moves);
}

static void finish_thinking(struct task *task) {
    task->seconds = NULL;
    end_task(task, TASK_DONE);
    if (task->done)
        task->done(task->owner, task->study_id, task->result);
}

// Takes one answer, and goes to the next position if the whole game is studied.
static void take_thought(struct task *task, json_t *take_thought) {
    int due = 1;
    if (!*task->study_id) {
        json_decref(task->result);
        task->result = take_thought;
        finish_thinking(task);
        return;
    }
    json_object_set_new(take_thought, "ply", json_integer(task->at));
    json_array_append_new(json_object_get(task->result, "values"), take_thought);
    is_over_at(task, task->at, &due);
    task->at += due;
    if (task->at > (int)json_array_size(task->moves) || is_over_at(task, task->at, &due))
        finish_thinking(task);
}

static void start_thinking(struct task *task);

// Takes the lines that tell how far it is; what remains is the last line.
static void hear_progress(struct task *task) {
    for (const char *end; (end = memchr(task->output.data, '\n', task->output.length)) &&
                          end + 1 < task->output.data + task->output.length;) {
        const size_t length = (size_t)(end - task->output.data);
        json_t *line = json_loadb(task->output.data, length, 0, NULL);
        task->at = json_int(json_object_get(line, "done"), 0);
        task->of = json_int(json_object_get(line, "of"), 0);
        json_decref(line);
        buf_drop(&task->output, length + 1);
    }
}

static void task_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct task *task = owner;
    (void)now_us;
    if (task->output.length + length < (task->command ? RUN_MAX : OUTPUT_MAX))
        buf_put(&task->output, bytes, length);
    if (task->command)
        hear_progress(task);
}

static void task_noise(void *owner, const char *bytes, size_t length) {
    struct task *task = owner;
    if (task->noise.length + length < NOISE_MAX)
        buf_put(&task->noise, bytes, length);
}

static void task_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct task *task = owner;
    (void)now_us;
    link_free(task->child, 0);
    task->child = NULL;
    json_t *thought =
        task->output.length ? json_loadb(task->output.data, task->output.length, 0, NULL) : NULL;
    if (json_is_object(thought) && task->command && how->exited && how->code == 0) {
        task->result = thought;
        end_task(task, TASK_DONE);
        return;
    }
    if (json_is_object(thought) && !task->command) {
        take_thought(task, thought);
        if (task->seconds)
            start_thinking(task);
        return;
    }
    json_decref(thought);
    task->seconds = NULL;
    fail(task, task->noise.length ? task->noise.data : "the engine has given no answer");
}

static void start_thinking(struct task *task) {
    static const struct link_events events = {
        .bytes = task_heard, .gone = task_gone, .noise = task_noise};
    struct buf command = {.data = NULL};
    struct err err = {.set = false};
    if (task->command)
        buf_text(&command, task->command);
    else
        put_command(task, &command);
    buf_clear(&task->output);
    buf_clear(&task->noise);
    const struct program program = {.command = command.data};
    task->child = link_new_pipe(task->tasks->services->loop, &program, &events, task, &err);
    buf_done(&command);
    if (!task->child) {
        task->seconds = NULL;
        fail(task, err.text);
    }
}

static bool read_position(struct task *task, const json_t *asked, const char *settings,
                          struct err *err) {
    const char *name = json_string_value(json_object_get(asked, "game"));
    const json_t *moves = json_object_get(asked, "moves");
    int due;
    task->game = name ? game_find(name) : NULL;
    if (!task->game || !json_is_array(moves))
        return err_set(err, "a position has a game and moves");
    ruleset_init(&task->rules, task->game);
    const json_t *set = json_object_get(asked, settings);
    for (int i = 0; i < task->game->rule_count; i++) { // a record has more settings than these
        const json_t *value = json_object_get(set, task->game->rules[i].key);
        char number[RULE_TEXT_MAX], why[WHY_TEXT_MAX];
        const char *text = json_string_value(value);
        if (!value)
            continue;
        if (json_is_integer(value)) {
            snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
            text = number;
        }
        if (!text)
            return err_set(err, "the setting %.40s is no text", task->game->rules[i].key);
        if (!ruleset_set(&task->rules, task->game->rules[i].key, text, why))
            return err_set(err, "%s", why);
    }
    task->moves = json_array();
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *one = json_string_value(json_array_get(moves, i));
        if (!one)
            return err_set(err, "a move is a text");
        json_array_append_new(task->moves, json_text(one));
    }
    task->at = *task->study_id ? 0 : (int)json_array_size(moves);
    return !is_over_at(task, task->at, &due) ||
           err_set(err, "the game is over there, or a move is not legal");
}

int tasks_think(struct tasks *tasks, const json_t *asked, struct err *err) {
    struct task *task = add_task(tasks, err);
    if (!task)
        return 0;
    task->seconds = HINT_SECONDS;
    if (read_position(task, asked, "set", err))
        return task->number;
    drop_task(tasks, task);
    return 0;
}

int tasks_run(struct tasks *tasks, const char *arguments, struct err *err) {
    struct task *task = add_task(tasks, err);
    struct buf command = {.data = NULL};
    if (!task)
        return 0;
    shell_put_quoted(&command, tasks->services->program);
    buf_format(&command, " %s", arguments);
    task->command = command.data;
    return task->number;
}

int tasks_find_study(const struct tasks *tasks, const char *id) {
    for (const struct task *task = tasks->first; task; task = task->next)
        if (strcmp(task->study_id, id) == 0)
            return task->number;
    return 0;
}

int tasks_study(struct tasks *tasks, const char *id, const json_t *record,
                void (*done)(void *owner, const char *id, const json_t *study), void *owner,
                struct err *err) {
    const int running = tasks_find_study(tasks, id);
    if (running)
        return running;
    struct task *task = add_task(tasks, err);
    if (!task)
        return 0;
    snprintf(task->study_id, GAME_ID_MAX, "%s", id);
    task->seconds = STUDY_SECONDS;
    task->done = done;
    task->owner = owner;
    task->result = json_pack("{s:[]}", "values");
    if (read_position(task, record, "settings", err))
        return task->number;
    drop_task(tasks, task);
    return 0;
}

// Checking a player: it sits opposite a person. Once the first move is asked for, of whomever, both
// are ready.

static void check_over(void *owner, const struct match *match, json_t *take_record) {
    struct task *task = owner;
    const struct fault *f = match_verdict(match);
    json_decref(take_record);
    if (task->check != CHECK_PLAYING)
        return;
    task->check = CHECK_OVER;
    fail(task, f ? f->evidence : "it did not start");
    task->word = f ? verdict_word(f->verdict) : "";
}

static void check_asked(void *owner, const struct match *match, int player) {
    struct task *task = owner;
    (void)match;
    if (player == 0)
        task->check = CHECK_READY;
}

int tasks_check(struct tasks *tasks, const json_t *asked, struct err *err) {
    static const struct sitting_events events = {.over = check_over, .asked = check_asked};
    struct task *task = add_task(tasks, err);
    if (!task)
        return 0;
    struct game_request *r = task->request = mem_new(1, sizeof *r);
    const char *player = json_string_value(json_object_get(asked, "player"));
    json_t *plan = json_pack("{s:O?, s:[s, s]}", "game", json_object_get(asked, "game"), "seats",
                             "human", player ? player : "");
    if (game_request_read(r, tasks->services, plan, err)) {
        r->sitting.wait_us = r->sitting.limits.start_s * INT64_C(1000000);
        task->sitting = sitting_new(&r->sitting, &events, task);
        sitting_play(task->sitting, &(struct sitting_game){.index = 0}, err);
    }
    json_decref(plan);
    if (!err->set)
        return task->number;
    drop_task(tasks, task);
    return 0;
}

// What was told from within the sitting is done from outside.
static void end_check(struct task *task) {
    if (task->check == CHECK_READY) {
        task->result = json_pack("{s:o}", "name", json_text(sitting_name(task->sitting, 1)));
        end_task(task, TASK_DONE);
    }
    task->check = CHECK_OVER;
    sitting_free(task->sitting);
    task->sitting = NULL;
}

struct tasks *tasks_new(const struct services *services) {
    struct tasks *tasks = mem_new(1, sizeof *tasks);
    tasks->services = services;
    return tasks;
}

void tasks_free(struct tasks *tasks) {
    while (tasks && tasks->first)
        drop_task(tasks, tasks->first);
    free(tasks);
}

void tasks_tick(struct tasks *tasks, int64_t now_us) {
    int thinking = 0;
    for (const struct task *task = tasks->first; task; task = task->next)
        thinking += task->child != NULL;
    for (struct task *task = tasks->first, *next; task; task = next) {
        next = task->next;
        if (task->sitting && task->check != CHECK_PLAYING)
            end_check(task);
        if (task->state == TASK_WORKING && (task->seconds || task->command) && !task->child &&
            thinking < AT_ONCE) {
            start_thinking(task);
            thinking++;
        }
        if (task->state != TASK_WORKING && now_us - task->ended_us > KEEP_US)
            drop_task(tasks, task);
    }
}

json_t *tasks_look(const struct tasks *tasks, int number) {
    static const char *const words[] = {"working", "done", "failed"};
    const struct task *task = tasks->first;
    while (task && task->number != number)
        task = task->next;
    if (!task)
        return NULL;
    return json_pack("{s:s, s:i, s:i, s:O?, s:o, s:s}", "state", words[task->state], "done",
                     task->at, "of", task->command ? task->of : (int)json_array_size(task->moves),
                     "result", task->result, "error", json_text(task->error), "word",
                     task->word ? task->word : "");
}
