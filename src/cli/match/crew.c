// SPDX-License-Identifier: MIT
// Each worker is a child (base/child.h) that plays one part of the series, pinned to cores of its
// own. It says a line for every game, and this process puts them in order; a last line says what
// stopped it, if something did.
//
// SIGINT and SIGTERM are held from before the first fork on. This process reads them from a
// descriptor beside the children's and hands them on; a worker lets them come once it can record
// the game under way as aborted. So every game that was begun is told of, unless its worker was
// killed from outside: then that is said, and the others play on.
//
// Rules that came as a folder may fail: the worker says so and ends, and another takes its place.
//
// Workers with TCP players get a network namespace each, because players know only port 8888.
#include "cli/match/crew.h"

#include "base/child.h"
#include "base/cores.h"
#include "base/mem.h"
#include "base/signals.h"
#include "cli/match/part.h"
#include "folder/folder.h"
#include "referee/network.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { JOBS_MAX = 256 };

struct crew_worker {
    struct crew *crew;
    struct part part;          // as the worker has it, to know what it plays
    struct child *child;       // NULL: it was not started, or has ended
    int index;                 // the game under way; -1: it has played all
    char failed[ERR_TEXT_MAX]; // how the rules of a folder brought it down; "": they did not
};

struct crew {
    struct series *series;
    struct crew_worker worker[JOBS_MAX];
    struct children *children;
    int signals;      // SIGINT and SIGTERM can be read here
    json_t **waiting; // records that came before their turn
    int next;         // whose turn it is
    bool stopped;     // nobody wants more records
    bool interrupted;
    struct err trouble; // what went wrong with a worker; told when all is handed on
};

static bool ended_in_worker(void *owner, int index, json_t *record) {
    const int *out = owner;
    return child_tell(*out, json_pack("{s:i, s:o}", "index", index, "record", record));
}

static int worker_live(void *owner, int out) {
    const struct crew_worker *w = owner;
    struct series *s = w->crew->series;
    struct err err = {.set = false};
    struct part part = w->part;
    bool interrupted;
    part.ended = ended_in_worker;
    part.owner = &out;
    part.err = &err;
    close(w->crew->signals);
    folder_tell_failure(out);
    cores_pin(part.first, s->cores);
    s->moved = NULL;
    const bool good = (!part_has_teams(s) || part_has_doors(s) || network_enter(&err)) &&
                      part_play(&part, &interrupted);
    if (!good)
        child_tell(out, json_pack("{s:o}", "error", json_text(err.text)));
    return good ? 0 : 1;
}

static bool start_worker(struct crew *crew, int job, struct err *err) {
    struct crew_worker *w = &crew->worker[job];
    w->child = child_start(crew->children, w);
    return w->child || err_set(err, "cannot start worker %d of %d: %s", job + 1, crew->series->jobs,
                               strerror(errno));
}

// Whether the record of a game may still come.
static bool is_coming(const struct crew *crew, int index) {
    for (int job = 0; job < crew->series->jobs; job++) {
        const struct crew_worker *w = &crew->worker[job];
        for (int i = w->child ? w->index : -1; i >= 0 && i <= index; i = part_next(&w->part, i))
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

static void worker_said(void *owner, const json_t *line) {
    struct crew_worker *w = owner;
    struct crew *crew = w->crew;
    const char *error = json_string_value(json_object_get(line, "error"));
    json_t *record = json_object_get(line, "record");
    const json_int_t index = json_integer_value(json_object_get(line, "index"));
    const char *failed = json_string_value(json_object_get(line, "rules_failed"));
    if (crew->stopped)
        return;
    if (failed) {
        snprintf(w->failed, sizeof w->failed, "%s", failed);
    } else if (error) {
        err_set(&crew->trouble, "%s", error);
        children_signal(crew->children, SIGTERM); // it would stop the others too
    } else if (record && w->index >= 0 && index == w->index) {
        crew->waiting[index] = json_incref(record);
        w->index = part_next(&w->part, w->index);
    }
    hand_on(crew);
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

// The rules of a folder have ended a worker: that game is nobody's, and another worker goes on
// behind it.
static void replace_worker(struct crew *crew, struct crew_worker *w) {
    struct series *s = crew->series;
    struct err words = {.set = false};
    err_set(&words, "game %d was broken off by a fault of the platform: %.400s", w->index + 1,
            w->failed);
    s->note(s->owner, words.text);
    err_set(&crew->trouble, "games that were broken off have no result and no record");
    w->failed[0] = '\0';
    w->index = part_next(&w->part, w->index);
    w->part.from = w->index;
    if (w->index >= 0)
        start_worker(crew, (int)(w - crew->worker), &crew->trouble);
}

static void worker_ended(void *owner, int status) {
    struct crew_worker *w = owner;
    struct crew *crew = w->crew;
    w->child = NULL;
    if (*w->failed && !crew->stopped && w->index >= 0) {
        replace_worker(crew, w);
    } else if (!crew->stopped && w->index >= 0) {
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
            crew->interrupted = true; // perhaps it alone has heard a signal
        else if (!crew->trouble.set || WIFSIGNALED(status))
            lose_worker(crew, w, status);
    }
    hand_on(crew);
}

static const struct child_task worker_task = {
    .name = "workers", .live = worker_live, .said = worker_said, .ended = worker_ended};

static void hear_signal(struct crew *crew) {
    struct signalfd_siginfo info;
    if (read(crew->signals, &info, sizeof info) != sizeof info)
        return;
    crew->interrupted = true;
    children_signal(crew->children, (int)info.ssi_signo);
}

static void listen_to_crew(struct crew *crew) {
    while (children_count(crew->children) > 0 && !crew->stopped) {
        struct pollfd fds[] = {{.fd = children_fd(crew->children), .events = POLLIN},
                               {.fd = crew->signals, .events = POLLIN}};
        if (poll(fds, 2, -1) < 0)
            continue; // EINTR alone can be
        if (fds[1].revents)
            hear_signal(crew);
        if (fds[0].revents)
            children_hear(crew->children);
    }
}

static struct crew *crew_new(struct series *s, struct err *err) {
    struct crew *crew = mem_new(1, sizeof *crew);
    crew->series = s;
    crew->waiting = mem_new((size_t)s->games, sizeof *crew->waiting);
    crew->signals = signals_open(err);
    crew->children = children_new(&worker_task, err);
    for (int job = 0; job < s->jobs; job++) {
        struct crew_worker *w = &crew->worker[job];
        w->crew = crew;
        w->part = (struct part){.series = s, .first = job, .step = s->jobs};
        w->index = part_first(&w->part);
    }
    return crew;
}

// Ends those who are still there, whatever they would say.
static void crew_free(struct crew *crew) {
    children_free(crew->children);
    for (int i = 0; i < crew->series->games; i++)
        json_decref(crew->waiting[i]);
    if (crew->signals >= 0)
        close(crew->signals);
    free(crew->waiting);
    free(crew);
}

bool crew_play(struct series *s, bool *interrupted, struct err *err) {
    assert(s->jobs >= 1 && s->jobs <= JOBS_MAX);
    struct crew *crew = crew_new(s, err);
    bool good = !err->set;
    for (int job = 0; good && job < s->jobs; job++)
        good = start_worker(crew, job, err);
    if (good)
        listen_to_crew(crew);
    *interrupted = crew->interrupted;
    if (crew->trouble.set)
        err_set(err, "%s", crew->trouble.text);
    crew_free(crew);
    if (!*interrupted)
        signals_hold(false);
    return good && !err->set;
}
