// SPDX-License-Identifier: MIT
// Whoever does not watch is in one list, by when it last got on: who has got on least is found from
// its old end, and to get on is to be put at the new one. Addresses are in lists by their number.
// At every moment `count` is those that have a place: the visitors, who are in the list, and the
// watchers, who are not. A member that was dropped has neither place nor rank, but its address
// stays until it has left: it may be in the middle of something when it is told to go.
#include "web/admission.h"

#include "base/mem.h"
#include "web/guard.h"

#include <assert.h>
#include <stdlib.h>

enum { WATCHERS_TO_FREE = 3 }; // an address may watch with so many for every free place

static struct address **list_of(struct admission *a, uint32_t number) {
    return &a->addresses[(number ^ number >> 10 ^ number >> 20) % ADMISSION_LISTS];
}

static struct address *find_address(struct admission *a, uint32_t number) {
    struct address **list = list_of(a, number), *address = *list;
    while (address && address->number != number)
        address = address->next;
    if (address)
        return address;
    address = mem_new(1, sizeof *address);
    *address = (struct address){.next = *list, .number = number};
    *list = address;
    return address;
}

static void forget_address(struct admission *a, struct address *address) {
    struct address **at = list_of(a, address->number);
    while (*at != address)
        at = &(*at)->next;
    *at = address->next;
    free(address);
}

static void link_newest(struct admission *a, struct member *m) {
    m->older = a->newest;
    m->newer = NULL;
    *(a->newest ? &a->newest->newer : &a->oldest) = m;
    a->newest = m;
}

static void unlink_member(struct admission *a, struct member *m) {
    *(m->older ? &m->older->newer : &a->oldest) = m->newer;
    *(m->newer ? &m->newer->older : &a->newest) = m->older;
}

static void forget_visitor(struct admission *a, struct member *m) {
    unlink_member(a, m);
    m->address->visitors--;
    a->count--;
}

// The address with most visitors; NULL: all watch.
static const struct address *fullest_address(const struct admission *a) {
    const struct address *fullest = NULL;
    int most = 0;
    for (int i = 0; i < ADMISSION_LISTS; i++)
        for (const struct address *one = a->addresses[i]; one; one = one->next)
            if (one->visitors > most) {
                fullest = one;
                most = one->visitors;
            }
    return fullest;
}

// Makes room for one; false if all watch.
static bool make_room(struct admission *a) {
    const struct address *fullest = fullest_address(a);
    if (!fullest)
        return false;
    struct member *m = a->oldest;
    while (m->address != fullest)
        m = m->newer;
    forget_visitor(a, m);
    m->dropped = true;
    a->drop(m->connection);
    return true;
}

struct member *admission_join(struct admission *a, void *connection, const char *address) {
    if (a->count >= a->most && !make_room(a))
        return NULL;
    struct member *m = mem_new(1, sizeof *m);
    *m = (struct member){.connection = connection,
                         .address = find_address(a, address_number(address))};
    link_newest(a, m);
    m->address->members++;
    m->address->visitors++;
    a->count++;
    return m;
}

void admission_touch(struct admission *a, struct member *m) {
    if (m->watching || m->dropped)
        return;
    unlink_member(a, m);
    link_newest(a, m);
}

bool admission_watch(struct admission *a, struct member *m) {
    assert(!m->watching);
    const int room = WATCHERS_TO_FREE * (a->most - a->watchers);
    if (m->dropped || m->address->watchers >= room)
        return false;
    unlink_member(a, m);
    m->address->visitors--;
    m->address->watchers++;
    a->watchers++;
    m->watching = true;
    return true;
}

bool admission_may(const struct member *m, int64_t turn, int cost) {
    struct address *address = m->address;
    if (address->turn != turn) {
        address->turn = turn;
        address->spent = 0;
    }
    if (address->spent >= ADMISSION_SHARE)
        return false;
    address->spent += cost;
    return true;
}

void admission_spend(const struct member *m, int cost) { m->address->spent += cost; }

void admission_hold(struct member *m, size_t bytes) {
    m->address->waiting += bytes - m->waiting;
    m->waiting = bytes;
}

void admission_leave(struct admission *a, struct member *m) {
    if (m->watching) {
        m->address->watchers--;
        a->watchers--;
        a->count--;
    } else if (!m->dropped) {
        forget_visitor(a, m);
    }
    admission_hold(m, 0);
    assert(a->count >= a->watchers && a->watchers >= 0 && m->address->members > 0);
    if (--m->address->members == 0)
        forget_address(a, m->address);
    free(m);
}
