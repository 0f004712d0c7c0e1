// SPDX-License-Identifier: MIT
#include "web/hosted_contest.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "contest/plan/plan.h"
#include "link/link.h"
#include "link/shell.h"
#include "web/contest_game.h"
#include "web/contest_teams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    LINE_MAX_BYTES = 1 << 22,
    DRAFT_MAX = 1 << 20,
    REPORT_MAX = 1 << 28,
    PATIENCE_US = 2000000,
    LINGER_US = 60000000,
    PLAYED_MIN = 2, // games after which it is said how long the rest will take
};

static const char *state_word(enum hosted_contest_state state) {
    static const char *const words[] = {
#define HOSTED_CONTEST_STATE_WORD(id, word) word,
        HOSTED_CONTEST_STATES(HOSTED_CONTEST_STATE_WORD)
#undef HOSTED_CONTEST_STATE_WORD
    };
    return words[state];
}

void hosted_contest_path(const struct hosting *hosting, const char *id, const char *tail,
                         char path[static HOSTED_CONTEST_PATH_MAX]) {
    snprintf(path, HOSTED_CONTEST_PATH_MAX, "%s/%.23s%s", hosting->folder, id, tail);
}

// How many seconds the games that are missing will take if they go like those since the start;
// null if that cannot be said yet.
static json_t *seconds_left(const struct hosted_contest *contest) {
    const json_int_t missing = contest->expected - contest->done;
    const json_int_t played = contest->begun_done < 0 ? 0 : contest->done - contest->begun_done;
    if (contest->state != HOSTED_CONTEST_RUNNING || played < PLAYED_MIN || missing < 0)
        return json_null();
    const double each_s = (double)(clock_now_us() - contest->begun_us) / 1e6 / (double)played;
    return json_integer((json_int_t)(each_s * (double)missing));
}

json_t *hosted_contest_summary(const struct hosted_contest *contest) {
    return json_pack("{s:s, s:o, s:s, s:s, s:b, s:b, s:s, s:I, s:I, s:o}", "id", contest->id,
                     "name", json_text(contest->name), "game", contest->game->name, "state",
                     state_word(contest->resume ? HOSTED_CONTEST_RUNNING : contest->state), "teams",
                     contest->teams != NULL, "open",
                     contest->teams && contest_teams_is_open(contest->teams), "why", contest->why,
                     "done", contest->done, "expected", contest->expected, "left_s",
                     seconds_left(contest));
}

static void put_report(const struct hosted_contest *contest, struct buf *out) {
    char path[HOSTED_CONTEST_PATH_MAX];
    const size_t before = out->length;
    hosted_contest_path(contest->hosting, contest->id, ".report", path);
    if (contest->report.length)
        buf_put(out, contest->report.data, contest->report.length);
    else if (contest->put_away)
        path_read(path, REPORT_MAX, out);
    if (out->length == before) // there is none, or somebody has removed it
        buf_text(out, "null");
}

// The report is put in as it is: it may be large.
void hosted_contest_put(const struct hosted_contest *contest, struct buf *out) {
    json_t *o = hosted_contest_summary(contest), *live = json_array();
    for (const struct contest_game *s = contest->games; s; s = s->next)
        if (!s->shown.result)
            json_array_append_new(live, shown_game_summary(&s->shown));
    json_object_set_new(o, "live", live);
    char *line = json_dumps(o, JSON_LINE);
    buf_put(out, line, strlen(line) - 1); // without the bracket at its end
    buf_text(out, ",\"report\":");
    put_report(contest, out);
    buf_text(out, "}");
    free(line);
    json_decref(o);
}

static void write_arena(void *owner, struct buf *out) { hosted_contest_put(owner, out); }

// Into its file, where it rests and nobody watches it.
static void put_away(struct hosted_contest *contest) {
    char path[HOSTED_CONTEST_PATH_MAX];
    if (contest->child || !contest->report.length || contest->topic.watcher_count > 0)
        return;
    hosted_contest_path(contest->hosting, contest->id, ".report", path);
    if (!path_write(path, contest->report.data, contest->report.length))
        return; // it stays where it is
    contest->put_away = true;
    buf_done(&contest->report);
}

static struct contest_game *find_number(const struct hosted_contest *contest, json_int_t number) {
    for (struct contest_game *s = contest->games; s; s = s->next)
        if (s->number == number)
            return s;
    return NULL;
}

// What the child tells. Each takes one line.

