// SPDX-License-Identifier: MIT
// A connection is a guest until its id is read. A guest whose team has a free claim gets it at
// once. One whose team is seated waits a second for the old connection to close; who came first is
// seated first. Every other one is sent the stop and closed; so are guests that send no id in ten
// seconds, and those for whom there is no room.
#include "referee/lobby.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "link/loop.h"
#include "wire/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WAIT_US = 1000000, SILENCE_US = 10000000, GUESTS_MAX = 64, BYTES_MAX = 4096 };

struct claim {
    struct claim *next;
    struct lobby *lobby;
    int32_t team;
    bool taken, awaited;
    bool has_door; // who comes by another way is not the team
    void (*joined)(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us);
    void *owner;
};

struct guest {
    struct guest *next;
    struct lobby *lobby;
    struct link *link;
    struct claim *door; // that it came by; NULL: by our own port
    struct buf bytes;
    bool named; // the id is read
    int32_t team;
    int64_t until_us;
};

struct lobby {
    struct loop *loop;
    struct tcp *tcp;
    struct timer *timer;
    struct claim *claims; // in the order they were made
    struct guest *guests; // in the order they came
    int guest_count;
    int port_inside; // 0: as outside
    void (*note)(void *owner, const char *words);
    void (*changed)(void *owner); // NULL: nobody may stay without a claim
    bool lent;                    // its teams are another judge's
    void *owner;
};

static void tell_changed(const struct lobby *lobby) {
    if (lobby->changed)
        lobby->changed(lobby->owner);
}

static void set_timer(struct lobby *lobby) {
    int64_t first = 0;
    for (const struct guest *g = lobby->guests; g; g = g->next)
        if (first == 0 || g->until_us < first)
            first = g->until_us;
    if (first && first != INT64_MAX)
        timer_set(lobby->timer, first);
    else
        timer_clear(lobby->timer);
}

static void forget_guest(struct guest *guest) {
    struct guest **at = &guest->lobby->guests;
    while (*at != guest)
        at = &(*at)->next;
    *at = guest->next;
    guest->lobby->guest_count--;
    buf_done(&guest->bytes);
    free(guest);
}

static void send_stop(const struct lobby *lobby, struct link *link) {
    struct buf stop = {.data = NULL};
    if (lobby->lent) {
        link_free(link, 0);
        return;
    }
    stcp_write_stop(&stop);
    link_send(link, stop.data, stop.length);
    buf_done(&stop);
    link_free(link, WAIT_US); // a close over unread bytes could lose the stop
}

static void send_away(struct guest *guest, const char *why) {
    char words[160];
    send_stop(guest->lobby, guest->link);
    if (guest->named)
        snprintf(words, sizeof words, "team %d was sent away: %s", guest->team, why);
    else
        snprintf(words, sizeof words, "a connection was sent away: %s", why);
    guest->lobby->note(guest->lobby->owner, words);
    forget_guest(guest);
}

// Two teams behind walls may have the same id: each has a door of its own.
static bool is_theirs(const struct claim *c, const struct guest *g) {
    return c->team == g->team && g->door == (c->has_door ? c : NULL);
}

static struct claim *find_claim(const struct guest *guest, bool also_taken) {
    for (struct claim *c = guest->lobby->claims; c; c = c->next)
        if (is_theirs(c, guest) && (also_taken || !c->taken))
            return c;
    return NULL;
}

static void seat_guest(struct guest *guest, struct claim *claim, int64_t now_us) {
    struct link *link = guest->link;
    struct buf bytes = guest->bytes;
    guest->bytes = (struct buf){.data = NULL};
    struct lobby *lobby = guest->lobby;
    forget_guest(guest);
    set_timer(lobby);
    claim->taken = true;
    claim->joined(claim->owner, link, bytes.data + 4, bytes.length - 4, now_us);
    buf_done(&bytes);
    tell_changed(lobby);
}

static void stay(struct guest *guest) {
    guest->until_us = INT64_MAX;
    tell_changed(guest->lobby);
}

