// SPDX-License-Identifier: MIT
// The list has the newest first and RESTART_STATE_CONTESTS at most, so that whichever go on have a
// place in what outlives a fall. Those found in the folder are unknown: a child looks at one after
// the other, so that a start with many is no flood of processes, and only then are those gone on
// with that were going on.
// The demos are played as long as there is nothing else: somebody's first contest ends them.
#include "web/hosted_contests.h"

#include "base/builtin.h"
#include "base/mem.h"
#include "base/whole.h"
#include "contest/submissions.h"
#include "web/contest_form.h"
#include "web/contest_game.h"
#include "web/contest_teams.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HOSTED_CONTESTS_MAX = RESTART_STATE_CONTESTS, ENDS_MAX = 32, BUILDS_MAX = 2 };

// So long a demo that is over is shown before it is played anew.
static const int64_t rest_us = INT64_C(20000000);

struct hosted_contests {
    struct hosting hosting;
    struct submissions_room room;
    struct hosted_contest *first; // the newest
    int count;
    bool demo;                           // the demos are to be played as long as there is no other
    int64_t idle_us[CONTEST_FORM_DEMOS]; // since when a demo rests; INT64_MAX: it is played
};

static struct hosted_contest *add(struct hosted_contests *h, const char *id, const char *text,
                                  struct err *err) {
    struct hosted_contest *c = hosted_contest_new(&h->hosting, id, text, err);
    if (!c)
        return NULL;
    c->next = h->first;
    h->first = c;
    h->count++;
    return c;
}

static void read_contest(struct hosted_contests *h, const char *name) {
    char id[32];
    const char *tail = strstr(name, ".conf");
    struct err err = {.set = false};
    if (!tail || tail[5] || tail - name >= GAME_ID_MAX)
        return;
    snprintf(id, sizeof id, "%.*s", (int)(tail - name), name);
    char *text = game_archive_is_id(id) ? hosted_contest_read(&h->hosting, id, ".conf") : NULL;
    if (text && add(h, id, text, &err))
        h->first->unknown = !h->first->is_waiting && !hosted_contest_is_open(h->first);
    services_note(h->hosting.services, &err);
    free(text);
}

// A contest file of the folder, and when it was written.
struct kept_file {
    char name[64];
    time_t at;
};

static int by_time(const void *a, const void *b) {
    const struct kept_file *x = a, *y = b;
    return x->at != y->at ? (x->at > y->at) - (x->at < y->at) : strcmp(x->name, y->name);
}

// The newest of the folder, so that the newest of all comes first.
static void read_contests(struct hosted_contests *h) {
    struct buf list = {.data = NULL};
    DIR *dir = opendir(h->hosting.folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        struct kept_file file = {.at = 0};
        struct stat info;
        if (strlen(e->d_name) >= sizeof file.name || !strstr(e->d_name, ".conf") ||
            fstatat(dirfd(dir), e->d_name, &info, 0) != 0)
            continue;
        strcpy(file.name, e->d_name);
        file.at = info.st_mtime;
        buf_put(&list, &file, sizeof file);
    }
    if (dir)
        closedir(dir);
    struct kept_file *files = (void *)list.data;
    const size_t count = list.length / sizeof *files;
    if (count > 0)
        qsort(files, count, sizeof *files, by_time);
    for (size_t i = count > HOSTED_CONTESTS_MAX ? count - HOSTED_CONTESTS_MAX : 0; i < count; i++)
        read_contest(h, files[i].name);
    buf_done(&list);
}

// Those that were going on when the server fell are to go on; all others rest until they are told
// to.
static void resume(struct hosted_contests *h, bool again) {
    struct restart_state *restart = h->hosting.services->restart;
    for (struct hosted_contest *c = h->first; c; c = c->next) {
        const struct restart_state_contest *was = again ? restart_state_find(restart, c->id) : NULL;
        c->resume |= was != NULL;
        c->done = was ? was->done : 0;
        c->expected = was ? was->expected : 0;
    }
    memset(restart->going, 0, sizeof restart->going);
    for (struct hosted_contest *c = h->first; c; c = c->next)
        if (c->resume) // it may fall again before they do
            hosted_contest_remember(c);
}

