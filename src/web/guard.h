// SPDX-License-Identifier: MIT
// Who may do what: the names this server goes by, where a request may come from, the organiser's
// key, and how often somebody may ask. Pure, but for the file of the key.
#pragma once

#include "base/err.h"
#include "web/secret.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    KEY_TEXT_MAX = 44,
    GUARD_NAMES_MAX = 8,
    GUARD_NAME_MAX = 128,
    RATE_PLACES = 1024,
    COOKIE_NAME_MAX = 24
};

struct guard {
    char names[GUARD_NAMES_MAX][GUARD_NAME_MAX]; // "localhost", "127.0.0.1", the bound name
    int name_count;
    int port;
    bool tls;
    bool everywhere;        // it listens on all addresses of the machine
    char key[KEY_TEXT_MAX]; // the organiser's
    // What the cookies of the organiser, of teams and of visitors are called, each with the port:
    // browsers send cookies to all ports of a host, and two servers must not take each other's for
    // theirs.
    char key_cookie[COOKIE_NAME_MAX], team_cookie[COOKIE_NAME_MAX], visitor_cookie[COOKIE_NAME_MAX];
};

// The names every server goes by, on this port.
void guard_init(struct guard *guard, int port, bool tls);
bool guard_add_name(struct guard *guard, const char *name, struct err *err);
// Reads the key from a file that only its owner may read, or makes a new one and writes it there;
// also if others could read the old one, which is `replaced` then.
bool guard_load_key(struct guard *guard, const char *path, bool *replaced, struct err *err);

// Whether a Host header names this server.
bool guard_knows_host(const struct guard *guard, const char *host);
// Whether an Origin header is the page of that host itself.
bool guard_knows_origin(const struct guard *guard, const char *origin, const char *host);
// Whether this is the organiser's key; takes as long for every wrong one of a length.
bool guard_knows_key(const struct guard *guard, const char *key);
// The key that a Cookie header has under a name; false if there is none.
bool guard_cookie(const char *cookie, const char *name, char key[static KEY_TEXT_MAX]);

// How often addresses may ask: so many at once, then so many a second. Each has a place of its own.
// Where there are more addresses than places, whoever comes takes the place that was used least
// recently with what is left there: to come by many addresses gains nothing.
struct rate {
    double burst, per_second;
    uint32_t address[RATE_PLACES]; // 0: free
    struct {
        int64_t at_us;
        double left;
    } place[RATE_PLACES];
};

// An IPv4 address as a number of its own.
uint32_t address_number(const char *address);
// Takes one from what an address has left; false if nothing is.
bool rate_take(struct rate *rate, const char *address, int64_t now_us);