static void guest_bytes(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct guest *guest = owner;
    struct lobby *lobby = guest->lobby;
    const size_t room = BYTES_MAX - guest->bytes.length;
    buf_put(&guest->bytes, bytes, length < room ? length : room);
    if (guest->named || !stcp_read_team(guest->bytes.data, guest->bytes.length, &guest->team))
        return;
    guest->named = true;
    struct claim *claim = find_claim(guest, false);
    if (claim) {
        seat_guest(guest, claim, now_us);
        return;
    }
    if (find_claim(guest, true))
        guest->until_us = now_us + WAIT_US;
    else if (lobby->changed && !guest->door)
        stay(guest);
    else
        send_away(guest, "no seat has that id");
    set_timer(lobby);
}

static void guest_sent(void *owner, int64_t now_us) {
    (void)owner;
    (void)now_us;
}

static void guest_gone(void *owner, const struct parting *how, int64_t now_us) {
    (void)how;
    (void)now_us;
    struct guest *guest = owner;
    struct lobby *lobby = guest->lobby;
    link_free(guest->link, 0);
    forget_guest(guest);
    set_timer(lobby);
    tell_changed(lobby);
}

static void guest_noise(void *owner, const char *bytes, size_t length) {
    (void)owner;
    (void)bytes;
    (void)length;
}

static const struct link_events guest_events = {
    .bytes = guest_bytes, .sent = guest_sent, .gone = guest_gone, .noise = guest_noise};

static struct guest *add_guest(struct lobby *lobby, struct link *link, int64_t until_us) {
    struct guest *guest = mem_new(1, sizeof *guest), **last = &lobby->guests;
    *guest = (struct guest){.lobby = lobby, .link = link, .until_us = until_us};
    while (*last)
        last = &(*last)->next;
    *last = guest;
    lobby->guest_count++;
    link_watch(link, &guest_events, guest);
    return guest;
}

static void receive(struct lobby *lobby, struct claim *door, struct link *link, int64_t now_us) {
    if (lobby->guest_count == GUESTS_MAX) {
        send_stop(lobby, link);
        lobby->note(lobby->owner, "a connection was sent away: too many others wait");
        return;
    }
    struct guest *guest = add_guest(lobby, link, lobby->lent ? INT64_MAX : now_us + SILENCE_US);
    guest->door = door;
    set_timer(lobby);
}

static void opened(void *owner, struct link *link, int64_t now_us) {
    receive(owner, NULL, link, now_us);
}

static void opened_inside(void *owner, struct link *link, int64_t now_us) {
    struct claim *claim = owner;
    receive(claim->lobby, claim, link, now_us);
}

static void time_passed(void *owner, int64_t now_us) {
    struct lobby *lobby = owner;
    for (struct guest *g = lobby->guests, *next; g; g = next) {
        next = g->next;
        if (g->until_us <= now_us)
            send_away(g, g->named ? "its seat is taken" : "it sent no team id");
    }
    set_timer(lobby);
}

struct lobby *lobby_new(struct loop *loop, const char *address, int port,
                        void (*note)(void *owner, const char *words), void *owner,
                        struct err *err) {
    struct lobby *lobby = mem_new(1, sizeof *lobby);
    *lobby = (struct lobby){.loop = loop, .note = note, .owner = owner};
    lobby->timer = timer_new(loop, time_passed, lobby);
    lobby->tcp = tcp_new(loop, address, port, opened, lobby, err);
    if (lobby->tcp)
        return lobby;
    lobby_free(lobby);
    return NULL;
}

void lobby_set_port_inside(struct lobby *lobby, int port) { lobby->port_inside = port; }

int lobby_port_inside(const struct lobby *lobby) {
    return lobby->port_inside ? lobby->port_inside : lobby_port(lobby);
}

