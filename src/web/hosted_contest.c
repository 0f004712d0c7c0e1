// SPDX-License-Identifier: MIT
// A contest is a file that says what it is, a store in which the child keeps what was played, and
// what is shown. The child is the only one that plays and that writes the store; here it is
// started, told to pause by a line, and listened to: a JSON object a line, each an event. So a
// contest survives the server, and a server that comes upon an old one starts the child only to
// look. It waits, runs, perhaps pauses, and is over when the child says so; it has failed if the
// child ends before that, and goes on from its store when it is started again. A pause lets games
// under way end: the child stays. `resume` is a promise of the time before a fall: it counts as
// running until it is known how it stands. While no child is there the files of the store are
// looked at every second: if they are others than when it was looked at last, somebody has decided
// something on the command line or from the page, and a child looks again. Events only mark the
// contest as stale; the tick publishes it, however many there were.
#include "web/hosted_contest.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "contest/estimate.h"
#include "contest/game_files.h"
#include "folder/folder.h"
#include "link/link.h"
#include "link/shell.h"
#include "referee/log.h"
#include "store/store.h"
#include "web/contest_desk.h"
#include "web/contest_game.h"
#include "web/contest_teams.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 1 << 22,
    FILE_BYTES_MAX = 1 << 28,
    PATIENCE_US = 2000000,
    LINGER_US = 60000000,
    MARK_US = 500000,  // how often the store of a contest that rests is looked at
    GAME_US = 3000000, // how often a game is looked for that is missing
    PLAYED_MIN = 2,    // games after which it is said how long the rest will take
};

static const char *state_word(enum hosted_contest_state state) {
    static const char *const words[] = {
#define HOSTED_CONTEST_STATE_WORD(id, word) word,
        HOSTED_CONTEST_STATES(HOSTED_CONTEST_STATE_WORD)
#undef HOSTED_CONTEST_STATE_WORD
    };
    return words[state];
}

struct contest_path hosted_contest_path(const struct hosting *hosting, const char *id,
                                        const char *tail) {
    struct contest_path path;
    snprintf(path.text, sizeof path.text, "%s/%.23s%s", hosting->folder, id, tail);
    return path;
}

char *hosted_contest_read(const struct hosting *hosting, const char *id, const char *tail) {
    struct buf text = {.data = NULL};
    if (!path_read(hosted_contest_path(hosting, id, tail).text, FILE_BYTES_MAX, &text))
        buf_done(&text);
    return text.data;
}

bool hosted_contest_write(const struct hosting *hosting, const char *id, const char *tail,
                          const char *text, struct err *err) {
    const struct contest_path path = hosted_contest_path(hosting, id, tail);
    return path_write(path.text, text, strlen(text)) ||
           err_set(err, "cannot write %.300s: %s", path.text, strerror(errno));
}

// How many seconds the games that are missing will take if they go like those since the start;
// null if that cannot be said yet.
static json_t *seconds_left(const struct hosted_contest *c) {
    const json_int_t missing = c->expected - c->done;
    const json_int_t played = c->begun_done < 0 ? 0 : c->done - c->begun_done;
    if (c->state != HOSTED_CONTEST_RUNNING || played < PLAYED_MIN || missing < 0)
        return json_null();
    const double each_s = (double)(clock_now_us() - c->begun_us) / 1e6 / (double)played;
    return json_integer((json_int_t)(each_s * (double)missing));
}

bool hosted_contest_is_open(const struct hosted_contest *c) {
    return c->teams && contest_teams_is_open(c->teams);
}

json_t *hosted_contest_summary(const struct hosted_contest *c) {
    const int64_t deadline_us = c->teams ? contest_teams_deadline_us(c->teams) : 0;
    return json_pack("{s:s, s:o, s:s, s:s, s:b, s:b, s:s, s:I, s:I, s:o, s:b, s:o, s:b}", "id",
                     c->id, "name", json_text(c->name), "game", c->game_name, "state",
                     state_word(c->resume ? HOSTED_CONTEST_RUNNING : c->state), "teams",
                     c->teams != NULL, "open", hosted_contest_is_open(c), "why", c->why, "done",
                     c->done, "expected", c->expected, "left_s", seconds_left(c), "starting",
                     c->starting, "deadline_ms",
                     deadline_us ? json_integer((json_int_t)(deadline_us / 1000)) : json_null(),
                     "archived", contest_desk_is_archived(c->desk));
}

