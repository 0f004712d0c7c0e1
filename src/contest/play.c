// SPDX-License-Identifier: MIT
#include "contest/play.h"

#include "base/buf.h"
#include "base/child.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/mem.h"
#include "base/signals.h"
#include "folder/folder.h"
#include "referee/box_files.h"
#include "referee/network.h"
#include "referee/sitting.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LOG_BYTES = 1 << 17 }; // of a game, at most

struct job_play {
    const struct play_job *job;
    int out;
    struct player player[2]; // black, white
    const char *trouble[2];  // why they cannot be started, or NULL
    struct player_limits limits;
    struct loop *loop;
    struct lobby *lobby;
    struct log *log; // of games with players that are not ours; NULL: none
    struct sitting *sitting;
    int64_t begin_us, first_us; // when the table was set, when the first move had come
    int shown;                  // moves that were told of
    bool named;                 // what the players call themselves was told, too
    bool told;
    struct err err;
};

static void tell(const struct job_play *play, json_t *take_line) {
    child_tell(play->out, take_line);
}

static const char *start_of(const struct plan *plan, int player) {
    return player == HOUSE ? plan->house : plan->players[player].start;
}

// Reads them, or finds out why one cannot be started: its file may be missing.
static void read_players(struct job_play *play) {
    const struct stored_game *g = play->job->game;
    const struct plan *plan = play->job->plan;
    for (int i = 0; i < 2; i++) {
        const struct player_files *files = &play->job->files[i];
        const char *planned = start_of(plan, i ? g->white : g->black),
                   *start = files->start ? files->start
                            : planned    ? planned
                                         : "a folder";
        struct player *player = &play->player[i];
        struct err err = {.set = false};
        play->trouble[i] = files->trouble;
        if (!files->trouble && !player_read_in(player, start, files->folder, plan->rules.game,
                                               play->job->program, &err))
            play->trouble[i] = mem_text(err.text);
        if (play->trouble[i]) // somebody who never comes
            player_init(player, start, files->folder);
    }
}

// One game gets what memory there is. Whether the organiser's own limit fits is asked before.
static void fit_memory(struct job_play *play) {
    const struct plan *plan = play->job->plan;
    const struct player_limits_room room = player_limits_here(plan->rules.game, plan->strangers, 1);
    char words[PLAYER_LIMITS_WORDS];
    struct err unused = {.set = false};
    player_limits_fit(&play->limits, &room, words, &unused);
}

// Boxes those that are not ours. Who cannot be boxed cannot be started; who plays against one that
// cannot be started is started in its box as always.
static void box_players(struct job_play *play) {
    struct err refusal[2] = {{.set = false}, {.set = false}};
    play->limits = play->job->plan->limits;
    play->limits.box = play->job->box;
    fit_memory(play);
    if (play->job->box)
        box_files_show(&play->player[0], &play->player[1], &play->limits, refusal);
    for (int i = 0; i < 2; i++)
        if (refusal[i].set)
            play->trouble[i] = mem_text(refusal[i].text);
}

static bool has_team(const struct job_play *play) {
    return play->player[0].kind == PLAYER_TEAM || play->player[1].kind == PLAYER_TEAM;
}

static const char *name_of(const struct plan *plan, int player) {
    return player == HOUSE ? "the house" : plan->players[player].name;
}

// What the contest says of its game.
static json_t *contest_of(const struct job_play *play) {
    const struct stored_game *g = play->job->game;
    const struct plan *plan = play->job->plan;
    return json_pack("{s:o, s:I, s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:I, s:[o, o]}", "name",
                     json_text(plan->name), "number", (json_int_t)g->number, "stage", g->stage,
                     "round", g->round, "table", g->table, "leg", g->leg, "attempt", g->attempt,
                     "tries", g->tries, "worker", json_text(g->worker), "speed",
                     (json_int_t)g->speed, "players", json_text(name_of(plan, g->black)),
                     json_text(name_of(plan, g->white)));
}

// What was said in the game; NULL: it is not kept.
static json_t *messages_of(const struct job_play *play) {
    struct buf text = {.data = NULL};
    if (play->log)
        log_put(play->log, LOG_BYTES, &text);
    json_t *messages = text.data ? json_text(text.data) : NULL;
    buf_done(&text);
    return messages;
}

static void game_over(void *owner, const struct match *match, json_t *take_record) {
    struct job_play *play = owner;
    const int64_t now = clock_now_us();
    const struct match_move *moves;
    const char *unused;
    const int opening = match_opening(match), plies = match_moves(match, &moves, &unused);
    const int64_t first_ms = opening < plies ? moves[opening].us / 1000 : 0;
    const int64_t ready = play->first_us ? play->first_us - first_ms * 1000 : now;
    json_object_set_new(take_record, "contest", contest_of(play));
    tell(play,
         json_pack("{s:o, s:I, s:I, s:I, s:o*}", "record", take_record, "begin_us",
                   (json_int_t)play->begin_us, "start_us", (json_int_t)(ready - play->begin_us),
                   "play_us", (json_int_t)(now - ready), "messages", messages_of(play)));
    play->told = true;
    loop_stop(play->loop);
}

