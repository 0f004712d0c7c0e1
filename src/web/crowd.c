// SPDX-License-Identifier: MIT
#include "web/crowd.h"

#include "base/mem.h"
#include "web/guard.h"

#include <stdlib.h>

enum { WATCHERS_TO_FREE = 3 }; // an address may watch with so many for every free place

static struct address **list_of(struct crowd *crowd, uint32_t number) {
    return &crowd->addresses[(number ^ number >> 10 ^ number >> 20) % CROWD_LISTS];
}

static struct address *find_address(struct crowd *crowd, uint32_t number) {
    struct address **list = list_of(crowd, number), *address = *list;
    while (address && address->number != number)
        address = address->next;
    if (address)
        return address;
    address = mem_new(1, sizeof *address);
    *address = (struct address){.next = *list, .number = number};
    *list = address;
    return address;
}

static void forget_address(struct crowd *crowd, struct address *address) {
    struct address **at = list_of(crowd, address->number);
    while (*at != address)
        at = &(*at)->next;
    *at = address->next;
    free(address);
}

static void link_newest(struct crowd *crowd, struct member *member) {
    member->older = crowd->newest;
    member->newer = NULL;
    *(crowd->newest ? &crowd->newest->newer : &crowd->oldest) = member;
    crowd->newest = member;
}

static void unlink_member(struct crowd *crowd, struct member *member) {
    *(member->older ? &member->older->newer : &crowd->oldest) = member->newer;
    *(member->newer ? &member->newer->older : &crowd->newest) = member->older;
}

static void forget_visitor(struct crowd *crowd, struct member *member) {
    unlink_member(crowd, member);
    member->address->visitors--;
    crowd->count--;
}

// The address with most visitors; NULL: all watch.
static const struct address *fullest_address(const struct crowd *crowd) {
    const struct address *fullest = NULL;
    int most = 0;
    for (int i = 0; i < CROWD_LISTS; i++)
        for (const struct address *a = crowd->addresses[i]; a; a = a->next)
            if (a->visitors > most) {
                fullest = a;
                most = a->visitors;
            }
    return fullest;
}

// Makes room for one; false if all watch.
static bool make_room(struct crowd *crowd) {
    const struct address *fullest = fullest_address(crowd);
    if (!fullest)
        return false;
    struct member *member = crowd->oldest;
    while (member->address != fullest)
        member = member->newer;
    forget_visitor(crowd, member);
    member->dropped = true;
    crowd->drop(member->connection);
    return true;
}

struct member *crowd_join(struct crowd *crowd, void *connection, const char *address) {
    if (crowd->count >= crowd->most && !make_room(crowd))
        return NULL;
    struct member *member = mem_new(1, sizeof *member);
    *member = (struct member){.connection = connection,
                              .address = find_address(crowd, address_number(address))};
    link_newest(crowd, member);
    member->address->members++;
    member->address->visitors++;
    crowd->count++;
    return member;
}

void crowd_touch(struct crowd *crowd, struct member *member) {
    if (member->watching || member->dropped)
        return;
    unlink_member(crowd, member);
    link_newest(crowd, member);
}

bool crowd_watch(struct crowd *crowd, struct member *member) {
    const int room = WATCHERS_TO_FREE * (crowd->most - crowd->watchers);
    if (member->dropped || member->address->watchers >= room)
        return false;
    unlink_member(crowd, member);
    member->address->visitors--;
    member->address->watchers++;
    crowd->watchers++;
    member->watching = true;
    return true;
}

bool crowd_may(const struct member *member, int64_t turn, int cost) {
    struct address *address = member->address;
    if (address->turn != turn) {
        address->turn = turn;
        address->spent = 0;
    }
    if (address->spent >= CROWD_SHARE)
        return false;
    address->spent += cost;
    return true;
}

void crowd_spend(const struct member *member, int cost) { member->address->spent += cost; }

void crowd_hold(struct member *member, size_t bytes) {
    member->address->waiting += bytes - member->waiting;
    member->waiting = bytes;
}

void crowd_leave(struct crowd *crowd, struct member *member) {
    if (member->watching) {
        member->address->watchers--;
        crowd->watchers--;
        crowd->count--;
    } else if (!member->dropped) {
        forget_visitor(crowd, member);
    }
    crowd_hold(member, 0);
    if (--member->address->members == 0)
        forget_address(crowd, member->address);
    free(member);
}