static void put_report(const struct hosted_contest *c, struct buf *out) {
    const size_t before = out->length;
    if (c->report.length)
        buf_put(out, c->report.data, c->report.length);
    else if (c->put_away)
        path_read(hosted_contest_path(c->hosting, c->id, ".report").text, FILE_BYTES_MAX, out);
    if (out->length == before) // there is none, or somebody has removed it
        buf_text(out, "null");
}

void hosted_contest_list_games(const struct hosted_contest *c, json_t *list) {
    for (const struct contest_game *g = c->games; g; g = g->next)
        if (!g->shown.result)
            json_array_append_new(list, shown_game_summary(&g->shown));
}

// The report is put in as it is: it may be large.
void hosted_contest_put(const struct hosted_contest *c, struct buf *out) {
    json_t *o = hosted_contest_summary(c), *live = json_array();
    hosted_contest_list_games(c, live);
    json_object_set_new(o, "live", live);
    json_object_set_new(o, "notices", contest_desk_notices(c->desk));
    json_object_set_new(o, "protests", json_integer(contest_desk_open_protests(c->desk)));
    json_put(out, o);
    out->length--; // without the bracket at its end
    buf_text(out, ",\"report\":");
    put_report(c, out);
    buf_text(out, "}");
}

static void write_contest(void *owner, struct buf *out) { hosted_contest_put(owner, out); }

// Into its file, where it rests and nobody watches it.
static void put_away(struct hosted_contest *c) {
    struct err unused = {.set = false};
    if (c->child || !c->report.length || c->topic.watcher_count > 0 ||
        !hosted_contest_write(c->hosting, c->id, ".report", c->report.data, &unused))
        return; // it stays where it is
    c->put_away = true;
    buf_done(&c->report);
}

static struct contest_game *find_number(const struct hosted_contest *c, json_int_t number) {
    for (struct contest_game *s = c->games; s; s = s->next)
        if (s->number == number)
            return s;
    return NULL;
}

// It may have been added since.
static const struct game *find_game_of(struct hosted_contest *c) {
    if (!c->game)
        c->game = game_find(c->game_name);
    return c->game;
}

// What the child tells. Each takes one line, and the game that it is about; NULL: there is none.

static void tell_began(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    if (game) // begun again after a worker was lost
        contest_game_remove(&c->games, game);
    if (!find_game_of(c)) // the child has it from the store
        return;
    game = contest_game_new(c->services->live, c->id, c->name, c->game, line);
    game->next = c->games;
    c->games = game;
    const struct logged_game logged = shown_game_logged(&game->shown);
    services_log_game(c->services, &logged, "begins in the contest %s", c->name);
    services_changed(c->services);
}

static void tell_named(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    if (!game)
        return;
    contest_game_name(game, line);
    services_changed(c->services);
}

static void tell_moved(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    (void)c;
    if (game)
        contest_game_move(game, line);
}

static void tell_ended(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    const json_t *record = json_object_get(line, "record");
    if (!game || !json_is_object(record))
        return;
    contest_game_end(game, record);
    json_t *seen = contest_game_record(record);
    services_keep(c->services, game->shown.id, seen);
    json_decref(seen);
    services_changed(c->services);
}

void hosted_contest_remember(const struct hosted_contest *c) {
    struct restart_state_contest kept = {.done = c->done, .expected = c->expected};
    memcpy(kept.id, c->id, sizeof kept.id);
    restart_state_set_going(c->services->restart, &kept,
                            c->state == HOSTED_CONTEST_RUNNING || c->resume);
}

static void note_annulled(struct hosted_contest *c, const json_t *report) {
    const json_t *games = json_object_get(report, "games");
    const size_t count = json_array_size(games);
    c->annulled_count = 0;
    for (size_t i = 0; i < count; i++) {
        const json_t *game = json_array_get(games, i);
        const char *state = json_string_value(json_object_get(game, "state"));
        if (!state || strcmp(state, stored_state_word(GAME_ANNULLED)) != 0)
            continue;
        c->annulled =
            mem_resize(c->annulled, (size_t)(c->annulled_count + 1) * sizeof *c->annulled);
        c->annulled[c->annulled_count++] = json_integer_value(json_object_get(game, "number"));
    }
}

