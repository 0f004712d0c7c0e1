// SPDX-License-Identifier: MIT
// Every child has a pipe that it alone writes into: the end of the pipe is the end of the child,
// and only then it is waited for. So whatever it has said before it died is heard.
//
// A child dies with its parent: the kernel sends it SIGTERM, and if the parent was dead before that
// was asked for, the child sees that it has another. It closes the pipes of the others, which shall
// break when nobody hears them any more. SIGINT and SIGTERM are held over the fork, so that no
// handler of the parent runs in the child; the child lets them come when it can heed them.
//
// A process that is being forked elsewhere may have the parent's end of a pipe for a moment longer:
// closing it alone would not end the watch, so that comes first.
#include "base/child.h"

#include "base/buf.h"
#include "base/fds.h"
#include "base/mem.h"
#include "base/signals.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { AT_ONCE = 65536 }; // bytes of one child that are read before the next has its turn

struct child {
    struct children *pool;
    struct child *next;
    void *owner;
    pid_t pid;
    int fd;
    struct buf in; // the beginning of a line
};

struct children {
    const struct child_task *task;
    int watch; // epoll
    int count;
    struct child *first;
};

struct children *children_new(const struct child_task *task, struct err *err) {
    assert(task->name && task->live && task->said && task->ended);
    const int watch = epoll_create1(EPOLL_CLOEXEC);
    if (watch < 0) {
        err_set(err, "cannot watch %s: %s", task->name, strerror(errno));
        return NULL;
    }
    struct children *pool = mem_new(1, sizeof *pool);
    *pool = (struct children){.task = task, .watch = watch};
    return pool;
}

int children_fd(const struct children *pool) { return pool->watch; }

int children_count(const struct children *pool) { return pool->count; }

pid_t child_fork(int at_parents_end) {
    const pid_t parent = getpid();
    fflush(NULL);
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    prctl(PR_SET_PDEATHSIG, at_parents_end);
    if (getppid() != parent)
        _exit(EXIT_FAILURE); // it died before it could tell us
    return 0;
}

int child_wait(pid_t pid) {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static pid_t fork_held(const struct children *pool, void *owner, const int ends[2]) {
    sigset_t before;
    sigprocmask(SIG_SETMASK, NULL, &before);
    signals_hold(true);
    const pid_t pid = child_fork(SIGTERM);
    if (pid == 0) {
        close(ends[0]);
        close(pool->watch);
        for (const struct child *other = pool->first; other; other = other->next)
            close(other->fd);
        _exit(pool->task->live(owner, ends[1]));
    }
    const int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return pid;
}

static void close_pipe(const struct child *child) {
    epoll_ctl(child->pool->watch, EPOLL_CTL_DEL, child->fd, NULL);
    close(child->fd);
}

struct child *child_start(struct children *pool, void *owner) {
    assert(pool);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    struct child *child = mem_new(1, sizeof *child);
    *child = (struct child){.pool = pool, .owner = owner, .fd = ends[0]};
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = child};
    child->pid = epoll_ctl(pool->watch, EPOLL_CTL_ADD, child->fd, &event) == 0
                     ? fork_held(pool, owner, ends)
                     : -1;
    const int error = errno;
    close(ends[1]);
    if (child->pid < 0) {
        close_pipe(child);
        free(child);
        errno = error;
        return NULL;
    }
    child->next = pool->first;
    pool->first = child;
    pool->count++;
    return child;
}

static int reap(struct child *child) {
    struct child **at = &child->pool->first;
    while (*at != child)
        at = &(*at)->next;
    *at = child->next;
    child->pool->count--;
    close_pipe(child); // it may be about to write
    const int status = child_wait(child->pid);
    buf_done(&child->in);
    free(child);
    return status;
}

// Whole lines, as many as there are; what is no JSON says nothing.
static void take_lines(struct child *child) {
    size_t done = 0;
    for (const char *end; (end = memchr(child->in.data + done, '\n', child->in.length - done));) {
        json_t *line =
            json_loadb(child->in.data + done, (size_t)(end - child->in.data) - done, 0, NULL);
        if (line)
            child->pool->task->said(child->owner, line);
        json_decref(line);
        done = (size_t)(end - child->in.data) + 1;
    }
    buf_drop(&child->in, done);
}

static void hear(struct child *child) {
    const struct child_task *task = child->pool->task;
    void *owner = child->owner;
    char bytes[AT_ONCE];
    const ssize_t n = read(child->fd, bytes, sizeof bytes);
    if (n > 0) {
        buf_put(&child->in, bytes, (size_t)n);
        take_lines(child);
    } else if (n == 0 || errno != EINTR) {
        task->ended(owner, reap(child));
    }
}

// One by one, for whoever is told may end others. The kernel hands out each before any again.
void children_hear(struct children *pool) {
    struct epoll_event event;
    for (int i = pool->count; i > 0 && epoll_wait(pool->watch, &event, 1, 0) == 1; i--)
        hear(event.data.ptr);
}

void children_signal(const struct children *pool, int number) {
    for (const struct child *child = pool->first; child; child = child->next)
        kill(child->pid, number);
}

void child_signal(const struct child *child, int number) { kill(child->pid, number); }

void child_free(struct child *child) {
    if (child)
        reap(child);
}

void children_free(struct children *pool) {
    if (!pool)
        return;
    children_signal(pool, SIGTERM);
    while (pool->first)
        reap(pool->first);
    close(pool->watch);
    free(pool);
}

bool child_tell(int out, json_t *take_line) {
    char *text = json_dumps(take_line, JSON_LINE);
    struct buf line = {.data = NULL};
    json_decref(take_line);
    buf_format(&line, "%s\n", text ? text : "{}");
    free(text);
    const bool good = fds_write(out, line.data, line.length);
    buf_done(&line);
    return good;
}
