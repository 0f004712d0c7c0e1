// SPDX-License-Identifier: MIT
// A submission that is worked on is a child (base/child.h) that says {"log":".."} while it builds,
// {"made":{..}} when that is over, then what a game of a contest says (play.h). From these the
// report is put together here, so that a child that dies has a report too. A try-out is such a
// work, too, but nothing is built: its child says what a game says, and its number is one of its
// own. What was handed in lies beside its report until that is written: so it outlives us, however
// we end (left_behind.h).
#include "contest/submissions.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/fds.h"
#include "base/mem.h"
#include "base/path.h"
#include "contest/left_behind.h"
#include "contest/tryout.h"
#include "contest/tryouts.h"

#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOOK_BACK = 50, LOG_MAX = 1 << 20, REPORT_MAX = 8 << 20 };

// One submission or try-out, under way or waiting.
struct submission_work {
    struct submissions *all;
    struct submission_work *next;
    char team[TEAM_NAME_MAX];
    int number;
    struct tryout_wish wish; // of a try-out; otherwise its submission is 0
    char *path;              // what is handed in
    bool ours;               // that is a file of ours, to be removed
    struct child *child;     // NULL: it waits
    struct fds inherited;    // what its child has of us
    int64_t begin_us;        // 0: not yet
    bool broken_off, late;
    struct buf log;
    struct buf messages; // of the test game
    json_t *made, *game; // NULL: not yet
    enum finding found;  // once it was made
    bool counts;         // once its report is
    char *error;         // a circumstance, or NULL
};

struct submissions {
    struct submissions_options options;
    char *home;
    const struct submissions_events *events;
    void *owner;
    struct children *children;
    struct submission_work *works; // in the order they came
    bool ending;                   // what has come is for whoever takes it up again
};

static void put_path(struct buf *out, const struct submissions *s, const char *team, int number,
                     const char *end) {
    buf_format(out, "%s/%s/%d%s", s->home, team, number, end);
}

static void put_tries(struct buf *out, const struct submissions *s, const char *team) {
    buf_format(out, "%s/%s/tries", s->home, team);
}

static bool is_try(const struct submission_work *w) { return w->wish.submission > 0; }