bool hosted_contest_has_annulled(const struct hosted_contest *c, int64_t number) {
    int i = 0;
    while (i < c->annulled_count && c->annulled[i] != number)
        i++;
    return i < c->annulled_count;
}

// Which players have code in common was found by the child that played; one that only looks does
// not compare them again.
static void keep_similar(const struct hosted_contest *c, json_t *report) {
    struct buf text = {.data = NULL};
    if (!json_is_object(report) || json_object_get(report, "similar"))
        return;
    put_report(c, &text);
    json_t *before = text.data ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    json_t *similar = json_object_get(before, "similar");
    if (similar)
        json_object_set(report, "similar", similar);
    json_decref(before);
    buf_done(&text);
}

static void tell_report(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    json_t *report = json_object_get(line, "report");
    (void)game;
    keep_similar(c, report);
    c->reported = json_is_object(report);
    buf_clear(&c->report);
    if (c->reported)
        json_put(&c->report, json_incref(report));
    c->put_away = false;
    c->done = json_integer_value(json_object_get(report, "done"));
    c->expected = json_integer_value(json_object_get(report, "expected"));
    c->over = json_is_true(json_object_get(report, "over"));
    note_annulled(c, report);
    if (c->begun_done < 0)
        c->begun_done = c->done;
    hosted_contest_remember(c);
}

static void set_state(struct hosted_contest *c, enum hosted_contest_state state) {
    if (state != c->state)
        journal_write(c->services->journal, "contest %s (%s) is %s, %d of %d games", c->id, c->name,
                      state_word(state), (int)c->done, (int)c->expected);
    c->state = state;
    hosted_contest_remember(c);
}

static void tell_over(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    (void)game, (void)line;
    set_state(c, HOSTED_CONTEST_OVER);
}

static void tell_note(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    const char *words = json_string_value(json_object_get(line, "words"));
    (void)game;
    c->services->note(c->services->owner, words ? words : "");
}

// Its game says who has not come, and that it has lost.
static void tell_team(struct hosted_contest *c, struct contest_game *game, const json_t *line) {
    struct err err = {.set = false};
    (void)game;
    if (!c->services->lobby)
        c->services->note(c->services->owner,
                          "a team is awaited, but this server has no judge's port "
                          "for it to come to");
    else
        bridge_new(&c->bridges, c->services->loop, c->services->lobby,
                   json_int(json_object_get(line, "team"), -1),
                   json_int(json_object_get(line, "port"), 0), &err);
    services_note(c->services, &err);
}

static const struct teller {
    const char *event;
    void (*tell)(struct hosted_contest *c, struct contest_game *game, const json_t *line);
} tellers[] = {{"began", tell_began}, {"named", tell_named},   {"moved", tell_moved},
               {"ended", tell_ended}, {"report", tell_report}, {"over", tell_over},
               {"note", tell_note},   {"team", tell_team}};

static void take_line(struct hosted_contest *c, const char *text, size_t length) {
    json_t *line = json_loadb(text, length, 0, NULL);
    const char *event = json_string_value(json_object_get(line, "event"));
    for (size_t i = 0; event && i < sizeof tellers / sizeof *tellers; i++)
        if (strcmp(event, tellers[i].event) == 0)
            tellers[i].tell(c, find_number(c, json_integer_value(json_object_get(line, "number"))),
                            line);
    if (event && strcmp(event, "moved") != 0) // a move is told by its game alone
        c->stale = true;
    json_decref(line);
}

static void hosted_contest_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct hosted_contest *c = owner;
    (void)now_us;
    buf_put(&c->input, bytes, length);
    for (const char *end;
         c->input.length && (end = memchr(c->input.data, '\n', c->input.length));) {
        const size_t line = (size_t)(end - c->input.data);
        take_line(c, c->input.data, line);
        buf_drop(&c->input, line + 1);
    }
    if (c->input.length > LINE_MAX_BYTES)
        buf_clear(&c->input);
}

