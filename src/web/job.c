// SPDX-License-Identifier: MIT
#include "web/job.h"

#include "base/clock.h"
#include "base/mem.h"
#include "link/link.h"
#include "link/shell.h"
#include "referee/sheet.h"
#include "web/wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    JOBS_MAX = 40,
    AT_ONCE = 2,          // children that think
    KEEP_US = 120000000,  // a job that is done is kept so long
    OUTPUT_MAX = 1 << 16, // bytes read of a child that thinks
    RUN_MAX = 32 << 20,   // and of one that is run
    NOISE_MAX = 400,
};

#define HINT_SECONDS "1"
#define STUDY_SECONDS "0.25"

enum job_state { JOB_WORKING, JOB_DONE, JOB_FAILED };

struct job {
    struct job *next;
    struct jobs *jobs;
    int number;
    enum job_state state;
    int64_t ended_us;
    json_t *result;
    char error[ERR_TEXT_MAX];
    const char *word; // what the player did wrong, or NULL
    // a seat that is checked: its table, opposite a person
    struct room *room;
    struct table *table, *old;
    bool checked;
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
    char study_id[ROOM_ID_MAX];
    void (*done)(void *owner, const char *id, const json_t *study);
    void *owner;
};

struct jobs {
    const struct room_house *house;
    struct job *first;
    int last_number;
};

static void end_job(struct job *job, enum job_state state) {
    job->state = state;
    job->ended_us = clock_now_us();
}

static void fail(struct job *job, const char *words) {
    static const char own[] = "arbiter: ";
    if (strncmp(words, own, sizeof own - 1) == 0)
        words += sizeof own - 1;
    snprintf(job->error, sizeof job->error, "%.*s", (int)strcspn(words, "\n"), words);
    end_job(job, JOB_FAILED);
}

static struct job *add_job(struct jobs *jobs, struct err *err) {
    int count = 0;
    for (const struct job *job = jobs->first; job; job = job->next)
        count++;
    if (count >= JOBS_MAX) {
        err_set(err, "the server is busy with %d other questions; ask again later", count);
        return NULL;
    }
    struct job *job = mem_new(1, sizeof *job);
    *job = (struct job){.next = jobs->first, .jobs = jobs, .number = ++jobs->last_number};
    jobs->first = job;
    return job;
}

static void free_job(struct job *job) {
    if (job->child)
        link_free(job->child, 0);
    table_free(job->table);
    table_free(job->old);
    if (job->room) {
        seat_done(&job->room->seat[0]);
        seat_done(&job->room->seat[1]);
        free(job->room);
    }
    buf_done(&job->output);
    buf_done(&job->noise);
    free(job->command);
    json_decref(job->moves);
    json_decref(job->result);
    free(job);
}

static void drop_job(struct jobs *jobs, struct job *job) {
    struct job **at = &jobs->first;
    while (*at != job)
        at = &(*at)->next;
    *at = job->next;
    free_job(job);
}

// Thinking.

static bool is_over_at(const struct job *job, int at, int *due) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    job->game->start(&state, &job->rules, NULL, why);
    for (int i = 0; i < at; i++) {
        char *one = mem_text(json_string_value(json_array_get(job->moves, (size_t)i))), *bad;
        int played;
        const char *wrong = game_play_line(job->game, &state, one, &played, &bad);
        free(one);
        if (wrong)
            return true;
    }
    if (game_is_over(job->game, &state))
        return true;
    *due = job->game->due(&state);
    return false;
}

static void put_command(const struct job *job, struct buf *out) {
    shell_put_quoted(out, job->jobs->house->program);
    buf_format(out, " analyse %s --json --time %s", job->game->name, job->seconds);
    for (int i = 0; i < job->game->rule_count; i++) {
        struct buf rule = {.data = NULL};
        buf_format(&rule, "%s=%s", job->game->rules[i].key, job->rules.text[i]);
        buf_text(out, " --set ");
        shell_put_quoted(out, rule.data);
        buf_done(&rule);
    }
    struct buf moves = {.data = NULL};
    buf_text(&moves, "");
    for (int i = 0; i < job->at; i++)
        buf_format(&moves, "%s%s", i ? ";" : "",
                   json_string_value(json_array_get(job->moves, (size_t)i)));
    buf_text(out, " --moves ");
    shell_put_quoted(out, moves.data);
    buf_done(&moves);
}

static void finish_thinking(struct job *job) {
    job->seconds = NULL;
    end_job(job, JOB_DONE);
    if (job->done)
        job->done(job->owner, job->study_id, job->result);
}

