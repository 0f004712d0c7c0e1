// SPDX-License-Identifier: MIT
#include "web/guard.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void guard_init(struct guard *guard, int port, bool tls) {
    static const char *const own[] = {"localhost", "127.0.0.1", "[::1]"};
    *guard = (struct guard){.port = port, .tls = tls};
    snprintf(guard->key_cookie, COOKIE_NAME_MAX, "arbiter_key_%d", port);
    snprintf(guard->team_cookie, COOKIE_NAME_MAX, "arbiter_team_%d", port);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        snprintf(guard->names[guard->name_count++], GUARD_NAME_MAX, "%s", own[i]);
}

bool guard_add_name(struct guard *guard, const char *name, struct err *err) {
    if (guard->name_count == GUARD_NAMES_MAX)
        return err_set(err, "a server goes by %d names at most", GUARD_NAMES_MAX - 3);
    if (!*name || strlen(name) >= GUARD_NAME_MAX)
        return err_set(err, "'%.60s' cannot be the name of a server", name);
    snprintf(guard->names[guard->name_count++], GUARD_NAME_MAX, "%s", name);
    return true;
}

bool guard_load_key(struct guard *guard, const char *path, bool *replaced, struct err *err) {
    struct buf text = {.data = NULL};
    const enum secret_file found = secret_read(path, SECRET_TEXT_MAX - 1, &text, err);
    const bool whole = found == SECRET_GOOD && text.length == SECRET_TEXT_MAX - 1;
    *replaced = found == SECRET_SEEN;
    if (whole)
        memcpy(guard->key, text.data, text.length + 1);
    buf_done(&text);
    if (whole || found == SECRET_REFUSED)
        return whole;
    return secret_draw(guard->key, err) && secret_write(path, guard->key, strlen(guard->key), err);
}

// What follows the name in "name:port" is the port, which may be missing if it is the usual one.
static bool knows_port(const struct guard *guard, const char *rest) {
    char port[8];
    snprintf(port, sizeof port, ":%d", guard->port);
    return strcmp(rest, port) == 0 || (!*rest && guard->port == (guard->tls ? 443 : 80));
}

bool guard_knows_host(const struct guard *guard, const char *host) {
    for (int i = 0; i < guard->name_count; i++) {
        const size_t length = strlen(guard->names[i]);
        if (strncasecmp(host, guard->names[i], length) == 0 && knows_port(guard, host + length))
            return true;
    }
    return false;
}

bool guard_knows_origin(const struct guard *guard, const char *origin, const char *host) {
    const char *scheme = guard->tls ? "https://" : "http://";
    const size_t length = strlen(scheme);
    return strncmp(origin, scheme, length) == 0 && strcasecmp(origin + length, host) == 0 &&
           guard_knows_host(guard, host);
}

bool guard_knows_key(const struct guard *guard, const char *key) {
    return secret_same(guard->key, key);
}

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
static int place_of(const struct rate *rate, uint32_t address) {
    int oldest = 0;
    for (int i = 0; i < RATE_PLACES; i++)
        if (rate->address[i] == address)
            return i;
    for (int i = 1; i < RATE_PLACES; i++)
        if (rate->place[i].at_us < rate->place[oldest].at_us)
            oldest = i;
    return oldest;
}

bool rate_take(struct rate *rate, const char *address, int64_t now_us) {
    const uint32_t number = address_number(address);
    const int i = place_of(rate, number);
    double left = rate->burst;
    if (rate->address[i])
        left =
            rate->place[i].left + rate->per_second * (double)(now_us - rate->place[i].at_us) / 1e6;
    if (left > rate->burst)
        left = rate->burst;
    rate->address[i] = number;
    rate->place[i].at_us = now_us;
    rate->place[i].left = left >= 1 ? left - 1 : left;
    return left >= 1;
}