static void hosted_contest_noise(void *owner, const char *bytes, size_t length) {
    struct hosted_contest *c = owner;
    if (c->noise.length + length < sizeof c->why)
        buf_put(&c->noise, bytes, length);
}

static void end_child(struct hosted_contest *c, int64_t patience_us) {
    if (c->child)
        link_free(c->child, patience_us);
    c->child = NULL;
    c->looking = false;
    buf_done(&c->input); // as long as its longest line
}

static void hosted_contest_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct hosted_contest *c = owner;
    const bool looked = c->looking && how->exited && how->code == 0;
    (void)now_us;
    end_child(c, 0);
    c->stale = true;
    if (looked)
        set_state(c, c->over       ? HOSTED_CONTEST_OVER
                     : c->reported ? HOSTED_CONTEST_PAUSED
                                   : HOSTED_CONTEST_WAITING);
    if (looked || c->state == HOSTED_CONTEST_OVER)
        return;
    set_state(c, HOSTED_CONTEST_FAILED);
    snprintf(c->why, sizeof c->why, "%.399s", c->noise.length ? c->noise.data : "");
}

static void mark_file(const char *path, int64_t *size, int64_t *at_ns) {
    struct stat info;
    *size = *at_ns = 0;
    if (stat(path, &info) != 0 || info.st_size == 0)
        return;
    *size = info.st_size;
    *at_ns = info.st_mtim.tv_sec * INT64_C(1000000000) + info.st_mtim.tv_nsec;
}

static struct store_mark mark_store(const struct hosted_contest *c) {
    struct store_mark mark;
    mark_file(hosted_contest_path(c->hosting, c->id, ".db").text, &mark.size, &mark.at_ns);
    mark_file(hosted_contest_path(c->hosting, c->id, ".db-wal").text, &mark.log_size,
              &mark.log_at_ns);
    return mark;
}

// Whether a contest that rests is to be looked at again.
static bool has_changed(struct hosted_contest *c, int64_t now_us) {
    if (c->child || c->unknown || now_us - c->marked_us < MARK_US ||
        (c->state != HOSTED_CONTEST_OVER && c->state != HOSTED_CONTEST_PAUSED))
        return false;
    c->marked_us = now_us;
    const struct store_mark now = mark_store(c);
    return memcmp(&now, &c->seen, sizeof now) != 0;
}

// Starts the child, to play or only to look.
static bool begin(struct hosted_contest *c, bool look, struct err *err) {
    assert(look || !hosted_contest_is_open(c)); // what plays is settled
    static const struct link_events events = {
        .bytes = hosted_contest_heard, .gone = hosted_contest_gone, .noise = hosted_contest_noise};
    struct buf command = {.data = NULL};
    shell_put_quoted(&command, c->services->program);
    buf_text(&command, " contest live ");
    shell_put_quoted(&command, hosted_contest_path(c->hosting, c->id, ".conf").text);
    buf_text(&command, " --store ");
    shell_put_quoted(&command, hosted_contest_path(c->hosting, c->id, ".db").text);
    buf_text(&command, look ? " --look" : "");
    const struct program program = {.command = command.data};
    end_child(c, 0);
    buf_clear(&c->input);
    buf_clear(&c->noise);
    c->unknown = false;
    c->looking = look;
    c->seen = look ? mark_store(c) : (struct store_mark){.size = 0};
    c->begun_us = clock_now_us();
    c->begun_done = -1;
    c->child = link_new_pipe(c->services->loop, &program, &events, c, err);
    buf_done(&command);
    c->why[0] = '\0';
    if (!c->child)
        set_state(c, HOSTED_CONTEST_FAILED);
    else if (!look)
        set_state(c, HOSTED_CONTEST_RUNNING);
    c->stale = true;
    return c->child != NULL;
}

// It is to begin; a file says so as long as it does not, for the server that comes after us.
static bool set_starting(struct hosted_contest *c, bool starting, struct err *err) {
    if (starting && !hosted_contest_write(c->hosting, c->id, ".start", "\n", err))
        return false;
    if (!starting)
        unlink(hosted_contest_path(c->hosting, c->id, ".start").text);
    c->starting = starting;
    contest_teams_hold(c->teams, starting);
    return c->stale = true;
}

