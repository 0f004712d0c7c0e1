// SPDX-License-Identifier: MIT
// A submission that is worked on is a child which writes lines of JSON into a pipe: {"log":".."}
// while it builds, {"made":{..}} when that is over, then what a game of a contest writes (play.h).
// From these the report is put together here, so that a child that dies has a report too.
#include "contest/desk.h"

#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "base/path.h"
#include "contest/tryout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOG_MAX = 1 << 20, REPORT_MAX = 8 << 20, EVENTS_AT_ONCE = 16 };

// One submission, under way or waiting.
struct desk_work {
    struct desk_work *next;
    char team[DESK_TEAM_MAX];
    int number;
    char *path; // what is handed in
    bool ours;  // that is a file of ours, to be removed
    int fd;     // -1: it waits
    pid_t pid;
    int64_t begin_us; // 0: not yet
    bool broken_off;
    struct buf in, log;
    json_t *made, *game; // NULL: not yet
    char *error;         // a circumstance, or NULL
};

struct desk {
    struct desk_options options;
    char *home;
    const struct desk_events *events;
    void *owner;
    int watch;
    struct desk_work *works; // in the order they came
};

static void put_path(struct buf *out, const struct desk *d, const char *team, int number,
                     const char *end) {
    buf_format(out, "%s/%s/%d%s", d->home, team, number, end);
}