static void tell_began(struct hosted_contest *contest, const json_t *line) {
    struct contest_game *game =
        find_number(contest, json_integer_value(json_object_get(line, "number")));
    if (game) // begun again after a worker was lost
        contest_game_remove(&contest->games, game, contest->hosting->services->live);
    game = contest_game_new(contest->id, contest->name, contest->game, line);
    game->next = contest->games;
    contest->games = game;
    contest->hosting->services->changed(contest->hosting->services->owner);
}

static void tell_moved(struct hosted_contest *contest, const json_t *line) {
    struct contest_game *game =
        find_number(contest, json_integer_value(json_object_get(line, "number")));
    if (game)
        contest_game_move(game, line, contest->hosting->services->live);
}

static void tell_ended(struct hosted_contest *contest, const json_t *line) {
    struct contest_game *game =
        find_number(contest, json_integer_value(json_object_get(line, "number")));
    json_t *record = json_object_get(line, "record");
    struct err err = {.set = false};
    if (!game || !json_is_object(record))
        return;
    contest_game_end(game, record, contest->hosting->services->live);
    json_t *seen = contest_game_record(game, record);
    if (!game_archive_put(contest->hosting->archive, game->shown.id, seen, &err))
        contest->hosting->note(contest->hosting->owner, err.text);
    json_decref(seen);
    contest->hosting->services->changed(contest->hosting->services->owner);
}

void hosted_contest_remember(const struct hosted_contest *contest) {
    struct restart_state_contest kept = {.done = contest->done, .expected = contest->expected};
    memcpy(kept.id, contest->id, sizeof kept.id);
    restart_state_set_going(contest->hosting->restart, &kept,
                            contest->state == HOSTED_CONTEST_RUNNING || contest->resume);
}

static void tell_report(struct hosted_contest *contest, const json_t *line) {
    const json_t *report = json_object_get(line, "report");
    char *text = json_dumps(report, JSON_LINE);
    buf_clear(&contest->report);
    buf_text(&contest->report, text ? text : "");
    free(text);
    contest->reported = json_is_object(report);
    contest->put_away = false;
    contest->done = json_integer_value(json_object_get(report, "done"));
    contest->expected = json_integer_value(json_object_get(report, "expected"));
    contest->over = json_is_true(json_object_get(report, "over"));
    if (contest->begun_done < 0)
        contest->begun_done = contest->done;
    hosted_contest_remember(contest);
}

static void set_state(struct hosted_contest *contest, enum hosted_contest_state state) {
    contest->state = state;
    hosted_contest_remember(contest);
}

static void tell_over(struct hosted_contest *contest, const json_t *line) {
    (void)line;
    set_state(contest, HOSTED_CONTEST_OVER);
}

static void hosted_contest_tell_note(struct hosted_contest *contest, const json_t *line) {
    const char *words = json_string_value(json_object_get(line, "words"));
    contest->hosting->note(contest->hosting->owner, words ? words : "");
}

// Its game says who has not come, and that he has lost.
static void tell_team(struct hosted_contest *contest, const json_t *line) {
    const struct services *services = contest->hosting->services;
    struct err err = {.set = false};
    if (!services->lobby)
        contest->hosting->note(contest->hosting->owner,
                               "a team is awaited, but this server has no judge's "
                               "port for it to come to");
    else if (!bridge_new(&contest->bridges, services->loop, services->lobby,
                         json_int(json_object_get(line, "team"), -1),
                         json_int(json_object_get(line, "port"), 0), &err))
        contest->hosting->note(contest->hosting->owner, err.text);
}

static const struct teller {
    const char *event;
    void (*tell)(struct hosted_contest *contest, const json_t *line);
} tellers[] = {{"began", tell_began},   {"moved", tell_moved}, {"ended", tell_ended},
               {"report", tell_report}, {"over", tell_over},   {"note", hosted_contest_tell_note},
               {"team", tell_team}};

static void take_line(struct hosted_contest *contest, const char *text, size_t length) {
    json_t *line = json_loadb(text, length, 0, NULL);
    const char *event = json_string_value(json_object_get(line, "event"));
    for (size_t i = 0; event && i < sizeof tellers / sizeof *tellers; i++)
        if (strcmp(event, tellers[i].event) == 0)
            tellers[i].tell(contest, line);
    if (event && strcmp(event, "moved") != 0) // a move is told by its game alone
        contest->stale = true;
    json_decref(line);
}

static void hosted_contest_heard(void *owner, const char *bytes, size_t length, int64_t now_us) {
    struct hosted_contest *contest = owner;
    (void)now_us;
    buf_put(&contest->input, bytes, length);
    for (const char *end; contest->input.length &&
                          (end = memchr(contest->input.data, '\n', contest->input.length));) {
        const size_t line = (size_t)(end - contest->input.data);
        take_line(contest, contest->input.data, line);
        buf_drop(&contest->input, line + 1);
    }
    if (contest->input.length > LINE_MAX_BYTES)
        buf_clear(&contest->input);
}