void lobby_free(struct lobby *lobby) {
    if (!lobby)
        return;
    lobby->changed = NULL;
    while (lobby->guests)
        send_away(lobby->guests, "the judge leaves");
    while (lobby->claims)
        claim_free(lobby->claims);
    if (lobby->tcp)
        tcp_free(lobby->tcp);
    timer_free(lobby->timer);
    free(lobby);
}

void lobby_keep(struct lobby *lobby, void (*changed)(void *owner)) { lobby->changed = changed; }

static void ignore(void *owner) { (void)owner; }

void lobby_lend(struct lobby *lobby) {
    lobby->lent = true;
    lobby_keep(lobby, ignore);
}

bool lobby_keeps(const struct lobby *lobby) { return lobby && lobby->changed; }

static bool is_among(const int32_t *teams, int count, int32_t team) {
    while (count > 0 && teams[count - 1] != team)
        count--;
    return count > 0;
}

int lobby_teams(const struct lobby *lobby, int32_t *teams, int max) {
    int count = 0;
    for (const struct guest *g = lobby->guests; g && count < max; g = g->next)
        if (g->named && !is_among(teams, count, g->team))
            teams[count++] = g->team;
    return count;
}

bool lobby_has_seated(const struct lobby *lobby, int32_t team) {
    for (const struct claim *c = lobby->claims; c; c = c->next)
        if (c->team == team && c->taken)
            return true;
    return false;
}

void lobby_return(struct lobby *lobby, struct link *link, int32_t team) {
    struct guest *guest = add_guest(lobby, link, INT64_MAX);
    guest->named = true;
    guest->team = team;
    buf_put(&guest->bytes, &team, sizeof team); // where its id stood
    struct claim *claim = find_claim(guest, false);
    if (claim)
        seat_guest(guest, claim, clock_now_us());
    else
        tell_changed(lobby);
}

int lobby_port(const struct lobby *lobby) { return tcp_port(lobby->tcp); }

static void announce(const struct claim *claim) {
    const struct lobby *lobby = claim->lobby;
    char words[80];
    if (claim->taken || !claim->awaited || lobby->lent) // who lends them says for whom he waits
        return;
    snprintf(words, sizeof words, "waiting for team %d on port %d", claim->team, lobby_port(lobby));
    lobby->note(lobby->owner, words);
}

void lobby_announce(const struct lobby *lobby) {
    for (const struct claim *c = lobby->claims; c; c = c->next)
        announce(c);
}

// Gives a free claim to the guest that has waited longest for it, or says for whom we wait.
static void serve(struct claim *claim) {
    for (struct guest *g = claim->lobby->guests; g; g = g->next)
        if (g->named && is_theirs(claim, g)) {
            seat_guest(g, claim, clock_now_us());
            return;
        }
    announce(claim);
}

struct claim *claim_new(struct lobby *lobby, int32_t team, bool awaited,
                        void (*joined)(void *owner, struct link *link, const char *bytes,
                                       size_t length, int64_t now_us),
                        void *owner) {
    struct claim *claim = mem_new(1, sizeof *claim);
    *claim = (struct claim){
        .lobby = lobby, .team = team, .awaited = awaited, .joined = joined, .owner = owner};
    struct claim **last = &lobby->claims;
    while (*last)
        last = &(*last)->next;
    *last = claim;
    serve(claim);
    return claim;
}

void claim_vacate(struct claim *claim) {
    claim->taken = false;
    serve(claim);
}

struct tcp *claim_add_door(struct claim *claim, int fd) {
    claim->has_door = true;
    return tcp_adopt(claim->lobby->loop, fd, opened_inside, claim);
}

// Guests that came by its door and were not seated have nowhere to go.
static void close_out(struct claim *claim) {
    for (struct guest *g = claim->lobby->guests, *next; g; g = next) {
        next = g->next;
        if (g->door == claim)
            send_away(g, "its game is over");
    }
    set_timer(claim->lobby);
}

void claim_free(struct claim *claim) {
    struct claim **at = &claim->lobby->claims;
    close_out(claim);
    while (*at != claim)
        at = &(*at)->next;
    *at = claim->next;
    free(claim);
}
