// SPDX-License-Identifier: MIT
#include "web/intake.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/whole.h"
#include "contest/desk.h"
#include "contest/leftover.h"
#include "contest/settle.h"
#include "contest/tryout.h"
#include "link/watch.h"
#include "web/passes.h"
#include "web/result.h"
#include "web/show.h"
#include "web/wish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    AT_ONCE = 2,       // submissions worked on
    KEEP = 5,          // of every team
    LOG_SHOWN = 12000, // bytes of the log that are told while it is built
};

struct intake_team {
    struct intake *intake;
    bool hands_in;
    bool uploading;
    struct topic topic; // what its page shows
    bool stale;
    struct buf log;    // of the submission under way
    struct show *show; // its test game, or that of the last
    int shown;         // the number of that submission
};

struct intake {
    const struct arena_hall *hall;
    char id[ROOM_ID_MAX];
    char folder[ARENA_PATH_MAX];
    struct plan *plan;
    bool open;
    struct desk_options options;
    struct desk *desk;
    struct watch *watch;
    struct intake_team *teams; // by place in the plan
    struct passes passes;      // so, too
};

// A team's folder is named by its place: a name may be anything.
static void put_number(int team, char text[static 16]) { snprintf(text, 16, "%d", team + 1); }

static struct intake_team *team_of(const struct intake *intake, const char *number) {
    int64_t place;
    return text_whole(number, 1, intake->plan->player_count, &place) ? &intake->teams[place - 1]
                                                                     : NULL;
}

static int place_of(const struct intake *intake, const struct intake_team *team) {
    return (int)(team - intake->teams);
}

static const char *name_of(const struct intake *intake, int team) {
    return intake->plan->players[team].name;
}

// What the desk tells.

static void told_log(void *owner, const char *number, int submission, const char *words,
                     size_t length) {
    struct intake_team *team = team_of(owner, number);
    (void)submission;
    if (!team)
        return;
    if (team->log.length < LOG_SHOWN)
        buf_put(&team->log, words, length);
    team->stale = true;
}

static json_t *began_json(const struct intake *intake, const struct intake_team *team) {
    struct ruleset rules;
    struct err err = {.set = false};
    int64_t time_us = 0;
    char *opening = NULL;
    tryout_deal(&intake->options, &rules, &time_us, &opening, &err);
    json_t *began =
        json_pack("{s:i, s:[o, s], s:[s, s], s:o, s:I, s:s}", "number", team->shown, "players",
                  json_text(name_of(intake, place_of(intake, team))), "", "kinds", "entrant",
                  "builtin:easy", "settings", wish_settings(&rules), "time_ms",
                  (json_int_t)(time_us / 1000), "opening", opening ? opening : "");
    free(opening);
    return began;
}

static void told_made(void *owner, const char *number, int submission) {
    struct intake *intake = owner;
    struct intake_team *team = team_of(owner, number);
    struct err err = {.set = false};
    char secret[SECRET_TEXT_MAX];
    if (!team || !secret_draw(secret, &err))
        return;
    if (team->show)
        show_remove(&team->show, team->show, intake->hall->house->live);
    team->shown = submission;
    json_t *began = began_json(intake, team);
    team->show = show_new(intake->id, intake->plan->name, intake->plan->rules.game, began);
    show_rename(team->show, secret);
    json_decref(began);
    team->stale = true;
}

static void told_move(void *owner, const char *number, int submission, int ply, const char *text) {
    struct intake *intake = owner;
    struct intake_team *team = team_of(owner, number);
    (void)submission;
    if (!team || !team->show)
        return;
    json_t *moved = json_pack("{s:i, s:s}", "ply", ply, "move", text);
    show_move(team->show, moved, intake->hall->house->live);
    json_decref(moved);
}

static void told_end(void *owner, const char *number, int submission, const json_t *report) {
    struct intake *intake = owner;
    struct intake_team *team = team_of(owner, number);
    const json_t *record = json_object_get(report, "game");
    if (!team)
        return;
    if (team->show && team->shown == submission && json_is_object(record))
        show_end(team->show, record, intake->hall->house->live);
    buf_clear(&team->log);
    team->stale = true;
}

static void work(void *owner) { desk_work(((struct intake *)owner)->desk); }

int intake_find(const struct intake *intake, const char *token) {
    return passes_find(&intake->passes, token);
}

// What is told.

