// SPDX-License-Identifier: MIT
// A part is played in one process, game after game, by one sitting: players that may stay do so
// from game to game, and what is drawn for a game depends on its number alone, so it does not
// matter which part plays it. The next game is begun from within the end of the one before.
//
// SIGINT and SIGTERM are let come only while the loop runs. The first breaks the game off, which
// is then recorded as aborted; from there on they are held, so that nothing cuts the record short.
#include "cli/match/part.h"

#include "base/signals.h"
#include "cli/match/human.h"
#include "referee/network.h"
#include "referee/sitting.h"

#include <assert.h>

struct part_play {
    const struct part *part;
    struct series *series;
    int index; // the game under way
    struct loop *loop;
    struct lobby *lobby;
    struct sitting *sitting;
    struct human *human;
    bool interrupted, stopped;
};

static int unit_size(const struct series *s) { return s->config.in_pairs ? 2 : 1; }

static int unit_of(const struct part_play *play) { return play->index / unit_size(play->series); }

int part_units(const struct series *s) { return (s->games + unit_size(s) - 1) / unit_size(s); }

int part_first(const struct part *part) {
    const int index = part->first * unit_size(part->series);
    return index < part->series->games ? index : -1;
}

int part_next(const struct part *part, int index) {
    assert(index >= 0);
    const int size = unit_size(part->series);
    int next = index + 1;
    if (next % size == 0)
        next += (part->step - 1) * size;
    return next < part->series->games ? next : -1;
}

static bool has(const struct series *s, enum player_kind kind) {
    return s->player[0].kind == kind || s->player[1].kind == kind;
}

bool part_has_teams(const struct series *s) { return has(s, PLAYER_TEAM); }

bool part_has_doors(const struct series *s) {
    return players_need_no_port(&s->player[0], &s->player[1], s->config.limits.box);
}

static int black_of(const struct part_play *play) {
    return play->series->config.in_pairs ? play->index % 2 : 0;
}

static bool begin_game(struct part_play *play) {
    const struct series *s = play->series;
    const struct sitting_game game = {
        .index = play->index,
        .black = black_of(play),
        .opening = s->opening_count > 0 ? s->openings[unit_of(play) % s->opening_count] : NULL};
    const bool again = sitting_match(play->sitting) != NULL;
    if (!sitting_play(play->sitting, &game, play->part->err))
        return false;
    if (play->lobby && again && !play->stopped)
        lobby_announce(play->lobby);
    return true;
}

// What the players did in each other's turns.
static void tell_ponder(const struct part_play *play) {
    const struct series *s = play->series;
    struct buf words = {.data = NULL};
    buf_format(&words, "game %d: CPU time in the other's turns:", play->index + 1);
    for (int i = 0; i < 2; i++) {
        const int player = i == 0 ? black_of(play) : 1 - black_of(play);
        const int64_t ponder_us = sitting_ponder_us(play->sitting, player);
        buf_format(&words, "%s %.60s ", i ? "," : "", s->player[player].text);
        buf_format(&words, ponder_us < 0 ? "not known" : "%.3f s", (double)ponder_us / 1e6);
    }
    s->note(s->owner, words.data);
    buf_done(&words);
}

static void part_game_over(void *owner, const struct match *match, json_t *take_record) {
    struct part_play *play = owner;
    const struct part *part = play->part;
    (void)match;
    if (play->human)
        human_dismiss(play->human);
    if (play->series->config.limits.ponder == PONDER_REPORT)
        tell_ponder(play);
    const bool more = part->ended(part->owner, play->index, take_record);
    play->index = part_next(part, play->index);
    play->stopped |= !more || play->interrupted || play->index < 0 || !begin_game(play);
    if (play->stopped)
        loop_stop(play->loop);
}

static void part_game_moved(void *owner, const struct match *match) {
    struct part_play *play = owner;
    if (play->series->moved)
        play->series->moved(play->series->owner, match);
}