struct hosted_contests *hosted_contests_new(const char *folder, const struct services *services,
                                            bool again, struct err *err) {
    struct hosted_contests *h = mem_new(1, sizeof *h);
    h->hosting.services = services;
    h->hosting.room = &h->room;
    h->room.most = BUILDS_MAX;
    snprintf(h->hosting.folder, sizeof h->hosting.folder, "%s", folder);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
        hosted_contests_free(h);
        return NULL;
    }
    read_contests(h);
    resume(h, again);
    return h;
}

static void remove_contest(struct hosted_contests *h, struct hosted_contest *c) {
    struct hosted_contest **at = &h->first;
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    h->count--;
    hosted_contest_free(c);
}

void hosted_contests_free(struct hosted_contests *h) {
    if (!h)
        return;
    while (h->first)
        remove_contest(h, h->first);
    free(h);
}

struct hosted_contest *hosted_contests_find(const struct hosted_contests *h, const char *id) {
    struct hosted_contest *c = h->first;
    while (c && strcmp(c->id, id) != 0)
        c = c->next;
    return c;
}

// The oldest that is over gives way to a new one; its files stay.
static bool make_room(struct hosted_contests *h, struct err *err) {
    struct hosted_contest *oldest = NULL;
    for (struct hosted_contest *c = h->first; c; c = c->next)
        if (c->state == HOSTED_CONTEST_OVER && !c->child && !c->bridges &&
            (!c->teams || contest_teams_rests(c->teams)))
            oldest = c;
    if (h->count < HOSTED_CONTESTS_MAX)
        return true;
    if (!oldest)
        return err_set(err, "%d contests are not over, which is all there is room for",
                       HOSTED_CONTESTS_MAX);
    remove_contest(h, oldest);
    return true;
}

// A form has no lines: "ID, line 11: name: ..." is "name: ..." there.
static const char *without_line(const char *text) {
    const char *at = strstr(text, "line "), *end = at ? strstr(at, ": ") : NULL;
    return end && end - at < 12 ? end + 2 : text;
}

// The file, and the form that it came from, by which another can be made like it.
static bool write_made(const struct hosted_contests *h, const struct hosted_contest *c,
                       const char *text, const json_t *form, struct err *err) {
    char *words = json_dumps(form, JSON_LINE);
    const bool good = hosted_contest_write(&h->hosting, c->id, ".conf", text, err) &&
                      (!words || hosted_contest_write(&h->hosting, c->id, ".form", words, err));
    free(words);
    return good;
}

// The page knows players of contests by their names: nobody else is called like a built-in one.
static bool has_clear_names(const char *id, const char *text, struct err *err) {
    struct plan *plan = plan_read(id, text, err);
    for (int i = 0; plan && i < plan->player_count; i++) {
        const struct plan_player *p = &plan->players[i];
        if (builtin_is_name(p->name) && !(p->start && builtin_is_name(p->start)))
            err_set(err, "%.60s is what a built-in player is called: choose another name", p->name);
    }
    plan_free(plan);
    return !err->set;
}

struct hosted_contest *hosted_contests_make(struct hosted_contests *h, const json_t *form,
                                            struct err *err) {
    const char *given = json_string_value(json_object_get(form, "text"));
    struct hosted_contest *made = NULL;
    struct buf text = {.data = NULL};
    char id[GAME_ID_MAX];
    struct err wrong = {.set = false};
    if (given)
        buf_text(&text, given);
    else
        contest_form_write(&text, form, h->hosting.services, err);
    if (!err->set && make_room(h, err)) {
        game_archive_draw_id(h->hosting.services->archive, id, sizeof id);
        made = has_clear_names(id, text.data, &wrong) ? add(h, id, text.data, &wrong) : NULL;
        if (made && !write_made(h, made, text.data, form, &wrong)) {
            remove_contest(h, made); // what is not kept is not there
            made = NULL;
        }
    }
    if (wrong.set && given)
        *err = wrong;
    else if (wrong.set)
        err_set(err, "%s", without_line(wrong.text));
    buf_done(&text);
    return err->set ? NULL : made;
}

