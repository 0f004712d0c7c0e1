// SPDX-License-Identifier: MIT
// Each game is a child that writes lines into a pipe (play.h). The end of the pipe is the end of
// the child; only then its table is free, so that its players do not take time from the next ones.
// A child ends by itself when its parent dies.
#include "contest/hall.h"

#include "base/buf.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct hall_seat {
    pid_t pid;
    int fd; // -1: nobody plays
    struct buf in;
    bool told, stopped; // of its end; or nobody wants to know
};

struct hall {
    const struct hall_events *events;
    void *owner;
    int watch; // epoll
    int tables, busy;
    struct hall_seat *seats;
};

struct hall *hall_new(int tables, const struct hall_events *events, void *owner, struct err *err) {
    struct hall *h = mem_new(1, sizeof *h);
    *h = (struct hall){.events = events, .owner = owner, .tables = tables};
    h->seats = mem_new((size_t)tables + 1, sizeof *h->seats);
    for (int i = 0; i < tables; i++)
        h->seats[i].fd = -1;
    h->watch = epoll_create1(EPOLL_CLOEXEC);
    if (h->watch >= 0)
        return h;
    err_set(err, "cannot watch games: %s", strerror(errno));
    hall_free(h);
    return NULL;
}

int hall_fd(const struct hall *h) { return h->watch; }

int hall_busy(const struct hall *h) { return h->busy; }

int hall_free_table(const struct hall *h) {
    for (int i = 0; i < h->tables; i++)
        if (h->seats[i].fd < 0)
            return i;
    return -1;
}

static _Noreturn void live(const struct hall *h, const struct play_job *job, int out,
                           pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1); // it died before it could tell us
    for (int i = 0; i < h->tables; i++)
        if (h->seats[i].fd >= 0)
            close(h->seats[i].fd);
    close(h->watch);
    play_game(job, out);
}

static pid_t start(const struct hall *h, const struct play_job *job, int ends[2]) {
    sigset_t both, before;
    const pid_t self = getpid();
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigprocmask(SIG_BLOCK, &both, &before);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        live(h, job, ends[1], self);
    }
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

bool hall_begin(struct hall *h, int table, const struct play_job *job, struct err *err) {
    struct hall_seat *s = &h->seats[table];
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return err_set(err, "cannot start a game: %s", strerror(errno));
    const pid_t pid = start(h, job, ends);
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)table};
    close(ends[1]);
    if (pid < 0 || epoll_ctl(h->watch, EPOLL_CTL_ADD, ends[0], &event) != 0) {
        close(ends[0]);
        return err_set(err, "cannot start a game: %s", strerror(errno));
    }
    *s = (struct hall_seat){.pid = pid, .fd = ends[0]};
    h->busy++;
    return true;
}

void hall_stop(struct hall *h, int table) {
    struct hall_seat *s = &h->seats[table];
    s->stopped = true;
    if (s->fd >= 0)
        kill(s->pid, SIGTERM);
}

static int64_t number_in(const json_t *line, const char *key) {
    return json_integer_value(json_object_get(line, key));
}

static void take_line(struct hall *h, int table, const char *bytes, size_t length) {
    struct hall_seat *s = &h->seats[table];
    json_t *line = json_loadb(bytes, length, 0, NULL);
    const char *error = json_string_value(json_object_get(line, "error")),
               *moved = json_string_value(json_object_get(line, "moved")),
               *note = json_string_value(json_object_get(line, "note"));
    json_t *record = json_object_get(line, "record");
    if (s->stopped || s->told) {
        json_decref(line);
        return;
    }
    if (note)
        h->events->note(h->owner, note);
    if (moved && h->events->moved)
        h->events->moved(h->owner, table, (int)number_in(line, "ply"), moved);
    if (json_object_get(line, "team") && h->events->team)
        h->events->team(h->owner, table, (int)number_in(line, "team"),
                        (int)number_in(line, "port"));
    s->told = record || error;
    if (record)
        h->events->ended(h->owner, table, record,
                         &(struct hall_times){number_in(line, "begin_us"),
                                              number_in(line, "start_us"),
                                              number_in(line, "play_us")});
    else if (error)
        h->events->failed(h->owner, table, error, false);
    json_decref(line);
}

static void take_lines(struct hall *h, int table) {
    struct hall_seat *s = &h->seats[table];
    size_t done = 0;
    for (const char *end; (end = memchr(s->in.data + done, '\n', s->in.length - done));) {
        const size_t length = (size_t)(end - s->in.data) - done;
        take_line(h, table, s->in.data + done, length);
        done += length + 1;
    }
    buf_drop(&s->in, done);
}

static void leave(struct hall *h, int table) {
    struct hall_seat *s = &h->seats[table];
    char words[80] = "its referee ended without a result";
    int status = 0;
    // A process that is being forked elsewhere may have it for a moment longer.
    epoll_ctl(h->watch, EPOLL_CTL_DEL, s->fd, NULL);
    close(s->fd);
    s->fd = -1;
    h->busy--;
    buf_done(&s->in);
    while (waitpid(s->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status))
        snprintf(words, sizeof words, "its referee was ended by signal %d (%.30s)",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (!s->told && !s->stopped)
        h->events->failed(h->owner, table, words, true);
    h->events->left(h->owner, table);
}

static void hear(struct hall *h, int table) {
    struct hall_seat *s = &h->seats[table];
    char bytes[65536];
    const ssize_t n = read(s->fd, bytes, sizeof bytes);
    if (n > 0) {
        buf_put(&s->in, bytes, (size_t)n);
        take_lines(h, table);
    } else if (n == 0 || errno != EINTR) {
        leave(h, table);
    }
}

void hall_work(struct hall *h) {
    struct epoll_event events[64];
    const int count = epoll_wait(h->watch, events, sizeof events / sizeof *events, 0);
    for (int i = 0; i < count; i++)
        if (h->seats[events[i].data.u32].fd >= 0)
            hear(h, (int)events[i].data.u32);
}

void hall_free(struct hall *h) {
    if (!h)
        return;
    for (int i = 0; i < h->tables; i++)
        if (h->seats[i].fd >= 0)
            hall_stop(h, i);
    for (int i = 0; i < h->tables; i++) {
        struct hall_seat *s = &h->seats[i];
        if (s->fd < 0)
            continue;
        close(s->fd); // it may be about to write
        while (waitpid(s->pid, NULL, 0) < 0 && errno == EINTR)
            ;
        buf_done(&s->in);
    }
    if (h->watch >= 0)
        close(h->watch);
    free(h->seats);
    free(h);
}
