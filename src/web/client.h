// SPDX-License-Identifier: MIT
// One connection: requests and their answers, one after the other, until it watches by WebSocket or
// is closed. A client is made when somebody comes and freed when its line is closed.
#pragma once

#include "web/admission.h"
#include "web/exchange.h"
#include "web/listener.h"

struct client;

enum { CLIENTS_WAITING_MAX = 1 << 24 }; // bytes that wait to be written to one address

// What all clients share; zeroed by its owner but for the first three.
struct clients {
    struct web *web;
    struct rate requests, changes; // of addresses
    void (*leave)(void *owner);    // an answer has left after which the server ends
    void *owner;
    struct admission admission;
    struct client *first;
    char bytes[STREAM_READ_MIN]; // what was read last
};

// Of listener_events, and of admission.
void *client_new(void *clients, struct stream *stream, const char *peer);
bool client_may(void *client, int64_t turn, int cost);
void client_stir(void *client);
void client_drop(void *client);
// Of platform_config: there is something new for one who watches.
void client_wake(void *client);

// Closes those that have not got on in time.
void clients_sweep(struct clients *clients, int64_t now_us);
void clients_done(struct clients *clients);