bool hosted_contest_start(struct hosted_contest *c, struct err *err) {
    const bool open = hosted_contest_is_open(c);
    if (open && contest_teams_has_work(c->teams))
        return set_starting(c, true, err);
    const bool good = (!c->teams || contest_teams_close(c->teams, err)) && begin(c, false, err);
    return (!open || set_starting(c, false, err)) && good;
}

bool hosted_contest_look(struct hosted_contest *c, struct err *err) { return begin(c, true, err); }

bool hosted_contest_is_playing(const struct hosted_contest *c) { return c->child && !c->looking; }

bool hosted_contest_has_team(const struct hosted_contest *c, int32_t team) {
    int i = 0;
    while (i < c->team_count && c->tcp_teams[i] != team)
        i++;
    return i < c->team_count;
}

bool hosted_contest_needs(const struct hosted_contest *c, int32_t team) {
    return hosted_contest_has_team(c, team) && (c->state == HOSTED_CONTEST_RUNNING || c->bridges);
}

bool hosted_contest_pause(struct hosted_contest *c, struct err *err) {
    if (c->starting) // it does not begin after all
        return set_starting(c, false, err);
    if (!hosted_contest_is_playing(c) && !c->resume)
        return err_set(err, "the contest is not running");
    if (hosted_contest_is_playing(c))
        link_send(c->child, "pause\n", 6);
    c->resume = false;
    set_state(c, HOSTED_CONTEST_PAUSED);
    c->stale = true;
    return true;
}

bool hosted_contest_continue(struct hosted_contest *c, struct err *err) {
    if (!hosted_contest_is_playing(c))
        return hosted_contest_start(c, err);
    link_send(c->child, "continue\n", 9);
    set_state(c, HOSTED_CONTEST_RUNNING);
    c->stale = true;
    return true;
}

// The contest file before the teams had handed in, to be freed; NULL: there is none.
static struct plan *read_draft(const struct hosting *hosting, const char *id) {
    struct err err = {.set = false};
    char *text = hosted_contest_read(hosting, id, ".draft");
    struct plan *draft = text ? plan_read(id, text, &err) : NULL;
    free(text);
    return draft;
}

// Takes the plan.
static bool open_teams(struct hosted_contest *c, struct plan *plan, struct err *err) {
    const bool open = plan_find_open(plan) != NOBODY;
    struct plan *draft = open ? plan : read_draft(c->hosting, c->id);
    if (draft)
        c->teams = contest_teams_new(c->hosting, c->id, draft, open, err);
    if (!open)
        plan_free(plan);
    return !err->set;
}

static const char *text_of(const json_t *asked, const char *key) {
    const char *text = json_string_value(json_object_get(asked, key));
    return text ? text : "";
}

json_t *hosted_contest_estimate(const struct hosted_contest *c, struct err *err) {
    struct contest_estimate e;
    if (hosted_contest_is_open(c))
        return contest_teams_estimate(c->teams);
    char *text = hosted_contest_read(c->hosting, c->id, ".conf");
    struct plan *plan = text ? plan_read(c->id, text, err) : NULL;
    free(text);
    if (!plan) {
        err_set(err, "the contest's file cannot be read");
        return NULL;
    }
    estimate_init(&e, plan);
    plan_free(plan);
    return estimate_json(&e);
}

json_t *hosted_contest_form(const struct hosted_contest *c) {
    char *words = hosted_contest_read(c->hosting, c->id, ".form");
    json_t *form = words ? json_loads(words, 0, NULL) : NULL;
    free(words);
    if (json_is_object(form))
        return form;
    json_decref(form);
    char *draft = hosted_contest_read(c->hosting, c->id, ".draft");
    char *text = draft ? draft : hosted_contest_read(c->hosting, c->id, ".conf");
    form = text ? json_pack("{s:o}", "text", json_text(text)) : NULL;
    free(text);
    return form;
}

static const json_t *find_game(const json_t *report, int64_t number) {
    const json_t *games = json_object_get(report, "games");
    for (size_t i = 0; i < json_array_size(games); i++)
        if (json_integer_value(json_object_get(json_array_get(games, i), "number")) == number)
            return json_array_get(games, i);
    return NULL;
}