static bool is_name(const char *team) {
    if (!*team || *team == '.' || *team == ' ' || *team == '-' || strlen(team) >= TEAM_NAME_MAX)
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

// What it needs on the way lies in a folder that we remove, however it ends.
static void put_work_path(struct buf *out, const struct submissions *s,
                          const struct submission_work *w) {
    if (is_try(w)) {
        struct buf folder = {.data = NULL};
        put_tries(&folder, s, w->team);
        tryouts_put_work(folder.data, w->number, out);
        buf_done(&folder);
    } else {
        put_path(out, s, w->team, w->number, ".work");
    }
}

static void enter_work(const struct submissions *s, const struct submission_work *w) {
    struct buf path = {.data = NULL};
    put_work_path(&path, s, w);
    if (mkdir(path.data, 0711) == 0)
        setenv("TMPDIR", path.data, 1);
    buf_done(&path);
}

static void remove_work(const struct submissions *s, const struct submission_work *w) {
    struct buf path = {.data = NULL};
    put_work_path(&path, s, w);
    path_remove(path.data);
    buf_clear(&path);
    put_path(&path, s, w->team, w->number, "");
    if (w->broken_off && !is_try(w))
        path_remove(path.data);
    buf_clear(&path);
    put_path(&path, s, w->team, w->number, LEFT_BEHIND_COUNT);
    if (!is_try(w))
        path_remove(path.data);
    buf_done(&path);
}

// The owner's handlers are of no use here: a signal ends us, and keepers what we have started.
static void stay_mortal(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        signal(signals[i], SIG_DFL);
}

static const char *text_in(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static _Noreturn void live_try(const struct submission_work *w, int out) {
    struct tryout_side sides[2];
    for (int i = 0; i < 2; i++) {
        const int number = i + 1 == w->wish.colour ? w->wish.submission : w->wish.against;
        struct buf folder = {.data = NULL}; // until this process ends
        put_path(&folder, w->all, w->team, number, "");
        const json_t *report = number ? submissions_report(w->all, w->team, number) : NULL;
        sides[i] = number
                       ? (struct tryout_side){"submission", folder.data, text_in(report, "start")}
                       : (struct tryout_side){w->wish.level, NULL, w->wish.level};
    }
    tryout_play(&w->all->options, sides, w->number, out);
}

// A server has connections that must not stay open because its child has them too. What libuv opens
// at the fork, and needs for the loop of the test game, is not among them.
static int submission_live(void *owner, int out) {
    const struct submission_work *w = owner;
    struct buf into = {.data = NULL};
    fds_close(&w->inherited, STDERR_FILENO + 1);
    stay_mortal();
    enter_work(w->all, w);
    if (is_try(w))
        live_try(w, out);
    put_path(&into, w->all, w->team, w->number, "");
    tryout_run(&w->all->options, w->path, into.data, out);
}

static bool start(struct submission_work *w) {
    struct submissions_room *room = w->all->options.room;
    if (room && room->taken >= room->most)
        return false;
    fds_list(&w->inherited, STDERR_FILENO + 1);
    w->child = child_start(w->all->children, w);
    fds_done(&w->inherited);
    if (!w->child)
        return false;
    if (room)
        room->taken++;
    w->begin_us = clock_now_us();
    if (is_try(w) && w->all->events->try_began)
        w->all->events->try_began(w->all->owner, w->team, w->number, &w->wish);
    return true;
}

static void tell_move(const struct submission_work *w, int ply, const char *text) {
    const struct submissions_events *events = w->all->events;
    void (*moved)(void *, const char *, int, int, const char *) =
        is_try(w) ? events->try_moved : events->moved;
    if (moved)
        moved(w->all->owner, w->team, w->number, ply, text);
}

static void submission_said(void *owner, const json_t *line) {
    struct submission_work *w = owner;
    const struct submissions *s = w->all;
    json_t *record = json_object_get(line, "record"), *made = json_object_get(line, "made");
    const char *log = json_string_value(json_object_get(line, "log")),
               *moved = json_string_value(json_object_get(line, "moved")),
               *error = json_string_value(json_object_get(line, "error"));
    if (log && w->log.length < LOG_MAX)
        buf_text(&w->log, log);
    if (log && s->events->log)
        s->events->log(s->owner, w->team, w->number, log, strlen(log));
    if (moved)
        tell_move(w, json_int(json_object_get(line, "ply"), 0), moved);
    if (made && !w->made) {
        w->made = json_incref(made);
        w->found = finding_find(text_in(made, "finding"));
        if (s->events->made && w->found == FINDING_GOOD)
            s->events->made(s->owner, w->team, w->number);
    }
    if (record && !w->game) {
        w->game = json_incref(record);
        buf_text(&w->messages, text_in(line, "messages"));
    }
    if (error && !w->error)
        w->error = mem_text(error);
}

// What the test game says of a player that was made: "" if it is fine.
static void judge_game(const struct submission_work *w, char *text, size_t size) {
    const json_t *verdict = json_object_get(w->game, "verdict");
    *text = '\0';
    if (!w->game)
        snprintf(text, size, "the test game was not played: %s",
                 w->error ? w->error : "its referee has ended");
    else if (json_integer_value(json_object_get(verdict, "player")) == 1)
        snprintf(text, size, "it has lost its test game by a fault, %s: %s",
                 text_in(verdict, "word"), text_in(verdict, "evidence"));
}

static json_t *make_report(const struct submissions *s, struct submission_work *w) {
    char text[SUBMIT_TEXT_MAX] = "";
    const bool made = w->made && !w->broken_off;
    json_t *r = json_pack("{s:o, s:i}", "team", json_text(w->team), "number", w->number);
    if (made)
        json_object_update(r, w->made);
    if (made && w->found == FINDING_GOOD)
        judge_game(w, text, sizeof text);
    w->counts = made && w->found == FINDING_GOOD && !*text && !w->late;
    if (w->late)
        json_object_set_new(r, "late", json_true());
    if (!made) {
        json_object_set_new(r, "error", json_text(w->error ? w->error : "it was broken off"));
    } else if (*text) {
        json_object_set_new(r, "finding", json_string(finding_word(FINDING_GAME)));
        json_object_set_new(r, "text", json_text(text));
    }
    const int64_t took_us = w->begin_us ? clock_now_us() - w->begin_us : 0;
    json_object_set_new(r, "seconds", json_real((double)took_us / 1e6));
    json_object_set_new(r, "box",
                        s->options.box ? json_integer(s->options.box->level) : json_null());
    json_object_set(r, "game", w->game ? w->game : json_null());
    json_object_set_new(r, "counts", json_boolean(w->counts));
    return r;
}

// Whether a try-out under way needs a submission.
static bool is_tried(const struct submissions *s, const char *team, int number) {
    for (const struct submission_work *w = s->works; w; w = w->next)
        if (is_try(w) && strcmp(w->team, team) == 0 &&
            (w->wish.submission == number || w->wish.against == number))
            return true;
    return false;
}

// The files of old submissions, but for those that are kept.
static void tidy(const struct submissions *s, const char *team, int number) {
    static const char *const ends[] = {"", ".json", ".log", ".messages"};
    const int good = submissions_good(s, team, NULL, NULL);
    const int old = number - (s->options.keep > 0 ? s->options.keep : 1);
    for (int i = old; i > 0; i--) {
        struct buf path = {.data = NULL};
        if (is_tried(s, team, i))
            continue;
        put_path(&path, s, team, i, ".json");
        const bool there = access(path.data, F_OK) == 0;
        buf_done(&path);
        if (!there && i < old - 1)
            break;
        for (size_t k = 0; i != good && k < sizeof ends / sizeof *ends; k++) {
            put_path(&path, s, team, i, ends[k]);
            path_remove(path.data);
            buf_done(&path);
        }
    }
}

static void keep(const struct submissions *s, const struct submission_work *w,
                 const json_t *report) {
    struct buf path = {.data = NULL}, number = {.data = NULL};
    char *text = json_dumps(report, JSON_LINE);
    put_path(&path, s, w->team, w->number, ".log");
    path_write(path.data, w->log.data ? w->log.data : "", w->log.length);
    buf_clear(&path);
    put_path(&path, s, w->team, w->number, ".messages");
    if (w->messages.length > 0)
        path_write(path.data, w->messages.data, w->messages.length);
    buf_clear(&path);
    put_path(&path, s, w->team, w->number, ".json");
    path_write(path.data, text ? text : "{}", text ? strlen(text) : 2);
    buf_clear(&path);
    buf_format(&path, "%s/%s/good", s->home, w->team);
    buf_format(&number, "%d\n", w->number);
    if (w->counts)
        path_write(path.data, number.data, number.length);
    free(text);
    buf_done(&path);
    buf_done(&number);
    tidy(s, w->team, w->number);
}

static void work_free(struct submission_work *w) {
    if (w->ours)
        remove(w->path);
    free(w->path);
    free(w->error);
    json_decref(w->made);
    json_decref(w->game);
    buf_done(&w->log);
    buf_done(&w->messages);
    free(w);
}

static void forget(struct submissions *s, struct submission_work *w) {
    struct submission_work **at = &s->works;
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    work_free(w);
}

static json_t *try_report(const struct submission_work *w) {
    const int64_t took_us = w->begin_us ? clock_now_us() - w->begin_us : 0;
    json_t *r =
        json_pack("{s:i, s:i, s:i, s:s, s:i, s:f, s:O?}", "number", w->number, "submission",
                  w->wish.submission, "against", w->wish.against, "level", w->wish.level, "colour",
                  w->wish.colour, "seconds", (double)took_us / 1e6, "game", w->game);
    if (!w->game)
        json_object_set_new(r, "error", json_text(w->error ? w->error : "its referee has ended"));
    return r;
}

static void leave_try(struct submission_work *w) {
    struct submissions *s = w->all;
    struct buf folder = {.data = NULL};
    json_t *report = w->broken_off ? NULL : try_report(w);
    put_tries(&folder, s, w->team);
    if (report)
        tryouts_keep(folder.data, w->number, report, &w->messages);
    if (s->events->try_ended)
        s->events->try_ended(s->owner, w->team, w->number, report);
    json_decref(report);
    buf_done(&folder);
    forget(s, w);
}

static void leave(struct submission_work *w) {
    struct submissions *s = w->all;
    remove_work(s, w);
    if (s->options.room && w->begin_us)
        s->options.room->taken--;
    if (is_try(w)) {
        leave_try(w);
        return;
    }
    if (s->ending && w->ours) {
        w->ours = false;
        forget(s, w);
        return;
    }
    json_t *report = make_report(s, w);
    keep(s, w, report);
    if (s->events->ended)
        s->events->ended(s->owner, w->team, w->number, report);
    json_decref(report);
    forget(s, w);
}

static void submission_ended(void *owner, int status) {
    struct submission_work *w = owner;
    (void)status;
    leave(w);
}

// Those that wait, as far as there is room: try-outs after submissions.
static void begin_more(struct submissions *s) {
    const int most = s->options.at_once > 0 ? s->options.at_once : 1;
    for (int tries = 0; tries < 2; tries++)
        for (struct submission_work *w = s->works; w && children_count(s->children) < most;
             w = w->next)
            if (!w->child && is_try(w) == (tries == 1) && !start(w))
                return; // another time
}

void submissions_begin(struct submissions *s) { begin_more(s); }

void submissions_work(struct submissions *s) {
    children_hear(s->children);
    begin_more(s);
}

// What a team has under way, a submission or a try-out; NULL: nothing.
static struct submission_work *work_of(const struct submissions *s, const char *team, bool tries) {
    for (struct submission_work *w = s->works; w; w = w->next)
        if (is_try(w) == tries && strcmp(w->team, team) == 0)
            return w;
    return NULL;
}

int submissions_busy(const struct submissions *s, const char *team) {
    const struct submission_work *w = work_of(s, team, false);
    return w ? w->number : 0;
}

bool submissions_rest(const struct submissions *s) {
    for (const struct submission_work *w = s->works; w; w = w->next)
        if (!is_try(w))
            return false;
    return true;
}

bool submissions_waits(const struct submissions *s, const char *team) {
    const struct submission_work *w = work_of(s, team, false);
    return w && !w->child;
}

// The number at the beginning of a file's name, or of what it holds; 0: none that is ours.
static int number_before(const char *text) {
    const long number = strtol(text, NULL, 10);
    return number > 0 && number <= INT_MAX ? (int)number : 0;
}

int submissions_last(const struct submissions *s, const char *team) {
    struct buf path = {.data = NULL};
    int last = submissions_busy(s, team);
    if (!is_name(team))
        return 0;
    buf_format(&path, "%s/%s", s->home, team);
    DIR *folder = opendir(path.data);
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (number_before(entry->d_name) > last)
            last = number_before(entry->d_name);
    if (folder)
        closedir(folder);
    buf_done(&path);
    return last;
}

static bool may_take(const struct submissions *s, const char *team, struct err *err) {
    struct buf path = {.data = NULL};
    if (!is_name(team))
        return err_set(err, "'%.60s' cannot be the name of a team's folder", team);
    if (submissions_busy(s, team))
        return err_set(err, "submission %d of %.60s is still worked on", submissions_busy(s, team),
                       team);
    buf_format(&path, "%s/%s", s->home, team);
    const bool good = make_folder(path.data, err);
    buf_done(&path);
    return good;
}

static struct submission_work *append(struct submissions *s, const char *team, int number) {
    struct submission_work *w = mem_new(1, sizeof *w), **at = &s->works;
    *w = (struct submission_work){.all = s, .number = number};
    snprintf(w->team, sizeof w->team, "%s", team);
    while (*at)
        at = &(*at)->next;
    return *at = w;
}

// What is handed in lies in a file of ours.
static struct submission_work *add(struct submissions *s, const char *team, char *take_path,
                                   int number) {
    struct submission_work *w = append(s, team, number);
    w->path = take_path;
    w->ours = true;
    return w;
}

int submissions_take(struct submissions *s, const char *team, const void *archive, size_t size,
                     bool late, struct err *err) {
    struct buf path = {.data = NULL};
    if ((int64_t)size > s->options.limits.archive) {
        err_set(err, "the archive is larger than %lld bytes", (long long)s->options.limits.archive);
        return 0;
    }
    if (!may_take(s, team, err))
        return 0;
    const int number = submissions_last(s, team) + 1;
    put_path(&path, s, team, number, left_behind_tail(late));
    if (path_write(path.data, archive, size)) {
        add(s, team, path.data, number)->late = late;
        begin_more(s);
        return number;
    }
    err_set(err, "cannot write %.200s: %s", path.data, strerror(errno));
    buf_done(&path);
    return 0;
}

int submissions_take_path(struct submissions *s, const char *team, const char *path,
                          struct err *err) {
    if (!may_take(s, team, err))
        return 0;
    const int number = submissions_last(s, team) + 1;
    append(s, team, number)->path = mem_text(path);
    begin_more(s);
    return number;
}

json_t *submissions_report(const struct submissions *s, const char *team, int number) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    if (!is_name(team))
        return NULL;
    put_path(&path, s, team, number, ".json");
    const bool there = path_read(path.data, REPORT_MAX, &text) && text.data;
    json_t *report = there ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    buf_done(&path);
    buf_done(&text);
    return report;
}

static bool read_kept(const struct submissions *s, const char *team, int number, const char *end,
                      struct buf *out) {
    struct buf path = {.data = NULL};
    if (!is_name(team))
        return false;
    put_path(&path, s, team, number, end);
    const bool there = path_read(path.data, LOG_MAX, out);
    buf_done(&path);
    return there;
}

bool submissions_log(const struct submissions *s, const char *team, int number, struct buf *out) {
    const struct submission_work *w = work_of(s, team, false);
    if (w && w->number == number) {
        buf_put(out, w->log.data ? w->log.data : "", w->log.length);
        return true;
    }
    return read_kept(s, team, number, ".log", out);
}

bool submissions_messages(const struct submissions *s, const char *team, int number,
                          struct buf *out) {
    return read_kept(s, team, number, ".messages", out);
}

int submissions_good(const struct submissions *s, const char *team, struct buf *folder,
                     struct buf *start_text) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    if (!is_name(team))
        return 0;
    buf_format(&path, "%s/%s/good", s->home, team);
    const int number = path_read(path.data, 20, &text) && text.data ? number_before(text.data) : 0;
    buf_done(&path);
    buf_done(&text);
    if (number > 0 && folder)
        put_path(folder, s, team, number, "");
    json_t *report = number > 0 && start_text ? submissions_report(s, team, number) : NULL;
    if (report)
        buf_text(start_text, text_in(report, "start"));
    json_decref(report);
    return number > 0 ? number : 0;
}

