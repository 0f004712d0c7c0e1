// SPDX-License-Identifier: MIT
// Wires the parts: the listener brings connections, a client is what happens on one of them,
// routes.c and live.c decide what is said.
#include "web/server.h"

#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "web/client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 4096,
    OTHER_FILES = 256,     // of the server: games, players, what is being built
    REQUESTS_BURST = 4000, // of one address, then so many a second:
    REQUESTS_PER_S = 1000,
    CHANGES_BURST = 60,
    CHANGES_PER_S = 20,
    GUESSES_BURST = 20, // wrong keys and tokens
    GUESSES_PER_S = 1,
    TICK_US = 1000000,
    LOCK_TRIES = 40,
    LOCK_WAIT_NS = 50000000,
};

struct server {
    const struct server_config *config;
    struct loop *loop;
    struct listener *listener;
    struct timer *timer;
    struct web web;
    struct clients clients;
};

static void server_stop(void *owner) {
    struct server *s = owner;
    loop_stop(s->loop);
}

static void server_tick(void *owner, int64_t now_us) {
    struct server *s = owner;
    clients_sweep(&s->clients, now_us);
    listener_tick(s->listener);
    timer_set(s->timer, now_us + TICK_US);
}

static bool start_listening(struct server *s, struct err *err) {
    static const struct listener_events events = {
        .came = client_new, .may = client_may, .stir = client_stir};
    const struct server_config *c = s->config;
    const struct listener_config config = {
        .address = c->address, .port = c->port, .certificate = c->certificate, .key = c->key};
    s->listener = listener_new(s->loop, &config, &events, &s->clients, err);
    s->timer = timer_new(s->loop, server_tick, s);
    timer_set(s->timer, clock_now_us() + TICK_US);
    return s->listener;
}

static bool load_key(struct server *s, const char *path, struct err *err) {
    bool replaced;
    const bool good = guard_load_key(&s->web.guard, path, &replaced, err);
    if (good && replaced)
        s->config->note(s->config->owner, "the file of the organiser's key could be read by other "
                                          "users: there is a new key, and old links are void");
    return good;
}

static bool open_platform(struct server *s, struct err *err) {
    char path[4096];
    s->web.platform = platform_new(s->loop, s->config, client_wake, err);
    snprintf(path, sizeof path, "%.4000s/key", s->config->data);
    return s->web.platform && load_key(s, path, err);
}

static bool set_names(struct server *s, struct err *err) {
    const struct server_config *c = s->config;
    guard_init(&s->web.guard, listener_port(s->listener), c->certificate != NULL);
    char name[GUARD_NAME_MAX] = "";
    s->web.guard.everywhere = strcmp(c->address, "0.0.0.0") == 0 || strcmp(c->address, "::") == 0;
    if (!guard_add_name(&s->web.guard, c->address, err))
        return false;
    if (s->web.guard.everywhere && gethostname(name, sizeof name - 1) == 0 && *name &&
        !guard_add_name(&s->web.guard, name, err))
        return false;
    for (int i = 0; i < 5 && c->names[i]; i++)
        if (!guard_add_name(&s->web.guard, c->names[i], err))
            return false;
    return true;
}

static void tell_ready(const struct server *s) {
    char url[256];
    const struct server_config *c = s->config;
    const bool reached_here = s->web.guard.everywhere || strncmp(c->address, "127.", 4) == 0;
    const char *name = c->names[0] ? c->names[0] : reached_here ? "localhost" : c->address;
    snprintf(url, sizeof url, "%s://%s:%d/key/%s", s->web.guard.tls ? "https" : "http", name,
             s->web.guard.port, s->web.guard.key);
    s->config->restart->port = s->web.guard.port;
    s->config->restart->up = true;
    s->config->ready(s->config->owner, url);
}

// Fewer where the system does not allow as many open files, of which the server needs others, too.
static int connections_allowed(void) {
    const int files = fds_allow(CONNECTIONS_MAX + OTHER_FILES);
    return files > 2 * OTHER_FILES ? files - OTHER_FILES : files / 2;
}

static void init_clients(struct server *s) {
    struct clients *all = &s->clients;
    all->web = &s->web;
    all->requests = (struct rate){.burst = REQUESTS_BURST, .per_second = REQUESTS_PER_S};
    all->changes = (struct rate){.burst = CHANGES_BURST, .per_second = CHANGES_PER_S};
    all->leave = server_stop;
    all->owner = s;
    all->admission = (struct admission){.most = connections_allowed(), .drop = client_drop};
}

// Once it ends, being told so again must not break that off.
static void ignore_interrupts(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

// Two servers on one folder would take each other's games for theirs. One that was killed a moment
// ago may still be about to leave it.
static int lock_folder(const char *data, struct err *err) {
    const struct timespec pause = {.tv_nsec = LOCK_WAIT_NS};
    char path[4096];
    snprintf(path, sizeof path, "%.4000s/lock", data);
    if (mkdir(data, 0700) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", data, strerror(errno));
        return -1;
    }
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0)
            return fd;
        nanosleep(&pause, NULL);
    }
    if (fd < 0)
        err_set(err, "cannot write into the data folder %.200s: %s", data, strerror(errno));
    else
        err_set(err,
                "another server uses the data folder %.200s: end it, or name another by --data",
                data);
    if (fd >= 0)
        close(fd);
    return -1;
}

bool server_run(const struct server_config *config, struct err *err) {
    const int lock = lock_folder(config->data, err);
    if (lock < 0)
        return false;
    struct server *s = mem_new(1, sizeof *s);
    *s = (struct server){.config = config, .web = {.personal = config->personal}};
    s->web.guesses = (struct rate){.burst = GUESSES_BURST, .per_second = GUESSES_PER_S};
    init_clients(s);
    s->loop = loop_new(err);
    const bool good =
        s->loop && start_listening(s, err) && set_names(s, err) && open_platform(s, err);
    if (good) {
        loop_on_interrupt(s->loop, server_stop, s);
        tell_ready(s);
        loop_run(s->loop);
        ignore_interrupts();
    }
    clients_done(&s->clients);
    listener_free(s->listener);
    timer_free(s->timer);
    platform_free(s->web.platform);
    loop_free(s->loop);
    free(s);
    close(lock);
    return good;
}