// Which player of a game a team is, 1 or 2; 0: neither. `over`: it has been played.
static int side_of(const struct hosted_contest *c, int64_t number, const char *team, bool *over) {
    struct buf text = {.data = NULL};
    put_report(c, &text);
    json_t *report = json_loadb(text.data, text.length, 0, NULL);
    const json_t *game = find_game(report, number);
    const int side = !game                                       ? 0
                     : strcmp(text_of(game, "black"), team) == 0 ? 1
                     : strcmp(text_of(game, "white"), team) == 0 ? 2
                                                                 : 0;
    *over = game && strcmp(text_of(game, "state"), "done") == 0;
    json_decref(report);
    buf_done(&text);
    return side;
}

static void take_log(void *owner, const char *text) { buf_text(owner, text); }

// The store, to be read; NULL: there is none, or with an error.
static struct store *reach_store(const struct hosted_contest *c, struct err *err) {
    const struct contest_path path = hosted_contest_path(c->hosting, c->id, ".db");
    return access(path.text, F_OK) == 0 ? store_reach(path.text, false, NULL, err) : NULL;
}

json_t *hosted_contest_record(const struct hosted_contest *c, int64_t number, struct err *err) {
    struct buf text = {.data = NULL};
    struct store *store = reach_store(c, err);
    const bool good = store && store_record(store, c->name, number, take_log, &text, err);
    json_t *record = good && text.data ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    json_t *seen = record ? contest_game_record(record) : NULL;
    store_close(store);
    json_decref(record);
    buf_done(&text);
    return seen;
}

json_t *hosted_contest_messages(const struct hosted_contest *c, int64_t number, const char *team,
                                struct err *err) {
    struct buf log = {.data = NULL}, own = {.data = NULL};
    bool over;
    const int side = team ? side_of(c, number, team, &over) : 0;
    struct store *store = team && !side ? NULL : reach_store(c, err);
    const bool good = store && store_log(store, c->name, number, take_log, &log, err);
    store_close(store);
    if (good && log.data && side)
        log_put_own(log.data, side, &own);
    const struct buf *shown = side ? &own : &log;
    json_t *messages =
        good && shown->data ? json_pack("{s:o}", "messages", json_text(shown->data)) : NULL;
    buf_done(&log);
    buf_done(&own);
    return messages;
}

bool hosted_contest_protest(struct hosted_contest *c, const char *team, const json_t *asked,
                            struct err *err) {
    int64_t number = 0;
    bool over;
    json_whole(json_object_get(asked, "game"), 1, INT64_MAX, &number);
    if (!side_of(c, number, team, &over) || !over)
        return err_set(err, "a protest is against a game of yours that has been played");
    c->stale = true;
    return contest_desk_protest(c->desk, team, number, text_of(asked, "text"), err);
}

void hosted_contest_erase(const struct hosting *hosting, const char *id) {
    static const char *const tails[] = {".conf",   ".draft",  ".now",    ".form",
                                        ".desk",   ".start",  ".report", ".db",
                                        ".db-wal", ".db-shm", ".teams"};
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++)
        path_remove(hosted_contest_path(hosting, id, tails[i]).text);
}

// A start that was ordered before the server ended is still to come.
static void take_start(struct hosted_contest *c) {
    const struct contest_path path = hosted_contest_path(c->hosting, c->id, ".start");
    if (!c->teams || access(path.text, F_OK) != 0)
        return;
    c->starting = hosted_contest_is_open(c);
    c->resume = !c->starting; // it ended at the very start
    if (c->starting)
        contest_teams_hold(c->teams, true);
    else
        unlink(path.text);
}

static struct hosted_contest *make(const struct hosting *hosting, const char *id,
                                   const struct plan_label *label) {
    char topic[TOPIC_NAME_MAX];
    struct hosted_contest *c = mem_new(1, sizeof *c);
    *c = (struct hosted_contest){.hosting = hosting,
                                 .services = hosting->services,
                                 .name = mem_text(label->name),
                                 .game_name = mem_text(label->game)};
    snprintf(c->id, GAME_ID_MAX, "%s", id);
    c->desk = contest_desk_new(hosting, id);
    snprintf(topic, sizeof topic, "contest/%s", id);
    topic_init(&c->topic, hosting->services->live, topic, write_contest, c);
    return c;
}