bool submissions_put_trouble(const struct submissions *s, const char *team, struct buf *out) {
    json_t *report = NULL;
    for (int i = submissions_last(s, team), seen = 0; i > 0 && seen < LOOK_BACK; i--, seen++) {
        json_decref(report);
        report = submissions_report(s, team, i);
        if (report && !json_is_true(json_object_get(report, "late")))
            break;
    }
    const char *error = text_in(report, "error");
    const bool there = report != NULL, late = json_is_true(json_object_get(report, "late"));
    char trouble[SUBMIT_TROUBLE_MAX];
    submit_put_trouble(finding_find(text_in(report, "finding")), text_in(report, "text"), trouble);
    if (there)
        buf_text(out, late ? "came after the deadline" : *error ? error : trouble);
    json_decref(report);
    return there;
}

bool submissions_can_play(const struct submissions *s, const char *team, int number) {
    struct buf folder = {.data = NULL};
    json_t *report = number > 0 ? submissions_report(s, team, number) : NULL;
    put_path(&folder, s, team, number, "");
    const bool can = report && *text_in(report, "start") && access(folder.data, F_OK) == 0;
    json_decref(report);
    buf_done(&folder);
    return can;
}

static bool may_try(const struct submissions *s, const char *team, const struct tryout_wish *wish,
                    struct err *err) {
    if (!is_name(team))
        return err_set(err, "'%.60s' cannot be the name of a team's folder", team);
    if (submissions_trying(s, team))
        return err_set(err, "your last try-out is still being played");
    if (submissions_busy(s, team))
        return err_set(err, "a submission is being worked on: try out when that has ended");
    if (!submissions_can_play(s, team, wish->submission))
        return err_set(err, "submission %d cannot play, or is no longer kept", wish->submission);
    if (wish->against && !submissions_can_play(s, team, wish->against))
        return err_set(err, "submission %d cannot play, or is no longer kept", wish->against);
    return wish->against != wish->submission ||
           err_set(err, "a submission is tried out against another one");
}

