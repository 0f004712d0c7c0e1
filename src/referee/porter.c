// SPDX-License-Identifier: MIT
// The process is forked, and speaks with its parent by a local socket that keeps messages apart:
// the first says whether it listens ("ready", or the error), then notes come from it and orders go
// to it. It holds no other descriptor, and hears no signal: the end of the socket is its end.
#include "referee/porter.h"

#include "base/child.h"
#include "base/mem.h"
#include "link/loop.h"
#include "link/watch.h"
#include "referee/bridge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WORDS_MAX = ERR_TEXT_MAX, CONTROL = 3 };

static const char ready[] = "ready", ended[] = "the process that has the judge's port has ended";

enum order_kind { ORDER_LEND, ORDER_LEAVE };

struct porter_order {
    enum order_kind kind;
    int32_t team;
    int port;
};

struct porter {
    pid_t pid;
    int control;
};

// What the process itself has.
struct gate {
    const struct porter_config *config;
    struct loop *loop;
    struct lobby *lobby;
    struct watch *watch;
    struct bridge *bridges;
};

// Whoever does not read misses notes; nobody waits for it.
static void porter_note(void *owner, const char *words) {
    (void)owner;
    const ssize_t ignored = send(CONTROL, words, strlen(words), MSG_DONTWAIT | MSG_NOSIGNAL);
    (void)ignored;
}

static void porter_changed(void *owner) { (void)owner; }

static bool porter_expects(void *owner, int32_t team) {
    const struct porter_config *config = ((const struct gate *)owner)->config;
    int i = 0;
    while (i < config->team_count && config->teams[i] != team)
        i++;
    return i < config->team_count;
}

// The teams are sent the stop, and have a moment to read it.
static void leave(struct gate *gate) {
    bridges_free(&gate->bridges);
    lobby_free(gate->lobby);
    watch_free(gate->watch);
}

static void take_order(void *owner) {
    struct gate *gate = owner;
    struct porter_order order;
    struct err err = {.set = false};
    const ssize_t n = recv(CONTROL, &order, sizeof order, MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (n != (ssize_t)sizeof order)
        _exit(1); // our parent is dead: whoever goes on wants the port, and the teams
    if (order.kind == ORDER_LEAVE)
        leave(gate);
    else if (!bridge_new(&gate->bridges, gate->loop, gate->lobby, order.team, order.port, &err))
        porter_note(gate, err.text); // its game is over already
}

static _Noreturn void keep_gate(const struct porter_config *config) {
    struct gate gate = {.config = config};
    struct err err = {.set = false};
    gate.loop = loop_new(&err);
    if (gate.loop)
        gate.lobby = lobby_new(gate.loop, config->address, config->port, porter_note, &gate, &err);
    porter_note(&gate, err.set ? err.text : ready);
    if (err.set)
        _exit(1);
    lobby_keep(gate.lobby, porter_changed);
    lobby_expect(gate.lobby, porter_expects);
    gate.watch = watch_new(gate.loop, CONTROL, take_order, &gate);
    watch_set(gate.watch, true);
    loop_run(gate.loop);
    loop_free(gate.loop);
    _exit(0);
}

static _Noreturn void become(const struct porter_config *config, int control) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    prctl(PR_SET_NAME, "arbiter-porter");
    const int none = open("/dev/null", O_RDWR), kept = fcntl(control, F_DUPFD, CONTROL + 1);
    for (int i = 0; i < CONTROL; i++)
        dup2(none, i);
    if (dup2(kept, CONTROL) < 0)
        _exit(1);
    close_range(CONTROL + 1, ~0U, 0);
    keep_gate(config);
}

// Its first word.
static bool begins(const struct porter *porter, struct err *err) {
    char words[WORDS_MAX];
    ssize_t n;
    while ((n = recv(porter->control, words, sizeof words - 1, 0)) < 0 && errno == EINTR)
        ;
    words[n > 0 ? n : 0] = '\0';
    if (n <= 0)
        return err_set(err, "%s", ended);
    return strcmp(words, ready) == 0 || err_set(err, "%s", words);
}

struct porter *porter_new(const struct porter_config *config, struct err *err) {
    struct porter *porter = mem_new(1, sizeof *porter);
    int ends[2];
    *porter = (struct porter){.pid = -1, .control = -1};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0) {
        porter->pid = child_fork(SIGKILL);
        if (porter->pid == 0)
            become(config, ends[1]);
        close(ends[1]);
        porter->control = ends[0];
    }
    if (porter->pid < 0)
        err_set(err, "cannot start a process for the judge's port: %s", strerror(errno));
    if (!err->set && begins(porter, err))
        return porter;
    porter_free(porter);
    return NULL;
}

static bool tell(const struct porter *porter, const struct porter_order *order) {
    ssize_t n;
    while ((n = send(porter->control, order, sizeof *order, MSG_NOSIGNAL)) < 0 && errno == EINTR)
        ;
    return n == (ssize_t)sizeof *order;
}

bool porter_lend(struct porter *porter, int32_t team, int port, struct err *err) {
    return tell(porter, &(struct porter_order){.kind = ORDER_LEND, .team = team, .port = port}) ||
           err_set(err, "%s", ended);
}

int porter_fd(const struct porter *porter) { return porter->control; }

bool porter_hear(struct porter *porter, void (*said)(void *owner, const char *words), void *owner,
                 struct err *err) {
    char words[WORDS_MAX];
    ssize_t n;
    while ((n = recv(porter->control, words, sizeof words - 1, MSG_DONTWAIT)) > 0) {
        words[n] = '\0';
        said(owner, words);
    }
    return (n < 0 && (errno == EAGAIN || errno == EINTR)) || err_set(err, "%s", ended);
}

void porter_free(struct porter *porter) {
    if (!porter)
        return;
    if (porter->control >= 0) {
        tell(porter, &(struct porter_order){.kind = ORDER_LEAVE});
        shutdown(porter->control, SHUT_RD); // its notes are for nobody now
    }
    if (porter->pid > 0)
        child_wait(porter->pid);
    if (porter->control >= 0)
        close(porter->control);
    free(porter);
}
