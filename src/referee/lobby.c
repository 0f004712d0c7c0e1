// SPDX-License-Identifier: MIT
// A connection is a guest until its id is read, and as long as nobody has claimed that id. There
// are three kinds. Who has not said its id is silent, and leaves after some seconds. Who has said
// one that nobody expects is a stranger: it is sent the stop and closed, or where teams may stay it
// waits. Whose id is expected is known: it gets a free claim at once; if its team is seated, it
// waits a second for the old connection to close. Who came first is seated first.
//
// Anybody can fill what has room for all, so places are counted: those of each door, and of each
// address that guests come from. Where one of these has too many that are silent, or strangers, the
// one that came first of them leaves, and where all have too many, that of the address which has
// most. So whoever speaks at once, as players do, is heard, whatever others do; nobody pays for
// those who came by another door; and a known guest never makes room for anybody. Before a silent
// guest is sent away it is looked whether it has spoken meanwhile.
//
// What is said of those who leave, and how long their sides are kept open, is bounded as well.
#include "referee/lobby.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "link/loop.h"
#include "wire/wire.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WAIT_US = 1000000,
    SILENCE_US = 5000000,
    BYTES_MAX = 4096,     // that may come before anybody has asked for them,
    ANSWER_MAX = 1 << 16, // or behind a game, which may be a long answer that is late
    TEAM_MAX = 4,         // known guests with one id from one place
    LENT_MAX = 16,        // connections of a judge that lends its teams
    LINGERS_MAX = 64,     // sides kept open a moment for a stop to be read, in a second
    AWAY_NOTES_MAX = 20,  // said in a time
};

static const int64_t away_notes_us = INT64_C(10000000);

enum guest_kind { GUEST_SILENT, GUEST_STRANGER, GUEST_KNOWN };

// How many may wait that came from one place, and in all; by their kind.
static const struct lobby_room {
    int of_one, in_all;
    const char *why; // one has to leave
} rooms[] = {
    [GUEST_SILENT] = {32, 128, "it sent no team id, and others came"},
    [GUEST_STRANGER] = {64, 256, "no seat has that id, and others came"},
};
static const struct lobby_room door_room = {16, 0, "it sent no team id, and others came"};

struct claim {
    struct claim *next;
    struct lobby *lobby;
    int32_t team;
    bool taken, awaited;
    bool has_door;              // who comes by another way is not the team
    char away[LOBBY_WORDS_MAX]; // of the last that came instead, while it was free
    void (*joined)(void *owner, struct link *link, const char *bytes, size_t length,
                   int64_t now_us);
    void *owner;
};

struct guest {
    struct guest *next;
    struct lobby *lobby;
    struct link *link;
    struct claim *door; // that it came by; NULL: by our own port
    uint32_t address;   // that it came from
    enum guest_kind kind;
    struct buf bytes;
    bool named; // the id is read
    int32_t team;
    int64_t until_us;
    unsigned looked; // in which round of making room it was looked at
};

struct lobby {
    struct loop *loop;
    struct tcp *tcp;
    struct timer *timer;
    struct claim *claims; // in the order they were made
    struct guest *guests; // in the order they came
    unsigned round;       // of making room
    int port_inside;      // 0: as outside
    void (*note)(void *owner, const char *words);
    void (*changed)(void *owner);               // NULL: nobody may stay without a claim
    bool (*expects)(void *owner, int32_t team); // NULL: only what is claimed
    int64_t lingers_us, notes_us;               // since when is counted:
    int lingers, notes;
    int untold; // of those who were sent away
    bool lent;  // its teams are another judge's
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
    buf_done(&guest->bytes);
    free(guest);
}

// Counts in steps of a time; true as long as there are not too many.
static bool count_within(int64_t *since_us, int *count, int64_t step_us, int most) {
    const int64_t now = clock_now_us();
    if (now - *since_us >= step_us) {
        *since_us = now;
        *count = 0;
    }
    return ++*count <= most;
}

// A close over unread bytes could lose the stop, so it waits a moment; but not for crowds.
static void send_stop(struct lobby *lobby, struct link *link) {
    struct buf stop = {.data = NULL};
    if (lobby->lent) {
        link_free(link, 0);
        return;
    }
    stcp_write_stop(&stop);
    link_send(link, stop.data, stop.length);
    buf_done(&stop);
    const bool calm = count_within(&lobby->lingers_us, &lobby->lingers, WAIT_US, LINGERS_MAX);
    link_free(link, calm ? WAIT_US : 0);
}