// Its game has been removed since it began: its store has it.
static void take_kept_game(const struct hosted_contest *c) {
    struct err err = {.set = false};
    struct store *store = reach_store(c, &err);
    if (store)
        game_files_know(store, c->name, &err);
    store_close(store);
    services_note(c->services, &err);
}

static bool take_plan(struct hosted_contest *c, const char *text, struct err *err) {
    struct plan *plan = plan_read(c->id, text, err);
    if (!plan)
        return false;
    c->game = plan->rules.game;
    c->tcp_teams = mem_resize(c->tcp_teams, (size_t)plan->player_count * sizeof *c->tcp_teams);
    c->team_count = plan_awaited(plan, c->tcp_teams);
    if (!open_teams(c, plan, err))
        return false;
    take_start(c);
    return true;
}

// Of a game from outside, which may be added, or made ready, while we run.
static bool waits_for_game(struct hosted_contest *c) {
    return *c->game_name && (!find_game_of(c) || folder_of(c->game));
}

static void wait_for_game(struct hosted_contest *c, const struct err *why) {
    c->is_waiting = true;
    c->state = HOSTED_CONTEST_FAILED;
    if (c->game)
        snprintf(c->why, sizeof c->why, "%.399s", why->text);
    else
        snprintf(c->why, sizeof c->why, "the game %.40s is not known here: arbiter game add FOLDER",
                 c->game_name);
}

// Whether its game has come.
static bool take_awaited_game(struct hosted_contest *c, int64_t now_us) {
    struct err unused = {.set = false};
    if (!c->is_waiting || c->child || now_us - c->marked_us < GAME_US || !find_game_of(c))
        return false;
    c->marked_us = now_us;
    char *text = hosted_contest_read(c->hosting, c->id, ".conf");
    c->is_waiting = !text || !take_plan(c, text, &unused);
    free(text);
    return !c->is_waiting;
}

struct hosted_contest *hosted_contest_new(const struct hosting *hosting, const char *id,
                                          const char *text, struct err *err) {
    struct plan_label label;
    struct err why = {.set = false};
    plan_peek_text(id, text, &label); // what is wrong with it is said when it is read
    struct hosted_contest *c = make(hosting, id, &label);
    plan_label_done(&label);
    if (*c->game_name && !find_game_of(c))
        take_kept_game(c);
    if (take_plan(c, text, &why))
        return c;
    if (waits_for_game(c)) {
        wait_for_game(c, &why);
        return c;
    }
    *err = why;
    hosted_contest_free(c);
    return NULL;
}

void hosted_contest_free(struct hosted_contest *c) {
    end_child(c, PATIENCE_US);
    if (c->put_away)
        unlink(hosted_contest_path(c->hosting, c->id, ".report").text);
    bridges_free(&c->bridges);
    contest_teams_free(c->teams);
    contest_desk_free(c->desk);
    while (c->games)
        contest_game_remove(&c->games, c->games);
    topic_done(&c->topic);
    buf_done(&c->input);
    buf_done(&c->noise);
    buf_done(&c->report);
    free(c->tcp_teams);
    free(c->annulled);
    free(c->game_name);
    free(c->name);
    free(c);
}

void hosted_contest_tick(struct hosted_contest *c, int64_t now_us) {
    for (struct contest_game *s = c->games, *next; s; s = next) {
        next = s->next;
        if (s->shown.result && s->shown.topic.watcher_count == 0 &&
            now_us - s->shown.since_us > LINGER_US)
            contest_game_remove(&c->games, s);
    }
    if (c->teams)
        contest_teams_tick(c->teams);
    if (has_changed(c, now_us) || take_awaited_game(c, now_us)) {
        struct err err = {.set = false};
        hosted_contest_look(c, &err);
        services_note(c->services, &err);
    }
    put_away(c);
    if (!c->stale)
        return;
    c->stale = false;
    topic_publish(&c->topic, NULL);
    services_changed(c->services);
}
