// SPDX-License-Identifier: MIT
// Names and origins are compared whole, with their port: what only begins like ours is another's.
// A rate is a bucket that fills with time: an address has `burst` when it comes first, a request
// takes one, and it has what it had plus what came since. Only the last time and the rest are kept.
#include "web/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void guard_init(struct guard *g, int port, bool tls) {
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    *g = (struct guard){.port = port, .tls = tls};
    snprintf(g->key_cookie, COOKIE_NAME_MAX, "arbiter_key_%d", port);
    snprintf(g->team_cookie, COOKIE_NAME_MAX, "arbiter_team_%d", port);
    snprintf(g->visitor_cookie, COOKIE_NAME_MAX, "arbiter_visitor_%d", port);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        snprintf(g->names[g->name_count++], GUARD_NAME_MAX, "%s", own[i]);
}

bool guard_add_name(struct guard *g, const char *name, struct err *err) {
    if (g->name_count == GUARD_NAMES_MAX)
        return err_set(err, "a server goes by %d names at most", GUARD_NAMES_MAX - 3);
    if (!*name || strlen(name) >= GUARD_NAME_MAX)
        return err_set(err, "'%.60s' cannot be the name of a server", name);
    snprintf(g->names[g->name_count++], GUARD_NAME_MAX, "%s", name);
    return true;
}

bool guard_load_key(struct guard *g, const char *path, bool *replaced, struct err *err) {
    struct buf text = {.data = NULL};
    const enum secret_file found = secret_read(path, SECRET_TEXT_MAX - 1, &text, err);
    const bool whole = found == SECRET_GOOD && text.length == SECRET_TEXT_MAX - 1;
    *replaced = found == SECRET_SEEN;
    if (whole)
        memcpy(g->key, text.data, text.length + 1);
    buf_done(&text);
    if (whole || found == SECRET_REFUSED)
        return whole;
    return secret_draw(g->key, err) && secret_write(path, g->key, strlen(g->key), err);
}

// What follows the name in "name:port" is the port, which may be missing if it is the usual one.
static bool knows_port(const struct guard *g, const char *rest) {
    char port[8];
    snprintf(port, sizeof port, ":%d", g->port);
    return strcmp(rest, port) == 0 || (!*rest && g->port == (g->tls ? 443 : 80));
}

// Whether it is a number, with or without brackets, and not a name. No foreign name can be pointed
// at a server by a number, so one that listens everywhere answers to all of its own.
static bool is_number(const struct guard *g, const char *host) {
    char number[64];
    struct in6_addr unused;
    const bool six = *host == '[';
    const size_t length = six ? strcspn(host, "]") : strcspn(host, ":");
    if (length < 2 || length >= sizeof number || (six && host[length] != ']'))
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(length - six), host + six);
    return inet_pton(six ? AF_INET6 : AF_INET, number, &unused) == 1 &&
           knows_port(g, host + length + six);
}

bool guard_knows_host(const struct guard *g, const char *host) {
    if (g->everywhere && is_number(g, host))
        return true;
    for (int i = 0; i < g->name_count; i++) {
        const size_t length = strlen(g->names[i]);
        if (strncasecmp(host, g->names[i], length) == 0 && knows_port(g, host + length))
            return true;
    }
    return false;
}

bool guard_knows_origin(const struct guard *g, const char *origin, const char *host) {
    const char *scheme = g->tls ? "https://" : "http://";
    const size_t length = strlen(scheme);
    return strncmp(origin, scheme, length) == 0 && strcasecmp(origin + length, host) == 0 &&
           guard_knows_host(g, host);
}

bool guard_knows_key(const struct guard *g, const char *key) { return secret_same(g->key, key); }

bool guard_cookie(const char *cookie, const char *name, char key[static KEY_TEXT_MAX]) {
    const size_t name_length = strlen(name);
    for (const char *at = cookie; at; at = strchr(at, ';')) {
        at += strspn(at, "; ");
        if (strncmp(at, name, name_length) != 0 || at[name_length] != '=')
            continue;
        at += name_length + 1;
        const size_t length = strcspn(at, "; ");
        if (length >= KEY_TEXT_MAX)
            return false;
        memcpy(key, at, length);
        key[length] = '\0';
        return true;
    }
    return false;
}

uint32_t address_number(const char *address) {
    struct in_addr number = {0};
    inet_pton(AF_INET, address, &number);
    return ntohl(number.s_addr);
}

// The place of an address, or the one it takes.
static int place_of(const struct rate *r, uint32_t address) {
    int oldest = 0;
    for (int i = 0; i < RATE_PLACES; i++)
        if (r->address[i] == address)
            return i;
    for (int i = 1; i < RATE_PLACES; i++)
        if (r->place[i].at_us < r->place[oldest].at_us)
            oldest = i;
    return oldest;
}

bool rate_take(struct rate *r, const char *address, int64_t now_us) {
    const uint32_t number = address_number(address);
    const int i = place_of(r, number);
    double left = r->burst;
    if (r->address[i])
        left = r->place[i].left + r->per_second * (double)(now_us - r->place[i].at_us) / 1e6;
    if (left > r->burst)
        left = r->burst;
    r->address[i] = number;
    r->place[i].at_us = now_us;
    r->place[i].left = left >= 1 ? left - 1 : left;
    return left >= 1;
}
