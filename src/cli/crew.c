// SPDX-License-Identifier: MIT
// Each worker is a process that plays one part of the series, pinned to cores of its own. It writes
// a line of JSON for every game into a pipe, and this process puts them in order; a last line says
// what stopped it, if something did. The end of the pipe is the end of the worker.
//
// SIGINT and SIGTERM are held from before the first fork on. This process reads them from a
// descriptor beside the pipes and hands them on; a worker lets them come once it can record the
// game under way as aborted. So every game that was begun is told of, unless its worker was killed
// from outside: then that is said, and the others play on.
//
// Workers with TCP players get a network namespace each, because players know only port 8888.
#include "cli/crew.h"

#include "base/buf.h"
#include "base/cores.h"
#include "base/mem.h"
#include "cli/part.h"
#include "referee/network.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 256 };

struct crew_worker {
    struct part part; // as the worker has it, to know what it plays
    pid_t pid;
    int fd;        // what it says; -1: it was not started, or has ended
    int index;     // the game under way; -1: it has played all
    struct buf in; // the beginning of a line
};

struct crew {
    struct series *series;
    struct crew_worker worker[JOBS_MAX];
    int alive;
    int signals;      // SIGINT and SIGTERM can be read here
    json_t **waiting; // records that came before their turn
    int next;         // whose turn it is
    bool stopped;     // nobody wants more records
    bool interrupted;
    struct err trouble; // what went wrong with a worker; told when all is handed on
};

// Writes a value as a line for the parent, and frees it; false if the parent is not there.
static bool tell_parent(int out, json_t *value) {
    char *text = json_dumps(value, JSON_LINE);
    json_decref(value);
    struct buf line = {.data = NULL};
    buf_format(&line, "%s\n", text ? text : "{}");
    free(text);
    bool good = true;
    for (size_t done = 0; good && done < line.length;) {
        const ssize_t n = write(out, line.data + done, line.length - done);
        good = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? (size_t)n : 0;
    }
    buf_done(&line);
    return good;
}

static bool ended_in_worker(void *owner, int index, json_t *record) {
    const int *out = owner;
    return tell_parent(*out, json_pack("{s:i, s:o}", "index", index, "record", record));
}

// The life of a worker.
static _Noreturn void work(const struct crew *crew, int job, int out, pid_t parent) {
    struct series *s = crew->series;
    struct err err = {.set = false};
    struct part part = crew->worker[job].part;
    bool interrupted;
    part.ended = ended_in_worker;
    part.owner = &out;
    part.err = &err;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);                 // it died before it could tell us
    for (int i = 0; i < job; i++) // the others' pipes shall break when the parent dies
        close(crew->worker[i].fd);
    close(crew->signals);
    cores_pin(job, s->cores);
    s->moved = NULL;
    const bool good = (!part_has_teams(s) || part_has_doors(s) || network_enter(&err)) &&
                      part_play(&part, &interrupted);
    if (!good)
        tell_parent(out, json_pack("{s:o}", "error", json_text(err.text)));
    _exit(good ? 0 : 1);
}

static bool start_worker(struct crew *crew, int job, struct err *err) {
    struct crew_worker *w = &crew->worker[job];
    const pid_t self = getpid();
    int ends[2] = {-1, -1};
    const bool piped = pipe2(ends, O_CLOEXEC) == 0;
    w->pid = piped ? fork() : -1;
    if (w->pid == 0) {
        close(ends[0]);
        work(crew, job, ends[1], self);
    }
    const int error = errno;
    if (piped)
        close(ends[1]);
    if (w->pid > 0) {
        w->fd = ends[0];
        crew->alive++;
        return true;
    }
    if (piped)
        close(ends[0]);
    return err_set(err, "cannot start worker %d of %d: %s", job + 1, crew->series->jobs,
                   strerror(error));
}

static void tell_workers(const struct crew *crew, int number) {
    for (int job = 0; job < crew->series->jobs; job++)
        if (crew->worker[job].fd >= 0)
            kill(crew->worker[job].pid, number);
}

// Whether the record of a game may still come.
static bool is_coming(const struct crew *crew, int index) {
    for (int job = 0; job < crew->series->jobs; job++) {
        const struct crew_worker *w = &crew->worker[job];
        for (int i = w->fd >= 0 ? w->index : -1; i >= 0 && i <= index; i = part_next(&w->part, i))
            if (i == index)
                return true;
    }
    return false;
}

// Hands on the records whose turn has come. Games that will never come have none.
static void hand_on(struct crew *crew) {
    struct series *s = crew->series;
    while (!crew->stopped && crew->next < s->games) {
        const int index = crew->next;
        json_t *record = crew->waiting[index];
        if (!record && is_coming(crew, index))
            return;
        crew->waiting[index] = NULL;
        crew->next++;
        if (record)
            crew->stopped = !s->ended(s->owner, index, record);
    }
}

// One line of a worker.
static void take_line(struct crew *crew, struct crew_worker *w, const char *bytes, size_t length) {
    json_t *line = json_loadb(bytes, length, 0, NULL);
    const char *error = json_string_value(json_object_get(line, "error"));
    json_t *record = json_object_get(line, "record");
    const json_int_t index = json_integer_value(json_object_get(line, "index"));
    if (error) {
        err_set(&crew->trouble, "%s", error);
        tell_workers(crew, SIGTERM); // it would stop the others too
    } else if (record && w->index >= 0 && index == w->index) {
        crew->waiting[index] = json_incref(record);
        w->index = part_next(&w->part, w->index);
    }
    json_decref(line);
}

