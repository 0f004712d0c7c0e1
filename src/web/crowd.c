// SPDX-License-Identifier: MIT
#include "web/crowd.h"

#include "base/mem.h"
#include "web/guard.h"

#include <stdlib.h>

enum { WATCHERS_TO_FREE = 3 }; // an address may watch with so many for every free place

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
    crowd->visitors_of[member->slot]--;
    crowd->count--;
}

static int fullest_slot(const struct crowd *crowd) {
    int fullest = 0;
    for (int i = 1; i < CROWD_SLOTS; i++)
        if (crowd->visitors_of[i] > crowd->visitors_of[fullest])
            fullest = i;
    return fullest;
}

// Makes room for one; false if all watch.
static bool make_room(struct crowd *crowd) {
    const int slot = fullest_slot(crowd);
    struct member *member = crowd->oldest;
    while (member && member->slot != slot)
        member = member->newer;
    if (!member)
        return false;
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
                              .slot = (int)(address_number(address) % CROWD_SLOTS)};
    link_newest(crowd, member);
    crowd->visitors_of[member->slot]++;
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
    if (member->dropped || crowd->watchers_of[member->slot] >= room)
        return false;
    unlink_member(crowd, member);
    crowd->visitors_of[member->slot]--;
    crowd->watchers_of[member->slot]++;
    crowd->watchers++;
    member->watching = true;
    return true;
}

void crowd_leave(struct crowd *crowd, struct member *member) {
    if (member->watching) {
        crowd->watchers_of[member->slot]--;
        crowd->watchers--;
        crowd->count--;
    } else if (!member->dropped) {
        forget_visitor(crowd, member);
    }
    free(member);
}
