// SPDX-License-Identifier: MIT
// One connection: requests and their answers, one after the other, until it watches by WebSocket or
// is closed. A visit is made when somebody comes and freed when its line is closed.
#pragma once

#include "web/carrier.h"
#include "web/crowd.h"
#include "web/exchange.h"

struct visit;

enum { VISITS_WAITING_MAX = 1 << 24 }; // bytes that wait to be written to one address

// What all visits share; zeroed by its owner but for the first three.
struct visits {
    struct web *web;
    struct rate requests, changes; // of addresses
    void (*leave)(void *owner);    // an answer has left after which the server ends
    void *owner;
    struct crowd crowd;
    struct visit *first;
    char bytes[LINE_READ_MIN]; // what was read last
};

// Of carrier_events, and of crowd.
void *visit_new(void *visits, struct line *line, const char *peer);
bool visit_may(void *visit, int64_t turn, int cost);
void visit_stir(void *visit);
void visit_drop(void *visit);
// Of venue_config: there is something new for one who watches.
void visit_wake(void *visit);

// Closes those that have not got on in time.
void visits_sweep(struct visits *visits, int64_t now_us);
void visits_done(struct visits *visits);
