// SPDX-License-Identifier: MIT
#include "contest/play.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/cores.h"
#include "base/json.h"
#include "base/mem.h"
#include "referee/box_files.h"
#include "referee/network.h"
#include "referee/record.h"
#include "referee/table.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job_play {
    const struct play_job *job;
    int out;
    struct player player[2]; // black, white
    const char *trouble[2];  // why they cannot be started, or NULL
    struct conditions conditions;
    struct match_config config;
    struct player_limits limits;
    char *opening;
    uint64_t seed;
    struct loop *loop;
    struct lobby *lobby;
    struct table *table;
    int64_t begin_us, first_us; // when the table was set, when the first move had come
    int shown;                  // moves that were told of
    bool told;
    struct err err;
};

static void tell(const struct job_play *play, json_t *take_line) {
    char *text = json_dumps(take_line, JSON_LINE);
    struct buf line = {.data = NULL};
    json_decref(take_line);
    buf_format(&line, "%s\n", text ? text : "{}");
    free(text);
    for (size_t done = 0; done < line.length;) {
        const ssize_t n = write(play->out, line.data + done, line.length - done);
        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    buf_done(&line);
}

static void put_quoted(struct buf *out, const char *text) {
    buf_text(out, "'");
    for (; *text; text++)
        if (*text == '\'')
            buf_text(out, "'\\''");
        else
            buf_put(out, text, 1);
    buf_text(out, "'");
}

// The PLAYER text as it is for files in a folder; freed by the caller.
static char *start_in(const char *start, const struct lodging *lodging) {
    struct buf out = {.data = NULL};
    const char *colon = strchr(start, ':'), *equals = strchr(start, '=');
    const bool is_team = strncmp(start, "tcp:", 4) == 0;
    const char *command = is_team ? (equals ? equals + 1 : NULL) : colon ? colon + 1 : NULL;
    const bool is_file = strncmp(start, "py:", 3) == 0,
               is_command = is_team || !strncmp(start, "cmd:", 4) || !strncmp(start, "abp:", 4);
    if (lodging->folder && command && (is_file || is_command)) {
        buf_put(&out, start, (size_t)(command - start));
        if (is_command) {
            buf_text(&out, "cd ");
            put_quoted(&out, lodging->folder);
            buf_format(&out, " && %s", command);
        } else {
            buf_format(&out, "%s/%s", lodging->folder, command);
        }
    } else {
        buf_text(&out, start);
    }
    return out.data;
}

static const char *start_of(const struct plan *plan, int player) {
    return player == HOUSE ? plan->house : plan->players[player].start;
}

// Reads a player, or finds out why he cannot be started: his file may be missing.
static void read_player(struct job_play *play, int seat, const char *text) {
    struct err err = {.set = false};
    if (!player_read(&play->player[seat], text, play->job->plan->rules.game, play->job->program,
                     &err))
        play->trouble[seat] = mem_text(err.text);
}

static void read_players(struct job_play *play) {
    const struct stored_game *g = play->job->game;
    for (int i = 0; i < 2; i++) {
        const struct lodging *lodging = &play->job->lodging[i];
        const char *planned = start_of(play->job->plan, i ? g->white : g->black),
                   *start = lodging->start ? lodging->start
                            : planned      ? planned
                                           : "a folder";
        char *text = start_in(start, lodging);
        play->trouble[i] = lodging->trouble;
        if (!play->trouble[i])
            read_player(play, i, text);
        if (play->trouble[i]) // somebody who never comes
            play->player[i] = (struct player){.protocol = &wire_abp};
        play->player[i].text = start; // as the organiser has written it
        play->player[i].home = lodging->folder;
        free(text);
    }
}

// One game gets what memory there is. Whether the organiser's own limit fits is asked before.
static void fit_memory(struct job_play *play) {
    const struct plan *plan = play->job->plan;
    const struct player_limits_room room = {.game = plan->rules.game,
                                            .memory = box_machine_memory(),
                                            .players = plan->strangers,
                                            .games = 1};
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

static bool is_awaited(const struct player *player) {
    return player->kind == PLAYER_TEAM && !player->command;
}

static bool make_config(struct job_play *play) {
    const struct plan *plan = play->job->plan;
    const struct stored_game *g = play->job->game;
    struct match_config *c = &play->config;
    const int unit = g->leg / (job_is_paired(plan, g) ? 2 : 1);
    *c = (struct match_config){.rules = plan->rules,
                               .penalties = plan->penalties,
                               .grace_us = plan->grace_us,
                               .freeze = plan->limits.ponder == PONDER_FREEZE,
                               .number = g->leg + 1};
    play->conditions = job_conditions(plan, g);
    play->seed = job_seed(plan, g);
    for (int i = 0; i < 2; i++) {
        c->start_us[i] =
            is_awaited(&play->player[i]) ? plan->wait_us : plan->limits.start_s * INT64_C(1000000);
        c->seed[i] = conditions_player_seed(play->seed, g->leg, i);
        c->absent[i] = play->trouble[i];
    }
    const bool good = conditions_deal(&play->conditions, play->seed, unit, &c->rules, &c->time_us,
                                      &play->opening, &play->err);
    c->opening = play->opening;
    return good;
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

static void over(void *owner, const struct match *match) {
    struct job_play *play = owner;
    const int64_t now = clock_now_us();
    struct record_info info = {
        .players = {play->player[0].text, play->player[1].text},
        .names = {table_name(play->table, 0), table_name(play->table, 1)},
        .departments = {table_department(play->table, 0), table_department(play->table, 1)},
        .seed = play->seed,
        .number = play->config.number,
        .swap = job_is_paired(play->job->plan, play->job->game),
        .conditions = &play->conditions,
        .limits = &play->limits,
        .ponder_us = {table_ponder_us(play->table, 0), table_ponder_us(play->table, 1)},
    };
    table_usage(play->table, 0, &info.usage[0]);
    table_usage(play->table, 1, &info.usage[1]);
    for (int i = 0; i < 2; i++) {
        struct buf words = {.data = NULL};
        if (record_frozen_words(&info, i, &words))
            tell(play, json_pack("{s:o}", "note", json_text(words.data)));
        buf_done(&words);
    }
    json_t *record = record_make(match, &play->config, &info);
    json_object_set_new(record, "contest", contest_of(play));
    const int64_t first_ms = (int64_t)json_number_value(
        json_array_get(json_object_get(record, "ms"), (size_t)match_opening(match)));
    const int64_t ready = play->first_us ? play->first_us - first_ms * 1000 : now;
    tell(play,
         json_pack("{s:o, s:I, s:I, s:I}", "record", record, "begin_us", (json_int_t)play->begin_us,
                   "start_us", (json_int_t)(ready - play->begin_us), "play_us",
                   (json_int_t)(now - ready)));
    play->told = true;
    loop_stop(play->loop);
}

static void moved(void *owner, const struct match *match) {
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

static void note(void *owner, const char *words) {
    const struct job_play *play = owner;
    tell(play, json_pack("{s:o}", "note", json_text(words)));
}

static void interrupted(void *owner) {
    struct job_play *play = owner;
    play->told = true; // nothing: it is played again
    loop_stop(play->loop);
}

static void hold_signals(bool hold) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}

static bool has_doors(const struct job_play *play) {
    return players_need_no_port(&play->player[0], &play->player[1], play->limits.box);
}

// A network of its own, unless a team comes from outside, or this machine refuses one and no other
// game needs the port.
static bool find_network(struct job_play *play) {
    struct err refusal = {.set = false};
    if (!has_team(play) || has_doors(play) || is_awaited(&play->player[0]) ||
        is_awaited(&play->player[1]))
        return true;
    return network_enter(&refusal) || play->job->alone || err_set(&play->err, "%s", refusal.text);
}

// Whether a team comes from outside by way of whoever has the judge's port.
static bool is_lent(const struct job_play *play) {
    return play->job->lent && (is_awaited(&play->player[0]) || is_awaited(&play->player[1]));
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
                            lent || has_doors(play) ? 0 : plan->port, note, play, &play->err);
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

static bool set_table(struct job_play *play) {
    static const struct table_events events = {.moved = moved, .over = over};
    play->loop = loop_new(&play->err);
    if (!play->loop || (has_team(play) && !open_lobby(play)))
        return false;
    play->table = table_new(play->loop, &play->player[0], &play->player[1], &play->limits,
                            play->lobby, NULL, &events, play);
    loop_on_interrupt(play->loop, interrupted, play);
    hold_signals(false);
    return true;
}

static bool play_it(struct job_play *play) {
    read_players(play);
    box_players(play);
    if (!make_config(play) || !find_network(play) || !set_table(play))
        return false;
    play->begin_us = clock_now_us();
    if (!table_play(play->table, &play->config, 0, &play->err))
        return false;
    if (!play->told)
        loop_run(play->loop);
    return true;
}

_Noreturn void play_game(const struct play_job *job, int out) {
    struct job_play play = {.job = job, .out = out};
    signal(SIGPIPE, SIG_IGN);
    cores_pin(job->place, job->cores);
    if (!play_it(&play))
        tell(&play, json_pack("{s:o}", "error", json_text(play.err.text)));
    hold_signals(true);
    table_free(play.table);
    lobby_free(play.lobby);
    if (play.loop)
        loop_free(play.loop);
    _exit(0);
}