int submissions_try(struct submissions *s, const char *team, const struct tryout_wish *wish,
                    struct err *err) {
    struct buf folder = {.data = NULL};
    assert(wish->submission > 0 && (wish->colour == 1 || wish->colour == 2));
    if (!may_try(s, team, wish, err))
        return 0;
    put_tries(&folder, s, team);
    const bool good = make_folder(folder.data, err);
    const int number = tryouts_last(folder.data) + 1;
    buf_done(&folder);
    if (!good)
        return 0;
    append(s, team, number)->wish = *wish;
    begin_more(s);
    return number;
}

int submissions_trying(const struct submissions *s, const char *team) {
    const struct submission_work *w = work_of(s, team, true);
    return w ? w->number : 0;
}

int submissions_last_tryout(const struct submissions *s, const char *team) {
    struct buf folder = {.data = NULL};
    put_tries(&folder, s, team);
    const int last = tryouts_last(folder.data);
    buf_done(&folder);
    return last;
}

json_t *submissions_tryout(const struct submissions *s, const char *team, int number) {
    struct buf folder = {.data = NULL};
    put_tries(&folder, s, team);
    json_t *report = tryouts_report(folder.data, number);
    buf_done(&folder);
    return report;
}

bool submissions_tryout_messages(const struct submissions *s, const char *team, int number,
                                 struct buf *out) {
    struct buf folder = {.data = NULL};
    put_tries(&folder, s, team);
    const bool there = tryouts_messages(folder.data, number, out);
    buf_done(&folder);
    return there;
}