static bool is_name(const char *team) {
    if (!*team || *team == '.' || *team == ' ' || *team == '-' || strlen(team) >= DESK_TEAM_MAX)
        return false;
    for (const unsigned char *c = (const unsigned char *)team; *c; c++)
        if (!(*c >= 0x80 || strchr("-_. ", *c) || (*c >= '0' && *c <= '9') ||
              (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z')))
            return false;
    return true;
}

static bool make_folder(const char *path, struct err *err) {
    return mkdir(path, 0711) == 0 || errno == EEXIST ||
           err_set(err, "cannot make the folder %.200s: %s", path, strerror(errno));
}

struct desk *desk_new(const struct desk_options *options, const struct desk_events *events,
                      void *owner, struct err *err) {
    char whole[PATH_MAX];
    if (!make_folder(options->home, err))
        return NULL;
    struct desk *d = mem_new(1, sizeof *d);
    *d = (struct desk){.options = *options, .events = events, .owner = owner};
    d->home = mem_text(realpath(options->home, whole) ? whole : options->home);
    d->watch = epoll_create1(EPOLL_CLOEXEC);
    if (d->watch >= 0)
        return d;
    err_set(err, "cannot watch submissions: %s", strerror(errno));
    desk_free(d);
    return NULL;
}

int desk_fd(const struct desk *d) { return d->watch; }

// As they were before goes to `before`.
static void hold_signals(sigset_t *before) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, before);
}

// What it needs on the way lies in a folder that we remove, however it ends.
static void put_work_path(struct buf *out, const struct desk *d, const struct desk_work *w) {
    put_path(out, d, w->team, w->number, ".work");
}

static void enter_work(const struct desk *d, const struct desk_work *w) {
    struct buf path = {.data = NULL};
    put_work_path(&path, d, w);
    if (mkdir(path.data, 0711) == 0)
        setenv("TMPDIR", path.data, 1);
    buf_done(&path);
}

static void remove_work(const struct desk *d, const struct desk_work *w) {
    struct buf path = {.data = NULL};
    put_work_path(&path, d, w);
    path_remove(path.data);
    buf_clear(&path);
    put_path(&path, d, w->team, w->number, "");
    if (w->broken_off)
        path_remove(path.data);
    buf_done(&path);
}

// The owner's handlers are of no use here: a signal ends us, and keepers what we have started.
static void stay_mortal(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

static _Noreturn void live(const struct desk *d, const struct desk_work *w, int out, pid_t parent) {
    struct buf into = {.data = NULL};
    stay_mortal();
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(1);
    enter_work(d, w);
    put_path(&into, d, w->team, w->number, "");
    tryout_run(&d->options, w->path, into.data, out);
}

// A server has connections that must not stay open because its child has them too. What libuv opens
// at the fork, and needs for the loop of the test game, is not among them.
static bool start(struct desk *d, struct desk_work *w) {
    int ends[2];
    sigset_t before;
    struct fds inherited = {.at = NULL};
    const pid_t self = getpid();
    fds_list(&inherited, STDERR_FILENO + 1);
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fds_done(&inherited);
        return false;
    }
    fflush(NULL);
    hold_signals(&before);
    w->pid = fork();
    if (w->pid == 0) {
        close(ends[0]);
        fds_close(&inherited, STDERR_FILENO + 1);
        live(d, w, ends[1], self);
    }
    fds_done(&inherited);
    sigprocmask(SIG_SETMASK, &before, NULL);
    close(ends[1]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = w};
    if (w->pid > 0 && epoll_ctl(d->watch, EPOLL_CTL_ADD, ends[0], &event) == 0) {
        w->fd = ends[0];
        w->begin_us = clock_now_us();
        return true;
    }
    close(ends[0]);
    return false;
}

static const char *text_in(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void take_line(struct desk *d, struct desk_work *w, const char *bytes, size_t length) {
    json_t *line = json_loadb(bytes, length, 0, NULL), *record = json_object_get(line, "record"),
           *made = json_object_get(line, "made");
    const char *log = json_string_value(json_object_get(line, "log")),
               *moved = json_string_value(json_object_get(line, "moved")),
               *error = json_string_value(json_object_get(line, "error"));
    if (log && w->log.length < LOG_MAX)
        buf_text(&w->log, log);
    if (log && d->events->log)
        d->events->log(d->owner, w->team, w->number, log, strlen(log));
    if (moved && d->events->moved)
        d->events->moved(d->owner, w->team, w->number, json_int(json_object_get(line, "ply"), 0),
                         moved);
    if (made && !w->made) {
        w->made = json_incref(made);
        if (d->events->made && strcmp(text_in(made, "finding"), finding_word(FINDING_GOOD)) == 0)
            d->events->made(d->owner, w->team, w->number);
    }
    if (record && !w->game)
        w->game = json_incref(record);
    if (error && !w->error)
        w->error = mem_text(error);
    json_decref(line);
}

// What the test game says of a player that was made: "" if it is fine.
static void judge_game(const struct desk_work *w, char *text, size_t size) {
    const json_t *verdict = json_object_get(w->game, "verdict");
    *text = '\0';
    if (!w->game)
        snprintf(text, size, "the test game was not played: %s",
                 w->error ? w->error : "its referee has ended");
    else if (json_integer_value(json_object_get(verdict, "player")) == 1)
        snprintf(text, size, "it has lost its test game by a fault, %s: %s",
                 text_in(verdict, "word"), text_in(verdict, "evidence"));
}

static json_t *make_report(const struct desk *d, const struct desk_work *w) {
    char text[SUBMIT_TEXT_MAX] = "";
    json_t *r = json_pack("{s:o, s:i}", "team", json_text(w->team), "number", w->number);
    if (w->made && !w->broken_off)
        json_object_update(r, w->made);
    const bool made = strcmp(text_in(r, "finding"), finding_word(FINDING_GOOD)) == 0;
    if (made)
        judge_game(w, text, sizeof text);
    if (!w->made || w->broken_off) {
        json_object_set_new(r, "error", json_text(w->error ? w->error : "it was broken off"));
    } else if (*text) {
        json_object_set_new(r, "finding", json_string(finding_word(FINDING_GAME)));
        json_object_set_new(r, "text", json_text(text));
    }
    const int64_t took_us = w->begin_us ? clock_now_us() - w->begin_us : 0;
    json_object_set_new(r, "seconds", json_real((double)took_us / 1e6));
    json_object_set_new(r, "box",
                        d->options.box ? json_integer(d->options.box->level) : json_null());
    json_object_set(r, "game", w->game ? w->game : json_null());
    json_object_set_new(r, "counts", json_boolean(made && !*text));
    return r;
}

// The files of old submissions, but for those that are kept.
static void tidy(const struct desk *d, const char *team, int number) {
    static const char *const ends[] = {"", ".json", ".log", ".archive"};
    const int good = desk_good(d, team, NULL, NULL);
    const int old = number - (d->options.keep > 0 ? d->options.keep : 1);
    for (int i = old; i > 0; i--) {
        struct buf path = {.data = NULL};
        put_path(&path, d, team, i, ".json");
        const bool there = access(path.data, F_OK) == 0;
        buf_done(&path);
        if (!there && i < old - 1)
            break;
        for (size_t k = 0; i != good && k < sizeof ends / sizeof *ends; k++) {
            put_path(&path, d, team, i, ends[k]);
            path_remove(path.data);
            buf_done(&path);
        }
    }
}

static void keep(const struct desk *d, const struct desk_work *w, const json_t *report) {
    struct buf path = {.data = NULL}, number = {.data = NULL};
    char *text = json_dumps(report, JSON_LINE);
    put_path(&path, d, w->team, w->number, ".log");
    path_write(path.data, w->log.data ? w->log.data : "", w->log.length);
    buf_clear(&path);
    put_path(&path, d, w->team, w->number, ".json");
    path_write(path.data, text ? text : "{}", text ? strlen(text) : 2);
    buf_clear(&path);
    buf_format(&path, "%s/%s/good", d->home, w->team);
    buf_format(&number, "%d\n", w->number);
    if (json_is_true(json_object_get(report, "counts")))
        path_write(path.data, number.data, number.length);
    free(text);
    buf_done(&path);
    buf_done(&number);
    tidy(d, w->team, w->number);
}

static void work_free(struct desk_work *w) {
    if (w->ours)
        remove(w->path);
    free(w->path);
    free(w->error);
    json_decref(w->made);
    json_decref(w->game);
    buf_done(&w->in);
    buf_done(&w->log);
    free(w);
}

static void forget(struct desk *d, struct desk_work *w) {
    struct desk_work **at = &d->works;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    work_free(w);
}

// A process that is being forked elsewhere may have the descriptor for a moment longer: closing it
// alone would not end the watch.
static void leave(struct desk *d, struct desk_work *w) {
    if (w->fd >= 0) {
        epoll_ctl(d->watch, EPOLL_CTL_DEL, w->fd, NULL);
        close(w->fd); // it may be about to write
    }
    w->fd = -1;
    while (w->pid > 0 && waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    remove_work(d, w);
    json_t *report = make_report(d, w);
    keep(d, w, report);
    if (d->events->ended)
        d->events->ended(d->owner, w->team, w->number, report);
    json_decref(report);
    forget(d, w);
}

static bool is_here(const struct desk *d, const struct desk_work *wanted) {
    for (const struct desk_work *w = d->works; w; w = w->next)
        if (w == wanted)
            return true;
    return false;
}

static void hear(struct desk *d, struct desk_work *w) {
    char bytes[65536];
    size_t done = 0;
    const ssize_t n = read(w->fd, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) {
        leave(d, w);
        return;
    }
    buf_put(&w->in, bytes, n > 0 ? (size_t)n : 0);
    for (const char *end; (end = memchr(w->in.data + done, '\n', w->in.length - done));) {
        const size_t length = (size_t)(end - w->in.data) - done;
        take_line(d, w, w->in.data + done, length);
        done += length + 1;
    }
    buf_drop(&w->in, done);
}

// Those that wait, as far as there is room.
static void begin_more(struct desk *d) {
    int busy = 0;
    for (struct desk_work *w = d->works; w; w = w->next)
        busy += w->fd >= 0;
    for (struct desk_work *w = d->works, *next; w; w = next) {
        next = w->next;
        if (w->fd >= 0 || busy >= (d->options.at_once > 0 ? d->options.at_once : 1))
            continue;
        if (start(d, w))
            busy++;
        else
            break; // another time
    }
}

void desk_work(struct desk *d) {
    struct epoll_event events[EVENTS_AT_ONCE];
    const int count = epoll_wait(d->watch, events, EVENTS_AT_ONCE, 0);
    for (int i = 0; i < count; i++)
        if (is_here(d, events[i].data.ptr)) // or it has ended with one before it
            hear(d, events[i].data.ptr);
    begin_more(d);
}

int desk_busy(const struct desk *d, const char *team) {
    for (const struct desk_work *w = d->works; w; w = w->next)
        if (strcmp(w->team, team) == 0)
            return w->number;
    return 0;
}

bool desk_waits(const struct desk *d, const char *team) {
    for (const struct desk_work *w = d->works; w; w = w->next)
        if (strcmp(w->team, team) == 0)
            return w->fd < 0;
    return false;
}

// The number at the beginning of a file's name, or of what it holds; 0: none that is ours.
static int number_before(const char *text) {
    const long number = strtol(text, NULL, 10);
    return number > 0 && number <= INT_MAX ? (int)number : 0;
}

int desk_last(const struct desk *d, const char *team) {
    struct buf path = {.data = NULL};
    int last = desk_busy(d, team);
    if (!is_name(team))
        return 0;
    buf_format(&path, "%s/%s", d->home, team);
    DIR *folder = opendir(path.data);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (number_before(entry->d_name) > last)
            last = number_before(entry->d_name);
    if (folder)
        closedir(folder);
    buf_done(&path);
    return last;
}

static bool may_take(const struct desk *d, const char *team, struct err *err) {
    struct buf path = {.data = NULL};
    if (!is_name(team))
        return err_set(err, "'%.60s' cannot be the name of a team's folder", team);
    if (desk_busy(d, team))
        return err_set(err, "submission %d of %.60s is still worked on", desk_busy(d, team), team);
    buf_format(&path, "%s/%s", d->home, team);
    const bool good = make_folder(path.data, err);
    buf_done(&path);
    return good;
}

static int add(struct desk *d, const char *team, char *take_path, bool ours, int number) {
    struct desk_work *w = mem_new(1, sizeof *w), **at = &d->works;
    *w = (struct desk_work){.number = number, .path = take_path, .ours = ours, .fd = -1, .pid = -1};
    snprintf(w->team, sizeof w->team, "%s", team);
    while (*at)
        at = &(*at)->next;
    *at = w;
    begin_more(d);
    return number;
}

int desk_take(struct desk *d, const char *team, const void *archive, size_t size, struct err *err) {
    struct buf path = {.data = NULL};
    if ((int64_t)size > d->options.limits.archive) {
        err_set(err, "the archive is larger than %lld bytes", (long long)d->options.limits.archive);
        return 0;
    }
    if (!may_take(d, team, err))
        return 0;
    const int number = desk_last(d, team) + 1;
    put_path(&path, d, team, number, ".archive");
    if (path_write(path.data, archive, size))
        return add(d, team, path.data, true, number);
    err_set(err, "cannot write %.200s: %s", path.data, strerror(errno));
    buf_done(&path);
    return 0;
}

int desk_take_path(struct desk *d, const char *team, const char *path, struct err *err) {
    if (!may_take(d, team, err))
        return 0;
    return add(d, team, mem_text(path), false, desk_last(d, team) + 1);
}

json_t *desk_report(const struct desk *d, const char *team, int number) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    if (!is_name(team))
        return NULL;
    put_path(&path, d, team, number, ".json");
    const bool there = path_read(path.data, REPORT_MAX, &text) && text.data;
    json_t *report = there ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    buf_done(&path);
    buf_done(&text);
    return report;
}

bool desk_log(const struct desk *d, const char *team, int number, struct buf *out) {
    struct buf path = {.data = NULL};
    for (const struct desk_work *w = d->works; w; w = w->next)
        if (strcmp(w->team, team) == 0 && w->number == number) {
            buf_put(out, w->log.data ? w->log.data : "", w->log.length);
            return true;
        }
    if (!is_name(team))
        return false;
    put_path(&path, d, team, number, ".log");
    const bool there = path_read(path.data, LOG_MAX, out);
    buf_done(&path);
    return there;
}

int desk_good(const struct desk *d, const char *team, struct buf *folder, struct buf *start_text) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    if (!is_name(team))
        return 0;
    buf_format(&path, "%s/%s/good", d->home, team);
    const int number = path_read(path.data, 20, &text) && text.data ? number_before(text.data) : 0;
    buf_done(&path);
    buf_done(&text);
    if (number > 0 && folder)
        put_path(folder, d, team, number, "");
    json_t *report = number > 0 && start_text ? desk_report(d, team, number) : NULL;
    if (report)
        buf_text(start_text, text_in(report, "start"));
    json_decref(report);
    return number > 0 ? number : 0;
}

bool desk_put_trouble(const struct desk *d, const char *team, struct buf *out) {
    const int last = desk_last(d, team);
    json_t *report = last > 0 ? desk_report(d, team, last) : NULL;
    const char *error = text_in(report, "error");
    char trouble[SUBMIT_TROUBLE_MAX];
    submit_put_trouble(finding_find(text_in(report, "finding")), text_in(report, "text"), trouble);
    const bool there = report != NULL;
    if (there)
        buf_text(out, *error ? error : trouble);
    json_decref(report);
    return there;
}

void desk_break_off(struct desk *d) {
    for (struct desk_work *w = d->works; w; w = w->next) {
        w->broken_off = true;
        if (w->pid > 0)
            kill(w->pid, SIGTERM);
    }
    while (d->works)
        leave(d, d->works);
}

void desk_free(struct desk *d) {
    static const struct desk_events silent = {.log = NULL};
    if (!d)
        return;
    d->events = &silent;
    desk_break_off(d);
    if (d->watch >= 0)
        close(d->watch);
    free(d->home);
    free(d);
}