static void hosted_contest_noise(void *owner, const char *bytes, size_t length) {
    struct hosted_contest *contest = owner;
    if (contest->noise.length + length < sizeof contest->why)
        buf_put(&contest->noise, bytes, length);
}

static void end_child(struct hosted_contest *contest, int64_t patience_us) {
    if (contest->child)
        link_free(contest->child, patience_us);
    contest->child = NULL;
    contest->looking = false;
    buf_done(&contest->input); // as long as its longest line
}

static void hosted_contest_gone(void *owner, const struct parting *how, int64_t now_us) {
    struct hosted_contest *contest = owner;
    const bool looked = contest->looking && how->exited && how->code == 0;
    (void)now_us;
    end_child(contest, 0);
    contest->stale = true;
    if (looked)
        set_state(contest, contest->over       ? HOSTED_CONTEST_OVER
                           : contest->reported ? HOSTED_CONTEST_PAUSED
                                               : HOSTED_CONTEST_WAITING);
    if (looked || contest->state == HOSTED_CONTEST_OVER)
        return;
    set_state(contest, HOSTED_CONTEST_FAILED);
    snprintf(contest->why, sizeof contest->why, "%.399s",
             contest->noise.length ? contest->noise.data : "");
}

// Starts the child, to play or only to look.
static bool begin(struct hosted_contest *contest, bool look, struct err *err) {
    static const struct link_events events = {
        .bytes = hosted_contest_heard, .gone = hosted_contest_gone, .noise = hosted_contest_noise};
    char file[HOSTED_CONTEST_PATH_MAX], store[HOSTED_CONTEST_PATH_MAX];
    struct buf command = {.data = NULL};
    hosted_contest_path(contest->hosting, contest->id, ".conf", file);
    hosted_contest_path(contest->hosting, contest->id, ".db", store);
    shell_put_quoted(&command, contest->hosting->services->program);
    buf_text(&command, " contest live ");
    shell_put_quoted(&command, file);
    buf_text(&command, " --store ");
    shell_put_quoted(&command, store);
    buf_text(&command, look ? " --look" : "");
    const struct program program = {.command = command.data};
    end_child(contest, 0);
    buf_clear(&contest->input);
    buf_clear(&contest->noise);
    contest->unknown = false;
    contest->looking = look;
    contest->begun_us = clock_now_us();
    contest->begun_done = -1;
    contest->child =
        link_new_pipe(contest->hosting->services->loop, &program, &events, contest, err);
    buf_done(&command);
    contest->why[0] = '\0';
    if (!contest->child)
        set_state(contest, HOSTED_CONTEST_FAILED);
    else if (!look)
        set_state(contest, HOSTED_CONTEST_RUNNING);
    contest->stale = true;
    return contest->child != NULL;
}

bool hosted_contest_start(struct hosted_contest *contest, struct err *err) {
    return (!contest->teams || contest_teams_close(contest->teams, err)) &&
           begin(contest, false, err);
}

bool hosted_contest_look(struct hosted_contest *contest, struct err *err) {
    return begin(contest, true, err);
}

bool hosted_contest_is_playing(const struct hosted_contest *contest) {
    return contest->child && !contest->looking;
}

bool hosted_contest_has_team(const struct hosted_contest *contest, int32_t team) {
    int i = 0;
    while (i < contest->team_count && contest->tcp_teams[i] != team)
        i++;
    return i < contest->team_count;
}

bool hosted_contest_needs(const struct hosted_contest *contest, int32_t team) {
    return hosted_contest_has_team(contest, team) &&
           (contest->state == HOSTED_CONTEST_RUNNING || contest->bridges);
}

bool hosted_contest_pause(struct hosted_contest *contest, struct err *err) {
    if (!hosted_contest_is_playing(contest) && !contest->resume)
        return err_set(err, "the contest is not running");
    if (hosted_contest_is_playing(contest))
        link_send(contest->child, "pause\n", 6);
    contest->resume = false;
    set_state(contest, HOSTED_CONTEST_PAUSED);
    contest->stale = true;
    return true;
}

bool hosted_contest_continue(struct hosted_contest *contest, struct err *err) {
    if (!hosted_contest_is_playing(contest))
        return hosted_contest_start(contest, err);
    link_send(contest->child, "continue\n", 9);
    set_state(contest, HOSTED_CONTEST_RUNNING);
    contest->stale = true;
    return true;
}