// Takes one answer, and goes to the next position if the whole game is studied.
static void take_thought(struct job *job, json_t *take_thought) {
    int due = 1;
    if (!*job->study_id) {
        json_decref(job->result);
        job->result = take_thought;
        finish_thinking(job);
        return;
    }
    json_object_set_new(take_thought, "ply", json_integer(job->at));
    json_array_append_new(json_object_get(job->result, "values"), take_thought);
    is_over_at(job, job->at, &due);
    job->at += due;
    if (job->at > (int)json_array_size(job->moves) || is_over_at(job, job->at, &due))
        finish_thinking(job);
}

static void start_thinking(struct job *job);

// Takes the lines that tell how far it is; what remains is the last line.
static void hear_progress(struct job *job) {
    for (const char *end; (end = memchr(job->output.data, '\n', job->output.length)) &&
                          end + 1 < job->output.data + job->output.length;) {
        const size_t length = (size_t)(end - job->output.data);
        json_t *line = json_loadb(job->output.data, length, 0, NULL);
        job->at = json_int(json_object_get(line, "done"), 0);
        job->of = json_int(json_object_get(line, "of"), 0);
        json_decref(line);
        buf_drop(&job->output, length + 1);
    }
}

static void heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct job *job = owner;
    (void)now_us;
    if (job->output.length + length < (job->command ? RUN_MAX : OUTPUT_MAX))
        buf_put(&job->output, bytes, length);
    if (job->command)
        hear_progress(job);
}

static void noise(void *owner, const char *bytes, size_t length) {
    struct job *job = owner;
    if (job->noise.length + length < NOISE_MAX)
        buf_put(&job->noise, bytes, length);
}

static void gone(void *owner, const struct parting *how, int64_t now_us) {
    struct job *job = owner;
    (void)now_us;
    link_free(job->child, 0);
    job->child = NULL;
    json_t *thought =
        job->output.length ? json_loadb(job->output.data, job->output.length, 0, NULL) : NULL;
    if (json_is_object(thought) && job->command && how->exited && how->code == 0) {
        job->result = thought;
        end_job(job, JOB_DONE);
        return;
    }
    if (json_is_object(thought) && !job->command) {
        take_thought(job, thought);
        if (job->seconds)
            start_thinking(job);
        return;
    }
    json_decref(thought);
    job->seconds = NULL;
    fail(job, job->noise.length ? job->noise.data : "the engine has given no answer");
}

static void start_thinking(struct job *job) {
    static const struct link_events events = {.bytes = heard, .gone = gone, .noise = noise};
    struct buf command = {.data = NULL};
    struct err err = {.set = false};
    if (job->command)
        buf_text(&command, job->command);
    else
        put_command(job, &command);
    buf_clear(&job->output);
    buf_clear(&job->noise);
    const struct program program = {.command = command.data};
    job->child = link_new_pipe(job->jobs->house->loop, &program, &events, job, &err);
    buf_done(&command);
    if (!job->child) {
        job->seconds = NULL;
        fail(job, err.text);
    }
}

static bool read_position(struct job *job, const json_t *asked, const char *settings,
                          struct err *err) {
    const char *name = json_string_value(json_object_get(asked, "game"));
    const json_t *moves = json_object_get(asked, "moves");
    int due;
    job->game = name ? game_find(name) : NULL;
    if (!job->game || !json_is_array(moves))
        return err_set(err, "a position has a game and moves");
    ruleset_init(&job->rules, job->game);
    const json_t *set = json_object_get(asked, settings);
    for (int i = 0; i < job->game->rule_count; i++) { // a record has more settings than these
        const json_t *value = json_object_get(set, job->game->rules[i].key);
        char number[RULE_TEXT_MAX], why[WHY_TEXT_MAX];
        const char *text = json_string_value(value);
        if (!value)
            continue;
        if (json_is_integer(value)) {
            snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
            text = number;
        }
        if (!text)
            return err_set(err, "the setting %.40s is no text", job->game->rules[i].key);
        if (!ruleset_set(&job->rules, job->game->rules[i].key, text, why))
            return err_set(err, "%s", why);
    }
    job->moves = json_array();
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *one = json_string_value(json_array_get(moves, i));
        if (!one)
            return err_set(err, "a move is a text");
        json_array_append_new(job->moves, json_text(one));
    }
    job->at = *job->study_id ? 0 : (int)json_array_size(moves);
    return !is_over_at(job, job->at, &due) ||
           err_set(err, "the game is over there, or a move is not legal");
}

int jobs_think(struct jobs *jobs, const json_t *asked, struct err *err) {
    struct job *job = add_job(jobs, err);
    if (!job)
        return 0;
    job->seconds = HINT_SECONDS;
    if (read_position(job, asked, "set", err))
        return job->number;
    drop_job(jobs, job);
    return 0;
}

int jobs_run(struct jobs *jobs, const char *arguments, struct err *err) {
    struct job *job = add_job(jobs, err);
    struct buf command = {.data = NULL};
    if (!job)
        return 0;
    shell_put_quoted(&command, jobs->house->program);
    buf_format(&command, " %s", arguments);
    job->command = command.data;
    return job->number;
}