void submissions_break_off_tries(struct submissions *s) {
    for (struct submission_work *w = s->works, *next; w; w = next) {
        next = w->next;
        if (!is_try(w))
            continue;
        if (w->child)
            child_signal(w->child, SIGTERM);
        w->broken_off = true;
        child_free(w->child);
        leave(w);
    }
}

void submissions_break_off(struct submissions *s) {
    children_signal(s->children, SIGTERM);
    for (struct submission_work *w = s->works; w; w = w->next)
        w->broken_off = true;
    while (s->works) {
        child_free(s->works->child);
        leave(s->works);
    }
}

static const struct child_task submission_task = {.name = "submissions",
                                                  .live = submission_live,
                                                  .said = submission_said,
                                                  .ended = submission_ended};

struct submissions *submissions_new(const struct submissions_options *options,
                                    const struct submissions_events *events, void *owner,
                                    struct err *err) {
    char whole[PATH_MAX];
    if (!make_folder(options->home, err))
        return NULL;
    struct children *children = children_new(&submission_task, err);
    if (!children)
        return NULL;
    struct submissions *s = mem_new(1, sizeof *s);
    *s = (struct submissions){
        .options = *options, .events = events, .owner = owner, .children = children};
    s->home = mem_text(realpath(options->home, whole) ? whole : options->home);
    return s;
}

int submissions_fd(const struct submissions *s) { return children_fd(s->children); }

void submissions_free(struct submissions *s) {
    static const struct submissions_events silent = {.log = NULL};
    if (!s)
        return;
    s->events = &silent;
    s->ending = true;
    submissions_break_off(s);
    children_free(s->children);
    free(s->home);
    free(s);
}

static void take_left(void *owner, const char *team, int number, bool late) {
    struct submissions *s = owner;
    struct buf path = {.data = NULL};
    put_path(&path, s, team, number, left_behind_tail(late));
    add(s, team, path.data, number)->late = late;
}

void submissions_recover(struct submissions *s) {
    left_behind_find(s->home, take_left, s);
    begin_more(s);
}