bool hosted_contests_spare(const struct hosted_contests *h, int32_t team,
                           const struct hosted_contest *other, struct err *err) {
    for (const struct hosted_contest *c = h->first; c; c = c->next)
        if (c != other && hosted_contest_needs(c, team))
            return err_set(err, "team %d plays in the contest %.100s", team, c->name);
    return true;
}

bool hosted_contests_expect(const struct hosted_contests *h, int32_t team) {
    for (const struct hosted_contest *c = h ? h->first : NULL; c; c = c->next)
        if (c->state != HOSTED_CONTEST_OVER && hosted_contest_has_team(c, team))
            return true;
    return false;
}

// Whether the teams that come by themselves are free for a contest.
static bool has_teams(const struct hosted_contests *h, const struct hosted_contest *c,
                      struct err *err) {
    const struct lobby *lobby = h->hosting.services->lobby;
    for (int i = 0; i < c->team_count && !err->set; i++) {
        const int32_t team = c->tcp_teams[i];
        if (hosted_contests_spare(h, team, c, err) && lobby && lobby_has_seated(lobby, team) &&
            !bridges_have(c->bridges, team))
            err_set(err, "team %d is seated in a game of practice", team);
    }
    return !err->set;
}

static bool start_idle(struct hosted_contest *c, struct err *err) {
    return hosted_contest_is_playing(c) ? err_set(err, "the contest is running")
                                        : hosted_contest_start(c, err);
}

static const struct hosted_contest_order {
    const char *name;
    bool (*give)(struct hosted_contest *c, struct err *err);
    bool plays; // it needs its teams
} orders[] = {{"start", start_idle, true},
              {"pause", hosted_contest_pause, false},
              {"continue", hosted_contest_continue, true}};

bool hosted_contests_order(struct hosted_contests *h, const char *id, const char *order,
                           struct err *err) {
    struct hosted_contest *c = hosted_contests_find(h, id);
    if (!c)
        return err_set(err, "there is no such contest");
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        if (strcmp(order, orders[i].name) == 0)
            return (!orders[i].plays || has_teams(h, c, err)) && orders[i].give(c, err);
    return err_set(err, "a contest knows start, pause, continue");
}

bool hosted_contests_delete(struct hosted_contests *h, const char *id, const char *name,
                            struct err *err) {
    struct hosted_contest *c = hosted_contests_find(h, id);
    char kept[GAME_ID_MAX];
    if (!c)
        return err_set(err, "there is no such contest");
    if (strcmp(c->name, name) != 0)
        return err_set(err, "a contest is deleted by its name, written as it is");
    if (hosted_contest_is_playing(c) || c->bridges || c->resume || c->starting ||
        (c->teams && (!contest_teams_rests(c->teams) || contest_teams_has_work(c->teams))))
        return err_set(err, "the contest is running: pause it and let its games end");
    snprintf(kept, sizeof kept, "%s", c->id);
    remove_contest(h, c);
    hosted_contest_erase(&h->hosting, kept);
    services_changed(h->hosting.services);
    return true;
}

// The demos.

static bool has_demos_alone(const struct hosted_contests *h) {
    const char *id;
    int demos = 0;
    for (int i = 0; (id = contest_form_demo_id(i)); i++)
        demos += hosted_contests_find(h, id) != NULL;
    return demos == h->count;
}

// Writes its file anew, with the seed after that of the last time, and forgets what was played.
static bool renew_demo(const struct hosted_contests *h, int number, struct err *err) {
    static const char *const played[] = {".db", ".db-wal", ".db-shm"};
    const char *id = contest_form_demo_id(number);
    char *old = hosted_contest_read(&h->hosting, id, ".conf");
    struct buf text = {.data = NULL};
    contest_form_write_demo(&text, h->hosting.services, number,
                            old ? contest_form_seed(old) + 1 : 6);
    for (size_t i = 0; i < sizeof played / sizeof *played; i++)
        unlink(hosted_contest_path(&h->hosting, id, played[i]).text);
    hosted_contest_write(&h->hosting, id, ".conf", text.data, err);
    buf_done(&text);
    free(old);
    return !err->set;
}

