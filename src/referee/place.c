// SPDX-License-Identifier: MIT
// A player can be reached in three ways, and each has its own pair of ends. A child on pipes is
// both process and connection: `child` and `connection` are the same link, and when it is gone all
// is. A team is a connection that comes from the lobby by a claim, perhaps made by a child that
// was started for it; either may end without the other, and a team that came by itself may come
// back. A person has neither.
//
// What a player uses is measured for a game, but its processes live from game to game: everything
// that is counted since their start is noted when a game begins, and taken off when it is asked.
#include "referee/place.h"

#include "base/clock.h"
#include "referee/wine.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATIENCE_US = 500000, ID_US = 4 };

// Removes the player's own folder, unless a log is written: then what it left there is worth
// seeing.
static void leave_folder(struct place *p) {
    const char *log = log_path(p->around->log);
    if (!p->folder.path || !log || rmdir(p->folder.path) == 0) {
        scratch_done(&p->folder);
        return;
    }
    struct buf words = {.data = NULL}, beside = {.data = NULL};
    buf_format(&beside, "%s.files", log);
    char *kept = scratch_keep(&p->folder, beside.data);
    buf_done(&beside);
    buf_format(&words, "%.60s has left files in %s", p->player->text, kept);
    log_note(p->around->log, words.data);
    buf_done(&words);
    free(kept);
}

// A team that stays from table to table may still answer what it was asked at the last one: ids go
// on from there, by the clock, which no table overtakes: a request takes more than ID_US.
static void init_wire(struct place *p) {
    wire_init(&p->wire, p->player->protocol);
    p->wire.trail = p->around->limits->trail;
    if (lobby_keeps(p->around->lobby))
        p->wire.id = (int32_t)(clock_now_us() / ID_US % (1 << 30));
}

void place_init(struct place *p, struct table *table, const struct table_config *around,
                const struct player *player) {
    *p = (struct place){.table = table, .around = around, .player = player};
    init_wire(p);
}

void place_done(struct place *p) { wire_done(&p->wire); }

// A team that came by itself goes back to where it came from, if it may stay there.
static void give_back(struct place *p) {
    const struct player *player = p->player;
    if (!p->connection || player->kind != PLAYER_TEAM || player->command ||
        !lobby_keeps(p->around->lobby))
        return;
    claim_free(p->claim);
    p->claim = NULL;
    lobby_return(p->around->lobby, p->connection, player->team);
    p->connection = NULL;
}

void place_close_door(struct place *p) {
    tcp_free(p->door);
    p->door = NULL;
}

static void log_line(void *owner, const char *bytes, size_t length) {
    const struct place *p = owner;
    log_noise(p->around->log, p->number, bytes, length);
}

void place_hear_noise(struct place *p, const char *bytes, size_t length) {
    noise_take(&p->noise, bytes, length, log_line, p);
}

void place_end_noise(struct place *p) {
    if (p->child)
        link_hear_noise(p->child);
    noise_end(&p->noise, log_line, p);
}

void place_remark(const struct place *p, char words[static EVIDENCE_MAX]) {
    char said[NOISE_WORDS_MAX];
    const char *away = p->claim ? claim_away(p->claim) : "", *lack = p->lack ? p->lack : "";
    noise_words(&p->noise, said);
    snprintf(words, EVIDENCE_MAX, "%s%s%s%s%s%s", lack, *lack && (*away || *said) ? "; " : "", away,
             *away && *said ? "; " : "", *said ? "it said: " : "", said);
}

// What it calls itself is known as long as it is at the table.
static void keep_names(struct place *p) {
    if (*p->wire.name)
        memcpy(p->name, p->wire.name, sizeof p->name);
    if (*p->wire.department)
        memcpy(p->department, p->wire.department, sizeof p->department);
}