static void player_asked(void *owner, const struct match *match, int player) {
    struct part_play *play = owner;
    if (play->series->player[player].kind == PLAYER_HUMAN)
        human_ask(play->human, play->series->config.rules.game, match_state(match), player);
}

static void person_moves(void *owner, int player, const char *moves) {
    struct part_play *play = owner;
    sitting_move(play->sitting, player, moves);
}

static void person_left(void *owner) {
    struct part_play *play = owner;
    play->interrupted = true;
    sitting_abort(play->sitting, "the person has left");
}

static void game_note(void *owner, const char *words) {
    struct part_play *play = owner;
    play->series->note(play->series->owner, words);
}

static void part_lobby_note(void *owner, const char *words) {
    struct part_play *play = owner;
    play->series->note(play->series->owner, words);
    log_note(play->series->config.log, words);
}

static void part_interrupted(void *owner) {
    struct part_play *play = owner;
    signals_hold(true); // a second one must not end us before the record is written and said
    play->interrupted = true;
    sitting_abort(play->sitting, "interrupted");
    loop_stop(play->loop);
}

static void sit_down(struct part_play *play) {
    static const struct sitting_events events = {
        .asked = player_asked, .moved = part_game_moved, .over = part_game_over, .note = game_note};
    const struct series *s = play->series;
    struct sitting_config config = s->config;
    config.loop = play->loop;
    config.lobby = play->lobby;
    for (int i = 0; i < 2; i++)
        config.player[i] = &s->player[i];
    play->sitting = sitting_new(&config, &events, play);
}

// Where teams arrive. Another judge may have the port, as a platform on this machine has: teams
// that we start ourselves then meet us in a network of our own, where it is free.
static struct lobby *open_lobby(struct part_play *play) {
    const struct series *s = play->series;
    const bool doors = part_has_doors(s);
    const int port = doors ? 0 : s->port;
    struct err refusal = {.set = false}, unused = {.set = false};
    struct lobby *lobby = lobby_new(play->loop, s->address, port, part_lobby_note, play, &refusal);
    const bool ours = !player_is_awaited(&s->player[0]) && !player_is_awaited(&s->player[1]);
    if (!lobby && ours && network_enter(&unused))
        lobby = lobby_new(play->loop, s->address, port, part_lobby_note, play, &refusal);
    if (!lobby)
        err_set(play->part->err, "%s", refusal.text);
    if (lobby && doors)
        lobby_set_port_inside(lobby, s->port);
    return lobby;
}

// Makes what the games need.
static bool set_up(struct part_play *play) {
    static const struct human_events person = {.moves = person_moves, .left = person_left};
    struct series *s = play->series;
    struct err *err = play->part->err;
    play->loop = loop_new(err);
    if (play->loop && part_has_teams(s))
        play->lobby = open_lobby(play);
    if (!play->loop || (part_has_teams(s) && !play->lobby))
        return false;
    if (has(s, PLAYER_HUMAN))
        play->human = human_new(play->loop, &person, play);
    sit_down(play);
    return true;
}

static void clean_up(struct part_play *play) {
    sitting_free(play->sitting);
    human_free(play->human);
    lobby_free(play->lobby);
    loop_free(play->loop);
}

bool part_play(const struct part *part, bool *was_interrupted) {
    struct series *s = part->series;
    struct part_play play = {
        .part = part, .series = s, .index = part->from ? part->from : part_first(part)};
    bool good = play.index < 0 || set_up(&play);
    if (good && play.index >= 0) {
        loop_on_interrupt(play.loop, part_interrupted, &play);
        signals_hold(false); // in a worker they have been held since before it was forked
        good = begin_game(&play);
        if (good && !play.stopped)
            loop_run(play.loop);
        signals_hold(true); // nobody hears them any more, and what follows is short
    }
    clean_up(&play);
    *was_interrupted = play.interrupted;
    return good && !part->err->set;
}