static bool is_due(int64_t *idle_us, const struct hosted_contest *demo, int64_t now_us) {
    if (hosted_contest_is_playing(demo))
        *idle_us = INT64_MAX;
    else if (*idle_us == INT64_MAX)
        *idle_us = now_us;
    return !demo->unknown && !demo->looking && *idle_us < now_us && now_us - *idle_us >= rest_us;
}

// Plays a demo on, or anew if it is over.
static void play_demo(struct hosted_contests *h, int number, int64_t now_us) {
    struct hosted_contest *demo = hosted_contests_find(h, contest_form_demo_id(number));
    struct err err = {.set = false};
    if (!demo || !is_due(&h->idle_us[number], demo, now_us))
        return;
    h->idle_us[number] = now_us;
    const bool over = demo->state == HOSTED_CONTEST_OVER || demo->state == HOSTED_CONTEST_FAILED;
    if (!over || renew_demo(h, number, &err))
        hosted_contest_start(demo, &err);
    services_note(h->hosting.services, &err);
}

static void play_demos(struct hosted_contests *h, int64_t now_us) {
    if (!has_demos_alone(h))
        return;
    for (int i = 0; contest_form_demo_id(i); i++)
        play_demo(h, i, now_us);
}

// It names this program, which may have been another when it was made.
static bool is_old_demo(const struct hosted_contests *h, int number) {
    struct buf fresh = {.data = NULL};
    char *text = hosted_contest_read(&h->hosting, contest_form_demo_id(number), ".conf");
    contest_form_write_demo(&fresh, h->hosting.services, number,
                            text ? contest_form_seed(text) : 1);
    const bool old = !text || strcmp(text, fresh.data) != 0;
    free(text);
    buf_done(&fresh);
    return old;
}

static void make_demo(struct hosted_contests *h, int number, struct err *err) {
    const char *id = contest_form_demo_id(number);
    if (!renew_demo(h, number, err))
        return;
    char *text = hosted_contest_read(&h->hosting, id, ".conf");
    if (text)
        add(h, id, text, err);
    free(text);
}

void hosted_contests_demo(struct hosted_contests *h) {
    struct err err = {.set = false};
    h->demo = has_demos_alone(h);
    for (int i = 0; h->demo && contest_form_demo_id(i); i++) {
        struct hosted_contest *demo = hosted_contests_find(h, contest_form_demo_id(i));
        h->idle_us[i] = -rest_us; // it is played at once
        if (demo && is_old_demo(h, i)) {
            remove_contest(h, demo);
            demo = NULL;
        }
        if (!demo)
            make_demo(h, i, &err);
    }
    services_note(h->hosting.services, &err);
}

// Those that were there before us are looked at one after the other.
static void look_at_next(struct hosted_contests *h) {
    struct err err = {.set = false};
    struct hosted_contest *next = NULL;
    for (struct hosted_contest *c = h->first; c; c = c->next) {
        if (c->looking)
            return;
        if (c->unknown)
            next = c;
    }
    if (next)
        hosted_contest_look(next, &err);
    services_note(h->hosting.services, &err);
}

// Those that were to begin, once what their teams have handed in is built.
static void start_held(struct hosted_contests *h) {
    for (struct hosted_contest *c = h->first; c; c = c->next) {
        struct err err = {.set = false};
        if (!c->starting || contest_teams_has_work(c->teams))
            continue;
        if (!hosted_contests_order(h, c->id, "start", &err)) {
            struct err unused = {.set = false};
            if (c->starting)
                hosted_contest_pause(c, &unused);
            snprintf(c->why, sizeof c->why, "%.399s", err.text);
        }
        services_note(h->hosting.services, &err);
    }
}

// When it is known how they stand.
static void resume_known(struct hosted_contests *h) {
    for (struct hosted_contest *c = h->first; c; c = c->next) {
        struct err err = {.set = false};
        if (!c->resume || c->unknown || c->looking)
            continue;
        c->resume = false;
        if (hosted_contest_is_playing(c) || c->state == HOSTED_CONTEST_OVER)
            continue;
        hosted_contests_order(h, c->id, "continue", &err);
        services_note(h->hosting.services, &err);
    }
}