// Both are there: what those that are not ours call themselves is known.
static void game_asked(void *owner, const struct match *match, int player) {
    struct job_play *play = owner;
    json_t *names = json_array(), *departments = json_array();
    (void)match, (void)player;
    bool any = false;
    for (int i = 0; i < 2; i++) {
        const bool tells = player_is_stranger(&play->player[i]);
        const char *name = tells ? sitting_name(play->sitting, i) : "",
                   *department = tells ? sitting_department(play->sitting, i) : "";
        any |= *name || *department;
        json_array_append_new(names, json_text(name));
        json_array_append_new(departments, json_text(department));
    }
    json_t *line = json_pack("{s:o, s:o}", "names", names, "departments", departments);
    if (any && play->job->live && !play->named)
        tell(play, json_incref(line));
    play->named = true;
    json_decref(line);
}

static void game_moved(void *owner, const struct match *match) {
    struct job_play *play = owner;
    const struct match_move *moves;
    const char *unused;
    char text[MOVE_TEXT_MAX];
    const int plies = match_moves(match, &moves, &unused);
    if (!play->first_us)
        play->first_us = clock_now_us();
    for (; play->job->live && play->shown < plies; play->shown++) // a turn may hold several
        tell(play, json_pack("{s:s, s:i}", "moved", match_move_text(match, play->shown, text),
                             "ply", play->shown + 1));
}

static void tell_note(void *owner, const char *words) {
    const struct job_play *play = owner;
    tell(play, json_pack("{s:o}", "note", json_text(words)));
}

static void game_interrupted(void *owner) {
    struct job_play *play = owner;
    play->told = true; // nothing: it is played again
    loop_stop(play->loop);
}

static bool has_doors(const struct job_play *play) {
    return players_need_no_port(&play->player[0], &play->player[1], play->limits.box);
}

// A network of its own, unless a team comes from outside, or this machine refuses one and no other
// game needs the port.
static bool find_network(struct job_play *play) {
    struct err refusal = {.set = false};
    if (!has_team(play) || has_doors(play) || player_is_awaited(&play->player[0]) ||
        player_is_awaited(&play->player[1]))
        return true;
    return network_enter(&refusal) || play->job->alone || err_set(&play->err, "%s", refusal.text);
}

// Whether a team comes from outside by way of whoever has the judge's port.
static bool is_lent(const struct job_play *play) {
    return play->job->lent &&
           (player_is_awaited(&play->player[0]) || player_is_awaited(&play->player[1]));
}

static void tell_teams(const struct job_play *play) {
    for (int i = 0; i < 2; i++) {
        const struct player *p = &play->player[i];
        if (player_needs_port(p, play->limits.box))
            tell(play, json_pack("{s:i, s:i}", "team", p->team, "port", lobby_port(play->lobby)));
    }
}

static bool open_lobby(struct job_play *play) {
    const struct plan *plan = play->job->plan;
    const bool lent = is_lent(play);
    play->lobby = lobby_new(play->loop, lent ? "127.0.0.1" : plan->address,
                            lent || has_doors(play) ? 0 : plan->port, tell_note, play, &play->err);
    if (!play->lobby)
        return false;
    if (lent || has_doors(play)) // players know but that one
        lobby_set_port_inside(play->lobby, plan->port);
    if (lent) {
        lobby_lend(play->lobby);
        tell_teams(play);
    }
    return true;
}

static bool sit_down(struct job_play *play) {
    static const struct sitting_events events = {
        .asked = game_asked, .moved = game_moved, .over = game_over, .note = tell_note};
    const struct plan *plan = play->job->plan;
    const struct stored_game *g = play->job->game;
    play->loop = loop_new(&play->err);
    if (!play->loop || (has_team(play) && !open_lobby(play)))
        return false;
    if (player_is_stranger(&play->player[0]) || player_is_stranger(&play->player[1]))
        play->log = log_new();
    const struct sitting_config config = {.loop = play->loop,
                                          .lobby = play->lobby,
                                          .log = play->log,
                                          .player = {&play->player[0], &play->player[1]},
                                          .rules = plan->rules,
                                          .penalties = plan->penalties,
                                          .limits = play->limits,
                                          .conditions = job_conditions(plan, g),
                                          .in_pairs = job_is_paired(plan, g),
                                          .seed = job_seed(plan, g),
                                          .grace_us = plan->grace_us,
                                          .wait_us = plan->wait_us};
    play->sitting = sitting_new(&config, &events, play);
    loop_on_interrupt(play->loop, game_interrupted, play);
    signals_hold(false);
    return true;
}

static bool play_it(struct job_play *play) {
    read_players(play);
    box_players(play);
    if (!find_network(play) || !sit_down(play))
        return false;
    const struct sitting_game game = {.index = play->job->game->leg,
                                      .absent = {play->trouble[0], play->trouble[1]}};
    play->begin_us = clock_now_us();
    if (!sitting_play(play->sitting, &game, &play->err))
        return false;
    if (!play->told)
        loop_run(play->loop);
    return true;
}

_Noreturn void play_game(const struct play_job *job, int out) {
    struct job_play play = {.job = job, .out = out};
    signal(SIGPIPE, SIG_IGN);
    folder_tell_failure(out);
    cores_pin(job->place, job->cores);
    if (!play_it(&play))
        tell(&play, json_pack("{s:o}", "error", json_text(play.err.text)));
    signals_hold(true);
    sitting_free(play.sitting);
    lobby_free(play.lobby);
    if (play.loop)
        loop_free(play.loop);
    _exit(0);
}
