// SPDX-License-Identifier: MIT
#include "web/admission.h"

#include "base/mem.h"
#include "web/guard.h"

#include <stdlib.h>

enum { WATCHERS_TO_FREE = 3 }; // an address may watch with so many for every free place

static struct address **list_of(struct admission *admission, uint32_t number) {
    return &admission->addresses[(number ^ number >> 10 ^ number >> 20) % ADMISSION_LISTS];
}

static struct address *find_address(struct admission *admission, uint32_t number) {
    struct address **list = list_of(admission, number), *address = *list;
    while (address && address->number != number)
        address = address->next;
    if (address)
        return address;
    address = mem_new(1, sizeof *address);
    *address = (struct address){.next = *list, .number = number};
    *list = address;
    return address;
}

static void forget_address(struct admission *admission, struct address *address) {
    struct address **at = list_of(admission, address->number);
    while (*at != address)
        at = &(*at)->next;
    *at = address->next;
    free(address);
}

static void link_newest(struct admission *admission, struct member *member) {
    member->older = admission->newest;
    member->newer = NULL;
    *(admission->newest ? &admission->newest->newer : &admission->oldest) = member;
    admission->newest = member;
}

static void unlink_member(struct admission *admission, struct member *member) {
    *(member->older ? &member->older->newer : &admission->oldest) = member->newer;
    *(member->newer ? &member->newer->older : &admission->newest) = member->older;
}

static void forget_visitor(struct admission *admission, struct member *member) {
    unlink_member(admission, member);
    member->address->visitors--;
    admission->count--;
}

// The address with most visitors; NULL: all watch.
static const struct address *fullest_address(const struct admission *admission) {
    const struct address *fullest = NULL;
    int most = 0;
    for (int i = 0; i < ADMISSION_LISTS; i++)
        for (const struct address *a = admission->addresses[i]; a; a = a->next)
            if (a->visitors > most) {
                fullest = a;
                most = a->visitors;
            }
    return fullest;
}

// Makes room for one; false if all watch.
static bool make_room(struct admission *admission) {
    const struct address *fullest = fullest_address(admission);
    if (!fullest)
        return false;
    struct member *member = admission->oldest;
    while (member->address != fullest)
        member = member->newer;
    forget_visitor(admission, member);
    member->dropped = true;
    admission->drop(member->connection);
    return true;
}

struct member *admission_join(struct admission *admission, void *connection, const char *address) {
    if (admission->count >= admission->most && !make_room(admission))
        return NULL;
    struct member *member = mem_new(1, sizeof *member);
    *member = (struct member){.connection = connection,
                              .address = find_address(admission, address_number(address))};
    link_newest(admission, member);
    member->address->members++;
    member->address->visitors++;
    admission->count++;
    return member;
}

void admission_touch(struct admission *admission, struct member *member) {
    if (member->watching || member->dropped)
        return;
    unlink_member(admission, member);
    link_newest(admission, member);
}

bool admission_watch(struct admission *admission, struct member *member) {
    const int room = WATCHERS_TO_FREE * (admission->most - admission->watchers);
    if (member->dropped || member->address->watchers >= room)
        return false;
    unlink_member(admission, member);
    member->address->visitors--;
    member->address->watchers++;
    admission->watchers++;
    member->watching = true;
    return true;
}

bool admission_may(const struct member *member, int64_t turn, int cost) {
    struct address *address = member->address;
    if (address->turn != turn) {
        address->turn = turn;
        address->spent = 0;
    }
    if (address->spent >= ADMISSION_SHARE)
        return false;
    address->spent += cost;
    return true;
}

void admission_spend(const struct member *member, int cost) { member->address->spent += cost; }

void admission_hold(struct member *member, size_t bytes) {
    member->address->waiting += bytes - member->waiting;
    member->waiting = bytes;
}

void admission_leave(struct admission *admission, struct member *member) {
    if (member->watching) {
        member->address->watchers--;
        admission->watchers--;
        admission->count--;
    } else if (!member->dropped) {
        forget_visitor(admission, member);
    }
    admission_hold(member, 0);
    if (--member->address->members == 0)
        forget_address(admission, member->address);
    free(member);
}
