// SPDX-License-Identifier: MIT
// `arbiter contest live`: runs a contest for a program that shows it. Every event is a line of
// JSON: a game begun, moved or ended, a team that is to be sent on to a port (the other program has
// the judge's), and all there is to tell whenever it has changed. Lines on
// standard input say `pause` and `continue`; its end ends the contest for now. With --look it plays
// nothing: it tells how the contest stands, if it has begun, and ends.
#include "base/builtin.h"
#include "base/embed.h"
#include "base/path.h"
#include "base/plain.h"
#include "cli/box_option.h"
#include "cli/contest/contest.h"
#include "contest/report/report.h"
#include "contest/runner.h"
#include "referee/record.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LEASE_US = 30000000 };

struct tell {
    const struct plan *plan;
    struct runner *runner;
};

static void put(json_t *take_line) {
    json_print_line(stdout, take_line);
    fflush(stdout);
}

static void contest_live_note(void *owner, const char *words) {
    (void)owner;
    put(json_pack("{s:s, s:o}", "event", "note", "words", json_text(words)));
}

static const char *name_of(const struct plan *plan, int player) {
    return player < 0 ? "" : plan->players[player].name; // "": the house
}

// What a player is to be shown as: a built-in one that is named by what starts it, the house, or an
// entrant.
static const char *kind_of(const struct plan *plan, int player) {
    const struct plan_player *p = player < 0 ? NULL : &plan->players[player];
    if (!p)
        return "house";
    return p->start && strcmp(p->start, p->name) == 0 && builtin_is_name(p->name) ? p->name
                                                                                  : "entrant";
}

// What the game is played under, drawn as whoever plays it has drawn it.
static void contest_live_began(void *owner, const struct stored_game *g) {
    const struct tell *t = owner;
    struct deal deal;
    struct err err = {.set = false};
    job_deal(t->plan, g, &deal, &err);
    put(json_pack("{s:s, s:I, s:i, s:i, s:i, s:i, s:[o, o], s:[s, s], s:o, s:I, s:s}", "event",
                  "began", "number", (json_int_t)g->number, "stage", g->stage, "round", g->round,
                  "table", g->table, "leg", g->leg, "players",
                  json_text(name_of(t->plan, g->black)), json_text(name_of(t->plan, g->white)),
                  "kinds", kind_of(t->plan, g->black), kind_of(t->plan, g->white), "settings",
                  record_rules(&deal.rules), "time_ms", (json_int_t)(deal.time_us / 1000),
                  "opening", deal.opening ? deal.opening : ""));
    free(deal.opening);
}

static void contest_live_named(void *owner, int64_t number, const json_t *told) {
    (void)owner;
    put(json_pack("{s:s, s:I, s:O?, s:O?}", "event", "named", "number", (json_int_t)number, "names",
                  json_object_get(told, "names"), "departments",
                  json_object_get(told, "departments")));
}

static void contest_live_moved(void *owner, int64_t number, int ply, const char *words) {
    (void)owner;
    put(json_pack("{s:s, s:I, s:i, s:o}", "event", "moved", "number", (json_int_t)number, "ply",
                  ply, "move", json_text(words)));
}

static void contest_live_team(void *owner, int number, int port) {
    (void)owner;
    put(json_pack("{s:s, s:i, s:i}", "event", "team", "team", number, "port", port));
}

static void contest_live_ended(void *owner, const struct stored_game *g) {
    (void)owner;
    struct buf line = {.data = NULL};
    buf_format(&line, "{\"event\":\"ended\",\"number\":%lld,\"record\":%s}\n", // is JSON already
               (long long)g->number, g->record);
    plain_write_json(stdout, line.data);
    fflush(stdout);
    buf_done(&line);
}

static json_t *meeting_of(const struct stage_state *stage, const struct meeting *m) {
    json_t *players = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(players,
                              json_integer(m->player[i] < 0 ? -1 : stage->players[m->player[i]]));
    return json_pack("{s:i, s:i, s:o, s:b, s:i, s:[i, i]}", "round", m->round, "table", m->table,
                     "players", players, "over", m->is_over, "winner", m->winner, "points",
                     m->points[0], m->points[1]);
}

