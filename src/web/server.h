// SPDX-License-Identifier: MIT
// The HTTP and WebSocket server, on the loop of libuv: `arbiter serve`.
#pragma once

#include "base/embed.h"
#include "base/err.h"
#include "web/restart_state.h"

#include <stdbool.h>

struct server_config {
    const char *address;  // to listen on
    const char *names[5]; // more names the server goes by; NULL ends them
    int port, judge_port;
    const char *data, *program;
    const struct embed *kits;      // that players who are handed in may use
    const char *certificate, *key; // of TLS; NULL: none
    int visitors;                  // as in switches.h; -1: nothing was said
    bool demo;                     // begin with a demo contest where there is none
    bool personal;                 // started by and for one person, who may end it
    bool live_values;              // so, too; false: nothing was said
    struct restart_state *restart; // outlives a fall
    bool again;                    // after a fall: what was going on goes on
    // The server is up: `url` is where to go, with the organiser's key in it.
    void (*ready)(void *owner, const char *url);
    void (*note)(void *owner, const char *words);
    void *owner;
};

// Serves until it is interrupted or asked to leave.
bool server_run(const struct server_config *config, struct err *err);