static void take_lines(struct crew *crew, struct crew_worker *w) {
    size_t done = 0;
    for (const char *end; (end = memchr(w->in.data + done, '\n', w->in.length - done));) {
        const size_t length = (size_t)(end - w->in.data) - done;
        take_line(crew, w, w->in.data + done, length);
        done += length + 1;
    }
    buf_drop(&w->in, done);
}

// A worker was ended from outside, or by a fault of its own. The others play on.
static void lose_worker(struct crew *crew, const struct crew_worker *w, int status) {
    struct series *s = crew->series;
    struct err words = {.set = false};
    const int job = w->part.first + 1, game = w->index + 1;
    if (WIFSIGNALED(status))
        err_set(&words, "worker %d of %d was ended by signal %d (%s) in game %d", job, s->jobs,
                WTERMSIG(status), strsignal(WTERMSIG(status)), game);
    else
        err_set(&words, "worker %d of %d ended with code %d in game %d", job, s->jobs,
                WEXITSTATUS(status), game);
    s->note(s->owner, words.text);
    err_set(&crew->trouble, "%s: that game and those it had still to play are missing", words.text);
}

static void end_worker(struct crew *crew, struct crew_worker *w) {
    int status = 0;
    close(w->fd);
    w->fd = -1;
    crew->alive--;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (crew->stopped || w->index < 0)
        return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        crew->interrupted = true; // perhaps it alone has heard a signal
    else if (!crew->trouble.set || WIFSIGNALED(status))
        lose_worker(crew, w, status);
}

static void hear_worker(struct crew *crew, struct crew_worker *w) {
    char bytes[65536];
    const ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n > 0) {
        buf_put(&w->in, bytes, (size_t)n);
        take_lines(crew, w);
    } else if (n == 0 || errno != EINTR) {
        end_worker(crew, w);
    }
    hand_on(crew);
}

static void hear_signal(struct crew *crew) {
    struct signalfd_siginfo info;
    if (read(crew->signals, &info, sizeof info) != sizeof info)
        return;
    crew->interrupted = true;
    tell_workers(crew, (int)info.ssi_signo);
}

static void listen_to_crew(struct crew *crew) {
    struct pollfd fds[JOBS_MAX + 1];
    const int jobs = crew->series->jobs;
    while (crew->alive > 0 && !crew->stopped) {
        for (int job = 0; job < jobs; job++) // poll passes over those below 0
            fds[job] = (struct pollfd){.fd = crew->worker[job].fd, .events = POLLIN};
        fds[jobs] = (struct pollfd){.fd = crew->signals, .events = POLLIN};
        if (poll(fds, (nfds_t)jobs + 1, -1) < 0)
            continue; // EINTR alone can be
        if (fds[jobs].revents)
            hear_signal(crew);
        for (int job = 0; job < jobs && !crew->stopped; job++)
            if (fds[job].revents)
                hear_worker(crew, &crew->worker[job]);
    }
}

// Ends those who are still there. A worker may be about to write, so its pipe is closed first.
static void dismiss_crew(struct crew *crew) {
    tell_workers(crew, SIGTERM);
    crew->stopped = true;
    for (int job = 0; job < crew->series->jobs; job++)
        if (crew->worker[job].fd >= 0)
            end_worker(crew, &crew->worker[job]);
}

static struct crew *crew_new(struct series *s) {
    struct crew *crew = mem_new(1, sizeof *crew);
    sigset_t heard;
    sigemptyset(&heard);
    sigaddset(&heard, SIGINT);
    sigaddset(&heard, SIGTERM);
    crew->series = s;
    crew->waiting = mem_new((size_t)s->games, sizeof *crew->waiting);
    crew->signals = signalfd(-1, &heard, SFD_CLOEXEC);
    for (int job = 0; job < s->jobs; job++) {
        struct crew_worker *w = &crew->worker[job];
        w->part = (struct part){.series = s, .first = job, .step = s->jobs};
        w->index = part_first(&w->part);
        w->fd = -1;
    }
    return crew;
}

static void crew_free(struct crew *crew) {
    for (int job = 0; job < crew->series->jobs; job++)
        buf_done(&crew->worker[job].in);
    for (int i = 0; i < crew->series->games; i++)
        json_decref(crew->waiting[i]);
    if (crew->signals >= 0)
        close(crew->signals);
    free(crew->waiting);
    free(crew);
}

bool crew_play(struct series *s, bool *interrupted, struct err *err) {
    part_hold_signals(true);
    fflush(NULL);
    struct crew *crew = crew_new(s);
    bool good =
        crew->signals >= 0 || err_set(err, "cannot listen for signals: %s", strerror(errno));
    for (int job = 0; good && job < s->jobs; job++)
        good = start_worker(crew, job, err);
    if (good)
        listen_to_crew(crew);
    dismiss_crew(crew);
    *interrupted = crew->interrupted;
    if (crew->trouble.set)
        err_set(err, "%s", crew->trouble.text);
    crew_free(crew);
    if (!*interrupted)
        part_hold_signals(false);
    return good && !err->set;
}