static json_t *now_json(const struct intake *intake, const struct intake_team *team) {
    char number[16];
    put_number(place_of(intake, team), number);
    const int busy = desk_busy(intake->desk, number);
    const bool plays = busy && team->show && team->shown == busy;
    if (!busy)
        return json_null();
    return json_pack("{s:i, s:s, s:o}", "number", busy, "state",
                     desk_waits(intake->desk, number) ? "waiting"
                     : plays                          ? "game"
                                                      : "building",
                     "log", json_text(team->log.data ? team->log.data : ""));
}

static json_t *submission_json(json_t *take_report) {
    static const char *const kept[] = {"number", "finding", "text",   "kind",
                                       "start",  "seconds", "counts", "error"};
    const json_t *game = json_object_get(take_report, "game");
    json_t *one = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (json_object_get(take_report, kept[i]))
            json_object_set(one, kept[i], json_object_get(take_report, kept[i]));
    json_object_set_new(one, "result", json_is_object(game) ? result_json(game) : json_null());
    json_object_set_new(one, "time_ms",
                        json_real(1000 * json_number_value(json_object_get(
                                             json_object_get(game, "settings"), "time"))));
    json_decref(take_report);
    return one;
}

// The newest first.
static json_t *submissions_json(const struct intake *intake, const char *number) {
    json_t *list = json_array();
    const int last = desk_last(intake->desk, number),
              good = desk_good(intake->desk, number, NULL, NULL);
    for (int i = last; i > 0 && (i > last - 2 * KEEP || i >= good); i--) {
        json_t *report = desk_report(intake->desk, number, i);
        if (report)
            json_array_append_new(list, submission_json(report));
    }
    return list;
}

// What this contest takes; null: anything.
static json_t *takes_json(const struct submit_rules *takes) {
    json_t *languages = takes->languages ? json_array() : json_null(),
           *files = takes->files ? json_array() : json_null();
    for (int i = 0; i < SUBMIT_COUNT; i++)
        if (takes->languages & 1U << i)
            json_array_append_new(languages,
                                  json_string(submit_language_word((enum submit_language)i)));
    for (const char *const *file = takes->files; file && *file; file++)
        json_array_append_new(files, json_text(*file));
    return json_pack("{s:o, s:o, s:s?}", "languages", languages, "files", files, "cpp", takes->cpp);
}

json_t *intake_team(const struct intake *intake, int team) {
    const struct intake_team *t = &intake->teams[team];
    const struct submit_limits *limits = &intake->options.limits;
    char number[16];
    put_number(team, number);
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:b, s:{s:I, s:I, s:i, s:I}, s:s, s:o, s:s, s:i, s:o, s:i, s:o}",
        "id", intake->id, "name", json_text(intake->plan->name), "game",
        intake->plan->rules.game->name, "team", json_text(name_of(intake, team)), "open",
        intake->open, "limits", "archive", (json_int_t)limits->archive, "bytes",
        (json_int_t)limits->bytes, "files", limits->files, "build_s",
        (json_int_t)(limits->build_us / 1000000), "topic", t->topic.name, "now",
        now_json(intake, t), "live", t->show ? t->show->id : "", "tried", t->shown, "submissions",
        submissions_json(intake, number), "good", desk_good(intake->desk, number, NULL, NULL),
        "takes", takes_json(&intake->plan->takes));
}

static json_t *standing_json(const struct intake *intake, int team) {
    char number[16];
    put_number(team, number);
    const int last = desk_last(intake->desk, number);
    json_t *report = last ? desk_report(intake->desk, number, last) : NULL,
           *finding = json_object_get(report, "finding");
    json_t *one = json_pack("{s:i, s:o, s:s, s:i, s:i, s:i, s:O?}", "team", team, "name",
                            json_text(name_of(intake, team)), "token", intake->passes.at[team],
                            "busy", desk_busy(intake->desk, number), "last", last, "good",
                            desk_good(intake->desk, number, NULL, NULL), "finding", finding);
    json_decref(report);
    return one;
}

json_t *intake_teams(const struct intake *intake) {
    json_t *list = json_array();
    for (int i = 0; i < intake->plan->player_count; i++)
        if (intake->teams[i].hands_in)
            json_array_append_new(list, standing_json(intake, i));
    return list;
}

json_t *intake_log(const struct intake *intake, int team, int submission) {
    char number[16];
    struct buf text = {.data = NULL};
    put_number(team, number);
    const bool there = submission > 0 && desk_log(intake->desk, number, submission, &text);
    json_t *log = there ? json_pack("{s:o}", "log", json_text(text.data ? text.data : "")) : NULL;
    buf_done(&text);
    return log;
}