// What is not said for itself is said with the next that is.
static void note_away(struct lobby *lobby, const char *words) {
    char more[220];
    const int untold = lobby->untold;
    if (!count_within(&lobby->notes_us, &lobby->notes, away_notes_us, AWAY_NOTES_MAX)) {
        lobby->untold++;
        return;
    }
    lobby->untold = 0;
    snprintf(more, sizeof more, "%s; so were %d more", words, untold);
    lobby->note(lobby->owner, untold ? more : words);
}

// Whoever waits in vain may want to know who has come instead.
static void tell_claims(const struct guest *guest, const char *words) {
    for (struct claim *c = guest->lobby->claims; c; c = c->next)
        if (!c->taken && guest->door == (c->has_door ? c : NULL))
            snprintf(c->away, sizeof c->away, "%s", words);
}

static void send_away(struct guest *guest, const char *why) {
    char words[LOBBY_WORDS_MAX];
    send_stop(guest->lobby, guest->link);
    if (guest->named)
        snprintf(words, sizeof words, "team %d was sent the stop: %s", guest->team, why);
    else
        snprintf(words, sizeof words, "a connection was sent the stop: %s", why);
    tell_claims(guest, words);
    note_away(guest->lobby, words);
    forget_guest(guest);
}

// Whether two came from the same place.
static bool is_beside(const struct guest *a, const struct guest *b) {
    return a->door == b->door && (a->door || a->address == b->address);
}

static int count_beside(const struct guest *guest) {
    int count = 0;
    for (const struct guest *g = guest->lobby->guests; g; g = g->next)
        count += g->kind == guest->kind && is_beside(g, guest);
    return count;
}

// The first of those that came by our port and are of a kind, from where there are most of them.
static struct guest *find_most(const struct lobby *lobby, enum guest_kind kind) {
    struct guest *found = NULL;
    int most = 0;
    for (struct guest *g = lobby->guests; g; g = g->next) {
        if (g->kind != kind || g->door)
            continue;
        const int count = count_beside(g);
        if (count > most) {
            most = count;
            found = g;
        }
    }
    return found;
}

// Who has to leave for a guest that has come, or become what it is; NULL: there is room.
static struct guest *find_surplus(const struct lobby *lobby, const struct guest *fresh) {
    const struct lobby_room *room = fresh->door ? &door_room : &rooms[fresh->kind];
    int of_kind = 0;
    if (count_beside(fresh) > room->of_one) {
        struct guest *g = lobby->guests;
        while (g->kind != fresh->kind || !is_beside(g, fresh))
            g = g->next;
        return g;
    }
    for (const struct guest *g = lobby->guests; g; g = g->next)
        of_kind += g->kind == fresh->kind && !g->door;
    if (fresh->door || of_kind <= room->in_all)
        return NULL;
    return find_most(lobby, fresh->kind);
}

static bool is_there(const struct lobby *lobby, const struct guest *guest) {
    const struct guest *g = lobby->guests;
    while (g && g != guest)
        g = g->next;
    return g != NULL;
}

static bool is_expected(const struct lobby *lobby, int32_t team) {
    return lobby->expects && lobby->expects(lobby->owner, team);
}