// The contest file before the teams had handed in, to be freed; NULL: there is none.
static struct plan *read_draft(const struct hosting *hosting, const char *id) {
    char path[HOSTED_CONTEST_PATH_MAX];
    struct buf text = {.data = NULL};
    struct err err = {.set = false};
    hosted_contest_path(hosting, id, ".draft", path);
    struct plan *draft =
        path_read(path, DRAFT_MAX, &text) && text.data ? plan_read(id, text.data, &err) : NULL;
    buf_done(&text);
    return draft;
}

// Takes the plan if its teams still hand in.
static bool open_intake(struct hosted_contest *contest, struct plan *plan, struct err *err) {
    const bool open = plan_find_open(plan) != NOBODY;
    struct plan *draft = open ? plan : read_draft(contest->hosting, contest->id);
    if (draft)
        contest->teams = contest_teams_new(contest->hosting, contest->id, draft, open, err);
    if (!open)
        plan_free(plan);
    return !err->set;
}

static bool put_pair(const json_t *players, struct buf *out, struct err *err) {
    const size_t count = json_array_size(players);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_string_value(json_array_get(players, i));
        if (!name || count != 2)
            return err_set(err, "two players are compared by their names");
        buf_text(out, " --pair ");
        shell_put_quoted(out, name);
    }
    return true;
}

// Before it has begun, what counts at this time is compared.
bool hosted_contest_put_similar(const struct hosted_contest *contest, const json_t *players,
                                struct buf *out, struct err *err) {
    char file[HOSTED_CONTEST_PATH_MAX], store[HOSTED_CONTEST_PATH_MAX];
    const bool open = contest->teams && contest_teams_is_open(contest->teams);
    hosted_contest_path(contest->hosting, contest->id, open ? ".now" : ".conf", file);
    hosted_contest_path(contest->hosting, contest->id, ".db", store);
    if (open && !contest_teams_write(contest->teams, file, err))
        return false;
    buf_text(out, "contest similar ");
    shell_put_quoted(out, file);
    if (access(store, F_OK) == 0) {
        buf_text(out, " --store ");
        shell_put_quoted(out, store);
    }
    buf_text(out, " --json --progress");
    return put_pair(players, out, err);
}

static void list_teams(struct hosted_contest *contest, const struct plan *plan) {
    contest->tcp_teams = mem_new((size_t)plan->player_count + 1, sizeof *contest->tcp_teams);
    contest->team_count = plan_awaited(plan, contest->tcp_teams);
}

struct hosted_contest *hosted_contest_new(const struct hosting *hosting, const char *id,
                                          const char *text, struct err *err) {
    char topic[TOPIC_NAME_MAX];
    struct plan *plan = plan_read(id, text, err);
    if (!plan)
        return NULL;
    struct hosted_contest *contest = mem_new(1, sizeof *contest);
    *contest = (struct hosted_contest){.hosting = hosting, .game = plan->rules.game};
    snprintf(contest->id, GAME_ID_MAX, "%s", id);
    contest->name = mem_text(plan->name);
    snprintf(topic, sizeof topic, "contest/%s", id);
    topic_init(&contest->topic, topic, write_arena, contest);
    list_teams(contest, plan);
    if (open_intake(contest, plan, err))
        return contest;
    hosted_contest_free(contest);
    return NULL;
}

void hosted_contest_free(struct hosted_contest *contest) {
    const struct live *live = contest->hosting->services->live;
    char path[HOSTED_CONTEST_PATH_MAX];
    end_child(contest, PATIENCE_US);
    hosted_contest_path(contest->hosting, contest->id, ".report", path);
    if (contest->put_away)
        unlink(path);
    bridges_free(&contest->bridges);
    contest_teams_free(contest->teams);
    while (contest->games)
        contest_game_remove(&contest->games, contest->games, live);
    topic_done(&contest->topic, live);
    buf_done(&contest->input);
    buf_done(&contest->noise);
    buf_done(&contest->report);
    free(contest->tcp_teams);
    free(contest->name);
    free(contest);
}

void hosted_contest_tick(struct hosted_contest *contest, int64_t now_us) {
    const struct services *services = contest->hosting->services;
    for (struct contest_game *s = contest->games, *next; s; s = next) {
        next = s->next;
        if (s->shown.result && s->shown.topic.watcher_count == 0 &&
            now_us - s->shown.since_us > LINGER_US)
            contest_game_remove(&contest->games, s, services->live);
    }
    if (contest->teams)
        contest_teams_tick(contest->teams);
    put_away(contest);
    if (!contest->stale)
        return;
    contest->stale = false;
    topic_publish(&contest->topic, services->live, NULL);
    services->changed(services->owner);
}
