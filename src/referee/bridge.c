// SPDX-License-Identifier: MIT
// The side of the game is connected first: when that closes, the game is over, whether the team has
// come or not. A team that comes back after its connection broke gets a new one to the game, too.
#include "referee/bridge.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

static void bridge_free(struct bridge *bridge) {
    struct bridge **at = bridge->list;
    while (*at != bridge)
        at = &(*at)->next;
    *at = bridge->next;
    if (bridge->to_game)
        link_free(bridge->to_game, 0);
    if (bridge->claim)
        claim_free(bridge->claim);
    if (bridge->to_team)
        lobby_return(bridge->lobby, bridge->to_team, bridge->team);
    free(bridge);
}

static void game_says(void *owner, const char *bytes, size_t length, int64_t now_us) {
    const struct bridge *bridge = owner;
    (void)now_us;
    if (bridge->to_team)
        link_send(bridge->to_team, bytes, length);
}

static void game_gone(void *owner, const struct parting *how, int64_t now_us) {
    (void)how, (void)now_us;
    bridge_free(owner);
}

static bool reach_game(struct bridge *bridge, struct err *err) {
    static const struct link_events events = {.bytes = game_says, .gone = game_gone};
    bridge->to_game = tcp_connect(bridge->loop, bridge->port, &events, bridge, err);
    return bridge->to_game != NULL;
}

static void team_says(void *owner, const char *bytes, size_t length, int64_t now_us) {
    const struct bridge *bridge = owner;
    (void)now_us;
    link_send(bridge->to_game, bytes, length);
}

static void team_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct bridge *bridge = owner;
    struct err err = {.set = false};
    (void)how, (void)now_us;
    link_free(bridge->to_team, 0);
    link_free(bridge->to_game, 0);
    bridge->to_team = NULL;
    if (reach_game(bridge, &err))
        claim_vacate(bridge->claim);
    else
        bridge_free(bridge);
}

static void bridge_joined(void *owner, struct link *link, const char *bytes, size_t length,
                          int64_t now_us) {
    static const struct link_events events = {.bytes = team_says, .gone = team_gone};
    struct bridge *bridge = owner;
    (void)now_us;
    bridge->to_team = link;
    link_watch(link, &events, bridge);
    link_send(bridge->to_game, &bridge->team, sizeof bridge->team); // as it came
    link_send(bridge->to_game, bytes, length);
}

bool bridge_new(struct bridge **list, struct loop *loop, struct lobby *lobby, int32_t team,
                int port, struct err *err) {
    assert(port > 0);
    struct bridge *bridge = mem_new(1, sizeof *bridge);
    *bridge = (struct bridge){
        .next = *list, .list = list, .loop = loop, .lobby = lobby, .team = team, .port = port};
    *list = bridge;
    if (reach_game(bridge, err))
        bridge->claim = claim_new(lobby, team, true, bridge_joined, bridge);
    else
        bridge_free(bridge);
    return !err->set;
}

bool bridges_have(const struct bridge *list, int32_t team) {
    while (list && list->team != team)
        list = list->next;
    return list != NULL;
}

void bridges_free(struct bridge **list) {
    while (*list)
        bridge_free(*list);
}