// It may have been waiting only to be read.
static void make_room(struct lobby *lobby, const struct guest *fresh) {
    const unsigned round = ++lobby->round;
    while (is_there(lobby, fresh) && fresh->kind != GUEST_KNOWN) {
        struct guest *surplus = find_surplus(lobby, fresh);
        if (!surplus)
            return;
        if (surplus->named && is_expected(lobby, surplus->team)) {
            surplus->kind = GUEST_KNOWN; // since it came
        } else if (surplus->kind == GUEST_SILENT && surplus->looked != round) {
            surplus->looked = round;
            tcp_look(surplus->link);
        } else {
            send_away(surplus, rooms[surplus->kind].why);
        }
    }
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
    assert(guest->named && !claim->taken);
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

// Its team is expected, but not at once.
static void wait_known(struct guest *guest, int64_t until_us) {
    int count = 0;
    guest->kind = GUEST_KNOWN;
    guest->until_us = until_us;
    for (const struct guest *g = guest->lobby->guests; g; g = g->next)
        count += g->kind == GUEST_KNOWN && g->team == guest->team && is_beside(g, guest);
    if (count > TEAM_MAX)
        send_away(guest, "enough others of its team wait");
}

static void stay_strange(struct guest *guest) {
    struct lobby *lobby = guest->lobby;
    guest->kind = GUEST_STRANGER;
    guest->until_us = INT64_MAX;
    make_room(lobby, guest);
}

static void guest_bytes(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct guest *guest = owner;
    struct lobby *lobby = guest->lobby;
    if (guest->bytes.length + length > (guest->kind == GUEST_KNOWN ? ANSWER_MAX : BYTES_MAX)) {
        send_away(guest, "it sends what nobody has asked for");
        set_timer(lobby);
        tell_changed(lobby);
        return;
    }
    buf_put(&guest->bytes, bytes, length);
    if (guest->named || !stcp_read_team(guest->bytes.data, guest->bytes.length, &guest->team))
        return;
    guest->named = true;
    struct claim *claim = find_claim(guest, false);
    if (claim) {
        seat_guest(guest, claim, now_us);
        return;
    }
    const bool stays = lobby->changed && !guest->door;
    if (find_claim(guest, true))
        wait_known(guest, now_us + WAIT_US);
    else if (stays && is_expected(lobby, guest->team))
        wait_known(guest, INT64_MAX);
    else if (stays)
        stay_strange(guest);
    else
        send_away(guest, "no seat has that id");
    set_timer(lobby);
    tell_changed(lobby);
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

static const struct link_events guest_events = {.bytes = guest_bytes, .gone = guest_gone};

static struct guest *add_guest(struct lobby *lobby, struct link *link, int64_t until_us) {
    struct guest *guest = mem_new(1, sizeof *guest), **last = &lobby->guests;
    *guest = (struct guest){
        .lobby = lobby, .link = link, .address = tcp_address(link), .until_us = until_us};
    while (*last)
        last = &(*last)->next;
    *last = guest;
    link_watch(link, &guest_events, guest);
    return guest;
}

// The judge that lends its teams is the only one that should come: the others go.
static bool is_too_many(const struct lobby *lobby) {
    int count = 0;
    for (const struct guest *g = lobby->guests; g; g = g->next)
        count++;
    return lobby->lent && count >= LENT_MAX;
}

static void receive(struct lobby *lobby, struct claim *door, struct link *link, int64_t now_us) {
    if (is_too_many(lobby)) {
        link_free(link, 0);
        return;
    }
    struct guest *guest = add_guest(lobby, link, lobby->lent ? INT64_MAX : now_us + SILENCE_US);
    guest->door = door;
    tcp_look(link); // its id has mostly come with it
    if (!lobby->lent && is_there(lobby, guest))
        make_room(lobby, guest);
    set_timer(lobby);
}

static void opened(void *owner, struct link *link, int64_t now_us) {
    receive(owner, NULL, link, now_us);
}

static void opened_inside(void *owner, struct link *link, int64_t now_us) {
    struct claim *claim = owner;
    receive(claim->lobby, claim, link, now_us);
}

static void lobby_time_passed(void *owner, int64_t now_us) {
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
    lobby->timer = timer_new(loop, lobby_time_passed, lobby);
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

void lobby_expect(struct lobby *lobby, bool (*expects)(void *owner, int32_t team)) {
    lobby->expects = expects;
}

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
    for (enum guest_kind kind = GUEST_KNOWN; kind >= GUEST_STRANGER; kind--)
        for (const struct guest *g = lobby->guests; g && count < max; g = g->next)
            if (g->kind == kind && !is_among(teams, count, g->team))
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
    guest->kind = GUEST_KNOWN;
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
    if (claim->taken || !claim->awaited || lobby->lent) // the lender says for whom it waits
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
    assert(claim->taken);
    claim->taken = false;
    serve(claim);
}

struct tcp *claim_add_door(struct claim *claim, int fd) {
    claim->has_door = true;
    return tcp_adopt(claim->lobby->loop, fd, opened_inside, claim);
}

const char *claim_away(const struct claim *claim) { return claim->away; }

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