json_t *intake_game(const struct intake *intake, int team, int submission) {
    char number[16];
    put_number(team, number);
    json_t *report = submission > 0 ? desk_report(intake->desk, number, submission) : NULL,
           *game = json_object_get(report, "game"), *shown = NULL;
    if (json_is_object(game)) {
        json_object_set_new(game, "players", json_pack("[s, s]", "entrant", "builtin:easy"));
        json_object_set_new(game, "names",
                            json_pack("[o, s]", json_text(name_of(intake, team)), ""));
        shown = result_game("", game);
    }
    json_decref(report);
    return shown;
}

static void write_team(void *owner, struct buf *out) {
    const struct intake_team *team = owner;
    json_t *object = intake_team(team->intake, place_of(team->intake, team));
    char *line = json_dumps(object, JSON_LINE);
    buf_text(out, line);
    free(line);
    json_decref(object);
}

struct topic *intake_topic(struct intake *intake, const char *name) {
    for (int i = 0; i < intake->plan->player_count; i++) {
        struct intake_team *team = &intake->teams[i];
        if (team->hands_in && strcmp(team->topic.name, name) == 0)
            return &team->topic;
        if (team->show && strcmp(team->show->topic.name, name) == 0)
            return &team->show->topic;
    }
    return NULL;
}

const struct show *intake_show(const struct intake *intake, const char *id) {
    for (int i = 0; i < intake->plan->player_count; i++)
        if (intake->teams[i].show && strcmp(intake->teams[i].show->id, id) == 0)
            return intake->teams[i].show;
    return NULL;
}

void intake_tick(struct intake *intake) {
    for (int i = 0; i < intake->plan->player_count; i++) {
        struct intake_team *team = &intake->teams[i];
        if (team->stale)
            topic_publish(&team->topic, intake->hall->house->live, NULL);
        team->stale = false;
    }
}

// Handing in.

bool intake_is_open(const struct intake *intake) { return intake->open; }

int64_t intake_most(const struct intake *intake) { return intake->options.limits.archive; }

const char *intake_folder(const struct intake *intake) { return intake->folder; }

bool intake_begin_upload(struct intake *intake, int team, struct err *err) {
    char number[16];
    put_number(team, number);
    if (!intake->open)
        return err_set(err, "the contest has begun: nothing more is taken");
    if (intake->teams[team].uploading || desk_busy(intake->desk, number))
        return err_set(err, "your last submission is still being worked on");
    intake->teams[team].uploading = true;
    return true;
}

void intake_end_upload(struct intake *intake, int team) { intake->teams[team].uploading = false; }

bool intake_rests(const struct intake *intake) {
    for (int i = 0; i < intake->plan->player_count; i++)
        if (intake->teams[i].uploading)
            return false;
    return true;
}

int intake_take(struct intake *intake, int team, const void *bytes, size_t size, struct err *err) {
    char number[16];
    put_number(team, number);
    if (!intake->open) {
        err_set(err, "the contest has begun: nothing more is taken");
        return 0;
    }
    buf_clear(&intake->teams[team].log);
    intake->teams[team].stale = true;
    return desk_take(intake->desk, number, bytes, size, err);
}

// The end of it.

static bool find_player(void *owner, int player, struct settle_entry *entry) {
    const struct intake *intake = owner;
    char number[16];
    put_number(player, number);
    const int good = desk_good(intake->desk, number, NULL, &entry->start);
    buf_format(&entry->folder, "%s.teams/%s/%d", intake->id, number, good);
    if (good > 0 && entry->start.length > 0)
        return true;
    return desk_put_trouble(intake->desk, number, &entry->absent);
}

bool intake_write(const struct intake *intake, const char *path, struct err *err) {
    struct buf text = {.data = NULL};
    bool good = settle_write(intake->plan, find_player, (void *)intake, &text, err);
    if (good && !path_write(path, text.data, text.length))
        good = err_set(err, "cannot write %.300s: %s", path, strerror(errno));
    buf_done(&text);
    return good;
}