void place_close(struct place *p) {
    struct buf bye = {.data = NULL};
    keep_names(p);
    place_end_noise(p);
    give_back(p);
    if (p->connection) {
        wire_quit(&p->wire, &bye);
        log_bytes(p->around->log, p->number, p->player->protocol, true, bye.data, bye.length);
        link_send(p->connection, bye.data, bye.length);
        buf_done(&bye);
    }
    const int64_t patience = p->killed ? 0 : PATIENCE_US;
    if (p->connection && p->connection != p->child)
        link_free(p->connection, patience);
    if (p->child)
        link_free(p->child, patience);
    p->connection = p->child = NULL;
    place_close_door(p);
    if (p->claim)
        claim_free(p->claim);
    p->claim = NULL;
    wire_done(&p->wire);
    init_wire(p);
    leave_folder(p);
    p->killed = false;
}

// Behind walls it has a folder that is nowhere else.
static bool has_folder(const struct place *p) {
    const struct box *box = p->player->boxed ? p->around->limits->box : NULL;
    return p->player->own_folder && !(box && box->level >= BOX_NAMESPACES);
}

static struct program program_of(const struct place *p) {
    const struct player_limits *limits = p->around->limits;
    const struct player *player = p->player;
    const bool is_team = player->kind == PLAYER_TEAM;
    return (struct program){.command = player->command,
                            .folder = p->folder.path,
                            .memory = limits->memory,
                            .by_use = !limits->memory_own,
                            .box = player->boxed ? limits->box : NULL,
                            .show = player->show,
                            .shows = player->shows,
                            .wine = player->windows,
                            .frozen = limits->ponder == PONDER_FREEZE,
                            .port = is_team ? lobby_port_inside(p->around->lobby) : 0};
}

// What it will have said, and why it may not run.
static void begin_watching(struct place *p) {
    p->noise = (struct noise){.length = 0};
    p->lack = wine_lack(p->player);
    if (p->lack)
        log_note(p->around->log, p->lack);
}

bool place_fill(struct place *p, const struct place_events *events, struct err *err) {
    const struct player *player = p->player;
    assert(player->boxed || !p->around->limits->box || !player_is_stranger(player));
    if (has_folder(p) && !p->folder.path && !scratch_make(&p->folder, player->text, err))
        return false;
    const struct program program = program_of(p);
    if (!p->child && player->command)
        begin_watching(p);
    if (player->kind == PLAYER_CHILD && !p->child) {
        p->child = p->connection = link_new_pipe(p->around->loop, &program, events->child, p, err);
        return p->child != NULL;
    }
    if (player->kind != PLAYER_TEAM)
        return true;
    if (!p->claim)
        p->claim = claim_new(p->around->lobby, player->team, !player->command, events->joined, p);
    if (player->command && !p->child && !p->connection) {
        p->child = link_new_child(p->around->loop, &program, events->starter, p, err);
        return p->child != NULL;
    }
    return true;
}

void place_favour(const struct place *p, bool favoured) {
    if (p->child)
        link_favour(p->child, favoured);
}

int64_t place_cpu_us(const struct place *p) { return p->child ? link_cpu_us(p->child) : -1; }

void place_look_cpu_wait(struct place *p, const struct place *opponent, bool answered) {
    struct run_times times;
    if (!p->child)
        return;
    const int64_t begin_us = clock_cpu_us();
    link_run_times(p->child, &times);
    cpu_wait_look(&p->cpu_wait, &times, place_cpu_us(opponent), answered);
    p->cpu_wait.cost_us = clock_cpu_us() - begin_us;
}

void place_end_rest(struct place *p, int64_t cpu_us) {
    if (p->rest_cpu_us >= 0 && cpu_us >= 0)
        p->ponder_us += cpu_us - p->rest_cpu_us;
    p->rest_cpu_us = -1;
}

void place_look(struct place *p) {
    if (p->child)
        link_usage(p->child, &p->usage);
}

void place_begin_counting(struct place *p) {
    p->rest_cpu_us = -1;
    p->ponder_us = 0;
    p->usage = (struct usage){.peak = -1, .frozen_us = -1};
    place_look(p);
    p->before = p->usage;
}

void place_usage(const struct place *p, struct usage *usage) {
    *usage = p->usage;
    if (p->before.frozen_us > 0)
        usage->frozen_us -= p->before.frozen_us;
    usage->holds -= p->before.holds;
    usage->unconfirmed -= p->before.unconfirmed;
}
