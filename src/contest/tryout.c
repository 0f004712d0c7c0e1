// SPDX-License-Identifier: MIT
// A try-out is a game of a contest of two. The test game is one: the player who was handed in, and
// `easy`.
#include "contest/tryout.h"

#include "base/child.h"
#include "base/signals.h"
#include "contest/job.h"
#include "contest/play.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { STAGE_PORT = 8888, LOG_LINE = 4000 };

static void tell_log(void *owner, const char *bytes, size_t length) {
    char part[LOG_LINE + 1];
    for (size_t n; length > 0; bytes += n, length -= n) {
        n = length < LOG_LINE ? length : LOG_LINE;
        memcpy(part, bytes, n);
        part[n] = '\0';
        for (size_t i = 0; i < n; i++)
            part[i] = part[i] ? part[i] : ' ';
        child_tell(*(const int *)owner, json_pack("{s:o}", "log", json_text(part)));
    }
}

// A contest of two, as far as one game needs it.
static void make_plan(struct plan *plan, const struct submissions_options *o, int seed,
                      struct plan_player players[2]) {
    *plan = (struct plan){.name = "test game",
                          .rules = *o->rules,
                          .limits = *o->player_limits,
                          .conditions = *o->conditions,
                          .house = "builtin",
                          .seed = (uint64_t)seed,
                          .jobs = 1,
                          .cores = 1,
                          .port = STAGE_PORT,
                          .address = "127.0.0.1",
                          .players = players,
                          .player_count = 2,
                          .strangers = players[0].folder && players[1].folder ? 2 : 1};
    penalties_init(&plan->penalties, o->rules->game);
}

static const struct stored_game test_game = {
    .number = 1, .black = 0, .white = 1, .blocks = -1, .home = "", .tries = 1, .worker = ""};

bool tryout_deal(const struct submissions_options *o, int seed, struct deal *deal,
                 struct err *err) {
    struct plan_player players[2] = {{.name = ""}, {.name = ""}};
    struct plan plan;
    make_plan(&plan, o, seed, players);
    return job_deal(&plan, &test_game, deal, err);
}

_Noreturn void tryout_play(const struct submissions_options *o,
                           const struct tryout_side sides[static 2], int seed, int out) {
    struct plan_player players[2];
    struct plan plan;
    for (int i = 0; i < 2; i++)
        players[i] = (struct plan_player){.name = sides[i].name,
                                          .team = "",
                                          .start = sides[i].start,
                                          .folder = sides[i].folder,
                                          .group = -1};
    make_plan(&plan, o, seed, players);
    const struct play_job job = {
        .plan = &plan,
        .game = &test_game,
        .files = {{.folder = sides[0].folder}, {.folder = sides[1].folder}},
        .program = o->program,
        .box = o->box,
        .cores = 1,
        .live = true};
    play_game(&job, out);
}

_Noreturn void tryout_run(const struct submissions_options *o, const char *path, const char *into,
                          int out) {
    const struct submit_job job = {.path = path,
                                   .into = into,
                                   .game = o->rules->game->name,
                                   .kits = o->kits,
                                   .box = o->box,
                                   .limits = o->limits,
                                   .rules = o->takes,
                                   .log = tell_log,
                                   .owner = &out};
    struct submit_result result;
    struct err err = {.set = false};
    signal(SIGPIPE, SIG_IGN);
    signals_hold(false);
    if (!submit_make(&job, &result, &err)) {
        child_tell(out, json_pack("{s:o}", "error", json_text(err.text)));
        _exit(0);
    }
    signals_hold(true);
    child_tell(out, json_pack("{s:{s:s, s:o, s:o, s:o}}", "made", "finding",
                              finding_word(result.finding), "text", json_text(result.text), "kind",
                              json_text(result.kind), "start", json_text(result.start)));
    if (result.finding != FINDING_GOOD)
        _exit(0);
    const struct tryout_side sides[2] = {
        {.name = "submission", .folder = into, .start = result.start},
        {.name = "easy", .start = o->opponent ? o->opponent : "builtin:easy"}};
    tryout_play(o, sides, TRYOUT_TEST_SEED, out);
}