static bool keep_draft(const struct intake *intake, struct err *err) {
    char path[ARENA_PATH_MAX];
    arena_path(intake->hall, intake->id, ".draft", path);
    return path_write(path, intake->plan->text, strlen(intake->plan->text)) ||
           err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

bool intake_close(struct intake *intake, struct err *err) {
    char path[ARENA_PATH_MAX];
    if (!intake->open)
        return true;
    arena_path(intake->hall, intake->id, ".conf", path);
    if (!keep_draft(intake, err) || !intake_write(intake, path, err))
        return false;
    intake->open = false;
    desk_break_off(intake->desk); // what counts already is what plays
    for (int i = 0; i < intake->plan->player_count; i++)
        intake->teams[i].stale = intake->teams[i].hands_in;
    return true;
}

// The beginning.

// The box is looked for once, when it is needed first.
static const struct box *box_of(const struct arena_hall *hall) {
    struct err err = {.set = false};
    if (!*hall->box->tool)
        box_find(hall->box);
    if (hall->box->has_tool && box_choose(hall->box, BOX_BEST, &err))
        return hall->box;
    hall->note(hall->owner, "players that are handed in are not boxed: arbiter doctor tells why");
    return NULL;
}

static bool name_topic(struct intake_team *team, struct err *err) {
    char secret[SECRET_TEXT_MAX], name[TOPIC_NAME_MAX];
    if (!secret_draw(secret, err))
        return false;
    snprintf(name, sizeof name, "team/%.32s", secret);
    topic_init(&team->topic, name, write_team, team);
    return true;
}

// Whoever has the old link must not hear any more, either.
bool intake_renew(struct intake *intake, int team, struct err *err) {
    if (team < 0 || team >= intake->plan->player_count || !intake->teams[team].hands_in)
        return err_set(err, "there is no such team");
    topic_done(&intake->teams[team].topic, intake->hall->house->live);
    return name_topic(&intake->teams[team], err) && passes_renew(&intake->passes, team, err);
}

static bool open_desk(struct intake *intake, struct err *err) {
    static const struct desk_events events = {
        .log = told_log, .made = told_made, .moved = told_move, .ended = told_end};
    intake->options = (struct desk_options){.home = intake->folder,
                                            .program = intake->hall->house->program,
                                            .box = box_of(intake->hall),
                                            .kits = intake->hall->house->kits,
                                            .rules = &intake->plan->rules,
                                            .terms = &intake->plan->terms,
                                            .conditions = &intake->plan->conditions,
                                            .limits = submit_standard,
                                            .takes = &intake->plan->takes,
                                            .at_once = AT_ONCE,
                                            .keep = KEEP};
    leftovers_settle(intake->folder);
    intake->desk = desk_new(&intake->options, &events, intake, err);
    if (!intake->desk)
        return false;
    intake->watch = watch_new(intake->hall->house->loop, desk_fd(intake->desk), work, intake);
    watch_set(intake->watch, true);
    return true;
}

static bool load_tokens(struct intake *intake, struct err *err) {
    struct buf path = {.data = NULL};
    bool replaced = false;
    buf_format(&path, "%s/tokens.json", intake->folder);
    const bool good =
        passes_load(&intake->passes, path.data, intake->plan->player_count, &replaced, err);
    if (replaced)
        intake->hall->note(intake->hall->owner, "the file of teams' tokens could be read by other "
                                                "users: all teams have new links");
    buf_done(&path);
    return good;
}

static bool open_teams(struct intake *intake, struct err *err) {
    bool good = true;
    intake->teams = mem_new((size_t)intake->plan->player_count, sizeof *intake->teams);
    for (int i = 0; good && i < intake->plan->player_count; i++) {
        intake->teams[i].intake = intake;
        intake->teams[i].hands_in = intake->plan->players[i].handed_in;
        good = name_topic(&intake->teams[i], err);
    }
    return good && load_tokens(intake, err);
}

struct intake *intake_new(const struct arena_hall *hall, const char *id, struct plan *take_draft,
                          bool open, struct err *err) {
    struct intake *intake = mem_new(1, sizeof *intake);
    *intake = (struct intake){.hall = hall, .plan = take_draft, .open = open};
    snprintf(intake->id, ROOM_ID_MAX, "%s", id);
    arena_path(hall, id, ".teams", intake->folder);
    if (open_desk(intake, err) && open_teams(intake, err))
        return intake;
    intake_free(intake);
    return NULL;
}

void intake_free(struct intake *intake) {
    if (!intake)
        return;
    watch_free(intake->watch);
    desk_free(intake->desk);
    for (int i = 0; intake->teams && i < intake->plan->player_count; i++) {
        struct intake_team *team = &intake->teams[i];
        if (team->show)
            show_remove(&team->show, team->show, intake->hall->house->live);
        topic_done(&team->topic, intake->hall->house->live);
        buf_done(&team->log);
    }
    free(intake->teams);
    passes_done(&intake->passes);
    plan_free(intake->plan);
    free(intake);
}