// The game that ended first of those that nobody watches, and its contest; NULL: none.
static struct contest_game *find_oldest_end(const struct hosted_contests *h,
                                            struct hosted_contest **of, int *count) {
    struct contest_game *oldest = NULL;
    *count = 0;
    for (struct hosted_contest *c = h->first; c; c = c->next)
        for (struct contest_game *s = c->games; s; s = s->next) {
            if (!s->shown.result || s->shown.topic.watcher_count > 0)
                continue;
            ++*count;
            if (!oldest || s->shown.since_us < oldest->shown.since_us) {
                oldest = s;
                *of = c;
            }
        }
    return oldest;
}

// However fast games end, few of them stay to be seen by whoever comes late; the archive has all.
static void forget_ends(struct hosted_contests *h) {
    struct hosted_contest *c = NULL;
    int count;
    for (struct contest_game *s; (s = find_oldest_end(h, &c, &count)) && count > ENDS_MAX;)
        contest_game_remove(&c->games, s);
}

void hosted_contests_tick(struct hosted_contests *h, int64_t now_us) {
    forget_ends(h);
    look_at_next(h);
    resume_known(h);
    start_held(h);
    if (h->demo)
        play_demos(h, now_us);
    for (struct hosted_contest *c = h->first; c; c = c->next)
        hosted_contest_tick(c, now_us);
}

static bool is_demo(const char *id) {
    const char *demo;
    for (int i = 0; (demo = contest_form_demo_id(i)); i++)
        if (strcmp(demo, id) == 0)
            return true;
    return false;
}

bool hosted_contests_play(const struct hosted_contests *h) {
    for (const struct hosted_contest *c = h->first; c; c = c->next)
        if (!is_demo(c->id) && hosted_contest_is_playing(c))
            return true;
    return false;
}

int hosted_contests_count_games(const struct hosted_contests *h) {
    int count = 0;
    for (const struct hosted_contest *c = h->first; c; c = c->next) {
        for (const struct contest_game *g = is_demo(c->id) ? NULL : c->games; g; g = g->next)
            count += g->shown.state != SHOWN_OVER;
        count += c->teams && contest_teams_work(c->teams);
    }
    return count;
}

json_t *hosted_contests_list(const struct hosted_contests *h) {
    json_t *list = json_array();
    for (const struct hosted_contest *c = h->first; c; c = c->next)
        json_array_append_new(list, hosted_contest_summary(c));
    return list;
}

json_t *hosted_contests_game(const struct hosted_contests *h, const char *id) {
    for (const struct hosted_contest *c = h->first; c; c = c->next) {
        const struct contest_game *g = c->games;
        while (g && strcmp(g->shown.id, id) != 0)
            g = g->next;
        if (!g && c->teams)
            g = contest_teams_test(c->teams, id);
        if (g)
            return shown_game_json(&g->shown);
    }
    return NULL;
}

// The contest of a game by the game's id, CONTESTgNUMBER, and that number; NULL: it is of none.
static const struct hosted_contest *contest_of_game(const struct hosted_contests *h, const char *id,
                                                    int64_t *number) {
    const char *mark = strrchr(id, 'g');
    if (!mark || !text_whole(mark + 1, 1, INT64_MAX, number))
        return NULL;
    const struct hosted_contest *c = h->first;
    while (c && (strlen(c->id) != (size_t)(mark - id) || strncmp(c->id, id, strlen(c->id)) != 0))
        c = c->next;
    return c;
}

bool hosted_contests_has_annulled(const struct hosted_contests *h, const char *id) {
    int64_t number;
    const struct hosted_contest *c = contest_of_game(h, id, &number);
    return c && hosted_contest_has_annulled(c, number);
}

json_t *hosted_contests_record(const struct hosted_contests *h, const char *id, struct err *err) {
    int64_t number;
    const struct hosted_contest *c = contest_of_game(h, id, &number);
    json_t *record = c ? hosted_contest_record(c, number, err) : NULL;
    if (record)
        services_keep(c->services, id, record);
    return record;
}

void hosted_contests_list_games(const struct hosted_contests *h, json_t *list) {
    for (const struct hosted_contest *c = h->first; c; c = c->next)
        hosted_contest_list_games(c, list);
}