// The meetings of each stage, for brackets; players by their place in the field.
static json_t *meetings_of(const struct state *state) {
    json_t *stages = json_array();
    for (int i = 0; i < state->begun; i++) {
        const struct stage_state *stage = &state->stages[i];
        json_t *list = json_array();
        for (int k = 0; k < stage->meetings.count; k++)
            json_array_append_new(list, meeting_of(stage, &stage->meetings.list[k]));
        json_array_append_new(stages, list);
    }
    return stages;
}

static void contest_live_changed(void *owner, const struct state *state) {
    (void)owner;
    struct report *report = report_new(state);
    json_t *all = report_json(report), *names = json_array(), *stages = json_array();
    for (int i = 0; i < state->plan->player_count; i++)
        json_array_append_new(names, json_text(state->plan->players[i].name));
    for (int i = 0; i < state->plan->stage_count; i++) {
        const struct plan_stage *s = &state->plan->stages[i];
        json_array_append_new(
            stages, json_pack("{s:o, s:s, s:i, s:b, s:i, s:i}", "name", json_text(s->name),
                              "format", s->format.schedule->name, "games", s->games, "best_of",
                              s->best_of, "advance", s->advance, "groups", s->format.groups));
    }
    json_object_set_new(all, "field", names);
    json_object_set_new(all, "seed", json_sprintf("%llu", (unsigned long long)state->plan->seed));
    json_object_set_new(all, "plan", stages);
    json_object_set_new(all, "meetings", meetings_of(state));
    put(json_pack("{s:s, s:o}", "event", "report", "report", all));
    report_free(report);
}

// Heeds what came on standard input; false at its end.
static bool heed(const struct tell *t) {
    char bytes[256];
    const ssize_t length = read(STDIN_FILENO, bytes, sizeof bytes - 1);
    if (length <= 0)
        return length < 0 && errno == EINTR;
    bytes[length] = '\0';
    for (char *rest = bytes, *line; (line = strsep(&rest, "\n"));) {
        if (strcmp(line, "pause") == 0 || strcmp(line, "continue") == 0)
            runner_pause(t->runner, *line == 'p');
    }
    return true;
}

static bool work(const struct tell *t, struct err *err) {
    while (!runner_is_over(t->runner)) {
        struct pollfd fds[] = {{.fd = runner_fd(t->runner), .events = POLLIN},
                               {.fd = STDIN_FILENO, .events = POLLIN}};
        if (!runner_work(t->runner, err))
            return false;
        if (runner_is_over(t->runner))
            break;
        if (poll(fds, 2, -1) > 0 && fds[1].revents && !heed(t))
            return true;
    }
    put(json_pack("{s:s}", "event", "over"));
    return true;
}

static int look(const struct contest *c, struct err *err) {
    struct state *state = state_load(c->plan, c->store, err);
    if (!state)
        return -1;
    if (state->game_count > 0)
        contest_live_changed(NULL, state);
    state_free(state);
    return 0;
}

static int live(struct contest *c, struct err *err) {
    static const struct dispatch_events events = {.began = contest_live_began,
                                                  .named = contest_live_named,
                                                  .moved = contest_live_moved,
                                                  .team = contest_live_team,
                                                  .ended = contest_live_ended,
                                                  .changed = contest_live_changed,
                                                  .note = contest_live_note};
    char program[PATH_PROGRAM_MAX];
    struct box box;
    const struct dispatch_options options = {
        .jobs = c->plan->jobs,
        .cores = c->plan->cores,
        .lease_us = LEASE_US,
        .program = path_of_program(program),
        .box = box_option_choose(&box, c->args, contest_live_note, NULL, err),
        .kits = kit_files,
        .is_home = true,
        .live = true,
        .lent = true};
    struct tell tell = {.plan = c->plan};
    signal(SIGPIPE, SIG_IGN);
    if (contest_enter(c, err) && !err->set)
        tell.runner = runner_new(c->plan, c->store, &options, &events, &tell, err);
    const bool good = tell.runner && work(&tell, err);
    runner_free(tell.runner);
    box_done(&box);
    return good ? 0 : -1;
}

int contest_live(struct contest *c, struct err *err) {
    return args_value(c->args, "--look") ? look(c, err) : live(c, err);
}