int jobs_find_study(const struct jobs *jobs, const char *id) {
    for (const struct job *job = jobs->first; job; job = job->next)
        if (strcmp(job->study_id, id) == 0)
            return job->number;
    return 0;
}

int jobs_study(struct jobs *jobs, const char *id, const json_t *record,
               void (*done)(void *owner, const char *id, const json_t *study), void *owner,
               struct err *err) {
    const int running = jobs_find_study(jobs, id);
    if (running)
        return running;
    struct job *job = add_job(jobs, err);
    if (!job)
        return 0;
    snprintf(job->study_id, ROOM_ID_MAX, "%s", id);
    job->seconds = STUDY_SECONDS;
    job->done = done;
    job->owner = owner;
    job->result = json_pack("{s:[]}", "values");
    if (read_position(job, record, "settings", err))
        return job->number;
    drop_job(jobs, job);
    return 0;
}

// Checking a seat: the player sits opposite a person; once the person is asked for his first move,
// both are ready.

static void check_over(void *owner, const struct match *match) {
    struct job *job = owner;
    const struct fault *f = match_verdict(match);
    if (job->state != JOB_WORKING || job->checked)
        return;
    job->old = job->table;
    job->table = NULL;
    fail(job, f ? f->evidence : "it did not start");
    job->word = f ? verdict_word(f->verdict) : "";
}

static void check_asked(void *owner, int seat, const char *request) {
    struct job *job = owner;
    if (strncmp(request, "abp ", 4) == 0)
        table_type(job->table, seat, "ready");
    else if (strncmp(request, "go ", 3) == 0)
        job->checked = true;
}

int jobs_check(struct jobs *jobs, const json_t *asked, struct err *err) {
    static const struct table_events events = {.over = check_over, .ask = check_asked};
    struct job *job = add_job(jobs, err);
    if (!job)
        return 0;
    struct room *room = job->room = mem_new(1, sizeof *room);
    const char *player = json_string_value(json_object_get(asked, "player"));
    json_t *plan = json_pack("{s:O?, s:[s, s]}", "game", json_object_get(asked, "game"), "seats",
                             "human", player ? player : "");
    room->house = jobs->house;
    struct match_config *c = &room->config;
    if (wish_read(room, plan, err)) {
        c->untimed[0] = true;
        c->start_us[0] = c->start_us[1] = room->terms.start_s * INT64_C(1000000);
        job->table = table_new(jobs->house->loop, &room->seat[0].player, &room->seat[1].player,
                               &room->terms, jobs->house->lobby, NULL, &events, job);
        table_play(job->table, c, 0, err);
    }
    json_decref(plan);
    if (!err->set)
        return job->number;
    job->checked = true; // nobody is to be told how it ends
    table_free(job->table);
    job->table = NULL;
    drop_job(jobs, job);
    return 0;
}

static void end_check(struct job *job) {
    job->result = json_pack("{s:o}", "name", json_text(table_name(job->table, 1)));
    end_job(job, JOB_DONE);
    table_abort(job->table, "checked");
    table_free(job->table);
    job->table = NULL;
}

struct jobs *jobs_new(const struct room_house *house) {
    struct jobs *jobs = mem_new(1, sizeof *jobs);
    jobs->house = house;
    return jobs;
}

void jobs_free(struct jobs *jobs) {
    while (jobs && jobs->first) {
        jobs->first->checked = true;
        drop_job(jobs, jobs->first);
    }
    free(jobs);
}

void jobs_tick(struct jobs *jobs, int64_t now_us) {
    int thinking = 0;
    for (const struct job *job = jobs->first; job; job = job->next)
        thinking += job->child != NULL;
    for (struct job *job = jobs->first, *next; job; job = next) {
        next = job->next;
        table_free(job->old);
        job->old = NULL;
        if (job->checked && job->table)
            end_check(job);
        if (job->state == JOB_WORKING && (job->seconds || job->command) && !job->child &&
            thinking < AT_ONCE) {
            start_thinking(job);
            thinking++;
        }
        if (job->state != JOB_WORKING && now_us - job->ended_us > KEEP_US)
            drop_job(jobs, job);
    }
}

json_t *jobs_look(const struct jobs *jobs, int number) {
    static const char *const words[] = {"working", "done", "failed"};
    const struct job *job = jobs->first;
    while (job && job->number != number)
        job = job->next;
    if (!job)
        return NULL;
    return json_pack("{s:s, s:i, s:i, s:O?, s:o, s:s}", "state", words[job->state], "done", job->at,
                     "of", job->command ? job->of : (int)json_array_size(job->moves), "result",
                     job->result, "error", json_text(job->error), "word",
                     job->word ? job->word : "");
}
