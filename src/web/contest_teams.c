// SPDX-License-Identifier: MIT
// Three things meet here. The plan says who hands in; contest/submissions takes an archive, builds
// it and plays its test game in processes of its own, which tell how far they are by a descriptor
// on the loop; and a team's page shows it. Every team of the plan has a place in `teams`, also
// those that do not hand in, so that its number is that of the plan, of the tokens and of its
// folder. What is told marks the team as stale, and the next tick publishes it: a build can print
// thousands of lines in between. A team is told the names of its topic and of its test game, and
// nobody can guess them: who has the link watches, and who gets a new one leaves the old behind.
// Once the contest has begun nothing changes any more: `open` is false, the contest's file names
// what counts, and the plan here is the one before that (ID.draft).
#include "web/contest_teams.h"

#include "base/mem.h"
#include "base/whole.h"
#include "contest/estimate.h"
#include "contest/plan/settle.h"
#include "contest/submissions.h"
#include "contest/tryout.h"
#include "link/watch.h"
#include "referee/log.h"
#include "referee/record.h"
#include "web/contest_game.h"
#include "web/team_tokens.h"
#include "web/team_tryouts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    KEEP = 5,          // of every team
    LOG_SHOWN = 12000, // bytes of the log that are told while it is built
};

struct team {
    struct contest_teams *teams;
    const char *name;
    char number[16]; // its place, from 1, by which its folder is named: a name may be anything
    bool hands_in;
    bool uploading;
    struct topic topic; // what its page shows
    bool stale;
    struct buf log;            // of the submission under way
    struct contest_game *test; // its test game, or that of the last
    int shown;                 // the number of that submission
    struct team_tryouts tries;
};

struct contest_teams {
    const struct hosting *hosting;
    char id[GAME_ID_MAX];
    struct contest_path folder;
    struct plan *plan;
    bool open, held;
    struct submissions_options options;
    struct submissions *submissions;
    struct watch *watch;
    struct team *teams;        // by place in the plan
    struct team_tokens tokens; // so, too
};

static struct team *team_of(const struct contest_teams *t, const char *number) {
    int64_t place;
    return text_whole(number, 1, t->plan->player_count, &place) ? &t->teams[place - 1] : NULL;
}

// What is told of submissions.

static void told_log(void *owner, const char *number, int submission, const char *words,
                     size_t length) {
    struct team *team = team_of(owner, number);
    (void)submission;
    if (!team)
        return;
    if (team->log.length < LOG_SHOWN)
        buf_put(&team->log, words, length);
    team->stale = true;
}

static json_t *began_json(const struct team *team) {
    struct deal deal;
    struct err err = {.set = false};
    tryout_deal(&team->teams->options, TRYOUT_TEST_SEED, &deal, &err);
    json_t *began =
        json_pack("{s:i, s:[o, s], s:[s, s], s:o, s:I, s:s}", "number", team->shown, "players",
                  json_text(team->name), "", "kinds", "entrant", "builtin:easy", "settings",
                  record_rules(&deal.rules), "time_ms", (json_int_t)(deal.time_us / 1000),
                  "opening", deal.opening ? deal.opening : "");
    free(deal.opening);
    return began;
}

// Shows a game in the place of the last one there, by an id that nobody can guess.
static void show_game(struct contest_teams *t, struct contest_game **game, json_t *take_began) {
    struct err err = {.set = false};
    char secret[SECRET_TEXT_MAX];
    if (*game)
        contest_game_remove(game, *game);
    if (secret_draw(secret, &err)) {
        *game = contest_game_new(t->hosting->services->live, t->id, t->plan->name,
                                 t->plan->rules.game, take_began);
        shown_game_set_id(&(*game)->shown, secret);
    }
    json_decref(take_began);
}

static void told_made(void *owner, const char *number, int submission) {
    struct team *team = team_of(owner, number);
    if (!team)
        return;
    team->shown = submission;
    show_game(owner, &team->test, began_json(team));
    team->stale = true;
}

static void show_move(struct contest_game *game, int ply, const char *text) {
    json_t *moved = json_pack("{s:i, s:s}", "ply", ply, "move", text);
    if (game)
        contest_game_move(game, moved);
    json_decref(moved);
}

static void told_move(void *owner, const char *number, int submission, int ply, const char *text) {
    struct team *team = team_of(owner, number);
    (void)submission;
    if (team)
        show_move(team->test, ply, text);
}

static void log_submission(const struct team *team, const json_t *report) {
    const char *finding = json_string_value(json_object_get(report, "finding")),
               *error = json_string_value(json_object_get(report, "error"));
    journal_write(team->teams->hosting->services->journal,
                  "submission %d of the team %s in the contest %s: %s%s",
                  json_int(json_object_get(report, "number"), 0), team->name,
                  team->teams->plan->name,
                  error     ? error
                  : finding ? finding
                            : "",
                  json_is_true(json_object_get(report, "late")) ? ", too late" : "");
}

static void told_end(void *owner, const char *number, int submission, const json_t *report) {
    struct team *team = team_of(owner, number);
    const json_t *record = json_object_get(report, "game");
    if (!team)
        return;
    if (team->test && team->shown == submission && json_is_object(record))
        contest_game_end(team->test, record);
    log_submission(team, report);
    buf_clear(&team->log);
    team->stale = true;
}

static void told_try(void *owner, const char *number, int tryout, const struct tryout_wish *wish) {
    struct contest_teams *t = owner;
    struct team *team = team_of(owner, number);
    struct deal deal;
    struct err err = {.set = false};
    if (!team || !tryout_deal(&t->options, tryout, &deal, &err))
        return;
    team->tries.shown = tryout;
    show_game(t, &team->tries.live, team_tryouts_began(team->name, wish, &deal));
    free(deal.opening);
    team->stale = true;
}

static void told_try_move(void *owner, const char *number, int tryout, int ply, const char *text) {
    struct team *team = team_of(owner, number);
    if (team && team->tries.shown == tryout)
        show_move(team->tries.live, ply, text);
}

static void told_try_end(void *owner, const char *number, int tryout, const json_t *report) {
    struct team *team = team_of(owner, number);
    const json_t *record = json_object_get(report, "game");
    if (!team)
        return;
    struct contest_game **live = &team->tries.live;
    if (*live && team->tries.shown == tryout && json_is_object(record))
        contest_game_end(*live, record);
    else if (*live)
        contest_game_remove(live, *live);
    team->stale = true;
}

static void work(void *owner) { submissions_work(((struct contest_teams *)owner)->submissions); }

int contest_teams_find(const struct contest_teams *t, const char *token) {
    return team_tokens_find(&t->tokens, token);
}

// What is told.

static json_t *now_json(const struct team *team) {
    const struct submissions *all = team->teams->submissions;
    const int busy = submissions_busy(all, team->number);
    if (!busy)
        return json_null();
    return json_pack("{s:i, s:s, s:o}", "number", busy, "state",
                     submissions_waits(all, team->number) ? "waiting"
                     : team->test && team->shown == busy  ? "game"
                                                          : "building",
                     "log", json_text(team->log.data ? team->log.data : ""));
}

static json_t *trying_json(const struct team *team) {
    const struct team_tryouts *tries = &team->tries;
    const int number = submissions_trying(team->teams->submissions, team->number);
    return json_pack("{s:i, s:s, s:i}", "number", number, "live",
                     tries->live ? tries->live->shown.id : "", "shown",
                     tries->live ? tries->shown : 0);
}

// The submission that counts; 0: none does.
static int good_of(const struct team *team) {
    return submissions_good(team->teams->submissions, team->number, NULL, NULL);
}

static json_t *submission_json(json_t *take_report) {
    static const char *const kept[] = {"number",  "finding", "text",  "kind", "start",
                                       "seconds", "counts",  "error", "late"};
    const json_t *game = json_object_get(take_report, "game");
    json_t *one = json_object();
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (json_object_get(take_report, kept[i]))
            json_object_set(one, kept[i], json_object_get(take_report, kept[i]));
    json_object_set_new(one, "result",
                        json_is_object(game) ? shown_game_result(game) : json_null());
    json_object_set_new(one, "time_ms",
                        json_real(1000 * json_number_value(json_object_get(
                                             json_object_get(game, "settings"), "time"))));
    json_decref(take_report);
    return one;
}

// The newest first.
static json_t *submissions_json(const struct team *team) {
    const struct submissions *all = team->teams->submissions;
    json_t *list = json_array();
    const int last = submissions_last(all, team->number), good = good_of(team);
    for (int i = last; i > 0 && (i > last - 2 * KEEP || i >= good); i--) {
        json_t *report = submissions_report(all, team->number, i);
        if (!report)
            continue;
        json_t *one = submission_json(report);
        json_object_set_new(one, "plays", json_boolean(submissions_can_play(all, team->number, i)));
        json_array_append_new(list, one);
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

static json_t *deadline_json(const struct contest_teams *t) {
    const int64_t at = t->plan->deadline_us;
    return at ? json_integer((json_int_t)(at / 1000)) : json_null();
}

json_t *contest_teams_estimate(const struct contest_teams *t) {
    struct contest_estimate e;
    estimate_init(&e, t->plan);
    for (int i = 0; i < t->plan->player_count; i++) {
        const int good = t->teams[i].hands_in ? good_of(&t->teams[i]) : 0;
        json_t *report = good ? submissions_report(t->submissions, t->teams[i].number, good) : NULL;
        estimate_take(&e, json_object_get(report, "game"));
        json_decref(report);
    }
    return estimate_json(&e);
}

const char *contest_teams_name(const struct contest_teams *t, int team) {
    return t->teams[team].name;
}

json_t *contest_teams_team(const struct contest_teams *t, int place) {
    const struct team *team = &t->teams[place];
    const struct submit_limits *limits = &t->options.limits;
    return json_pack(
        "{s:s, s:o, s:s, s:o, s:b, s:{s:I, s:I, s:i, s:I}, s:s, s:o, s:s, s:i, s:o, s:i, s:o, "
        "s:o, s:o, s:o}",
        "id", t->id, "name", json_text(t->plan->name), "game", t->plan->rules.game->name, "team",
        json_text(team->name), "open", t->open && !t->held, "limits", "archive",
        (json_int_t)limits->archive, "bytes", (json_int_t)limits->bytes, "files", limits->files,
        "build_s", (json_int_t)(limits->build_us / 1000000), "topic", team->topic.name, "now",
        now_json(team), "live", team->test ? team->test->shown.id : "", "tried", team->shown,
        "submissions", submissions_json(team), "good", good_of(team), "takes",
        takes_json(&t->plan->takes), "deadline_ms", deadline_json(t), "tryouts",
        team_tryouts_list(t->submissions, team->number), "trying", trying_json(team));
}

static json_t *standing_json(const struct contest_teams *t, int place) {
    const struct team *team = &t->teams[place];
    const int last = submissions_last(t->submissions, team->number);
    json_t *report = last ? submissions_report(t->submissions, team->number, last) : NULL;
    json_t *one = json_pack("{s:i, s:o, s:s, s:i, s:i, s:i, s:O?}", "team", place, "name",
                            json_text(team->name), "token", t->tokens.at[place], "busy",
                            submissions_busy(t->submissions, team->number), "last", last, "good",
                            good_of(team), "finding", json_object_get(report, "finding"));
    json_decref(report);
    return one;
}

json_t *contest_teams_teams(const struct contest_teams *t) {
    json_t *list = json_array();
    for (int i = 0; i < t->plan->player_count; i++)
        if (t->teams[i].hands_in)
            json_array_append_new(list, standing_json(t, i));
    return list;
}

json_t *contest_teams_log(const struct contest_teams *t, int team, int submission) {
    struct buf text = {.data = NULL}, said = {.data = NULL}, own = {.data = NULL};
    const char *number = t->teams[team].number;
    const bool there = submission > 0 && submissions_log(t->submissions, number, submission, &text);
    if (there && submissions_messages(t->submissions, number, submission, &said) && said.data)
        log_put_own(said.data, 1, &own);
    json_t *log = there ? json_pack("{s:o, s:o}", "log", json_text(text.data ? text.data : ""),
                                    "messages", json_text(own.data ? own.data : ""))
                        : NULL;
    buf_done(&text);
    buf_done(&said);
    buf_done(&own);
    return log;
}

json_t *contest_teams_game(const struct contest_teams *t, int place, int submission) {
    const struct team *team = &t->teams[place];
    json_t *report =
        submission > 0 ? submissions_report(t->submissions, team->number, submission) : NULL;
    json_t *game = json_object_get(report, "game"), *shown = NULL;
    if (json_is_object(game)) {
        json_object_set(game, "called", json_object_get(game, "names"));
        json_object_set_new(game, "players", json_pack("[s, s]", "entrant", "builtin:easy"));
        json_object_set_new(game, "names", json_pack("[o, s]", json_text(team->name), ""));
        shown = shown_game_of_record("", game);
    }
    json_decref(report);
    return shown;
}

json_t *contest_teams_tryout(const struct contest_teams *t, int place, int tryout) {
    const struct team *team = &t->teams[place];
    return team_tryouts_game(t->submissions, team->number, team->name, tryout);
}

static void write_team(void *owner, struct buf *out) {
    const struct team *team = owner;
    json_put(out, contest_teams_team(team->teams, (int)(team - team->teams->teams)));
}

const struct contest_game *contest_teams_test(const struct contest_teams *t, const char *id) {
    for (int i = 0; i < t->plan->player_count; i++) {
        const struct contest_game *of[] = {t->teams[i].test, t->teams[i].tries.live};
        for (int k = 0; k < 2; k++)
            if (of[k] && strcmp(of[k]->shown.id, id) == 0)
                return of[k];
    }
    return NULL;
}

void contest_teams_tick(struct contest_teams *t) {
    submissions_begin(t->submissions);
    for (int i = 0; i < t->plan->player_count; i++) {
        struct team *team = &t->teams[i];
        if (team->stale)
            topic_publish(&team->topic, NULL);
        team->stale = false;
    }
}

// Handing in.

bool contest_teams_is_open(const struct contest_teams *t) { return t->open; }

int64_t contest_teams_most(const struct contest_teams *t) { return t->options.limits.archive; }

const char *contest_teams_folder(const struct contest_teams *t) { return t->folder.text; }

void contest_teams_hold(struct contest_teams *t, bool hold) {
    t->held = hold;
    if (hold)
        submissions_break_off_tries(t->submissions);
    for (int i = 0; i < t->plan->player_count; i++)
        t->teams[i].stale = t->teams[i].hands_in;
}

bool contest_teams_has_work(const struct contest_teams *t) {
    return !submissions_rest(t->submissions);
}

int64_t contest_teams_deadline_us(const struct contest_teams *t) { return t->plan->deadline_us; }

static bool is_late(const struct contest_teams *t) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return t->plan->deadline_us > 0 &&
           now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000 > t->plan->deadline_us;
}

static bool may_take(const struct contest_teams *t, struct err *err) {
    return t->open && !t->held ? true
                               : err_set(err, "the contest has begun: nothing more is taken");
}

bool contest_teams_begin_upload(struct contest_teams *t, int team, struct err *err) {
    assert(team >= 0 && team < t->plan->player_count);
    struct team *one = &t->teams[team];
    if (!may_take(t, err))
        return false;
    if (one->uploading || submissions_busy(t->submissions, one->number))
        return err_set(err, "your last submission is still being worked on");
    return one->uploading = true;
}

void contest_teams_end_upload(struct contest_teams *t, int team) {
    assert(t->teams[team].uploading);
    t->teams[team].uploading = false;
}

bool contest_teams_work(const struct contest_teams *t) {
    for (int i = 0; i < t->plan->player_count; i++)
        if (submissions_busy(t->submissions, t->teams[i].number) ||
            submissions_trying(t->submissions, t->teams[i].number))
            return true;
    return false;
}

bool contest_teams_rests(const struct contest_teams *t) {
    for (int i = 0; i < t->plan->player_count; i++)
        if (t->teams[i].uploading)
            return false;
    return true;
}

int contest_teams_take(struct contest_teams *t, int team, const void *bytes, size_t size,
                       struct err *err) {
    struct team *one = &t->teams[team];
    assert(one->uploading);
    if (!may_take(t, err))
        return 0;
    buf_clear(&one->log);
    one->stale = true;
    const bool late = is_late(t); // it is whole now, whenever it will be built
    return submissions_take(t->submissions, one->number, bytes, size, late, err);
}

static struct contest_path tries_path(const struct team *team) {
    struct contest_path path;
    snprintf(path.text, sizeof path.text, "%.4000s/%s/tries/begun", team->teams->folder.text,
             team->number);
    return path;
}

int contest_teams_try(struct contest_teams *t, int team, const json_t *asked, struct err *err) {
    struct team *one = &t->teams[team];
    struct tryout_wish wish;
    if (!t->open || t->held) {
        err_set(err, "the contest has begun: nothing more is tried out");
        return 0;
    }
    if (!team_tryouts_read(asked, &wish, err) || !team_tryouts_may(&one->tries, err))
        return 0;
    const int number = submissions_try(t->submissions, one->number, &wish, err);
    if (number > 0)
        team_tryouts_count(&one->tries, tries_path(one).text);
    one->stale = true;
    return number;
}

// The end of it.

static bool find_player(void *owner, int player, struct settle_entry *entry) {
    const struct contest_teams *t = owner;
    const char *number = t->teams[player].number;
    const int good = submissions_good(t->submissions, number, NULL, &entry->start);
    buf_format(&entry->folder, "%s.teams/%s/%d", t->id, number, good);
    if (good > 0 && entry->start.length > 0)
        return true;
    return submissions_put_trouble(t->submissions, number, &entry->absent);
}

bool contest_teams_write(const struct contest_teams *t, const char *tail, struct err *err) {
    struct buf text = {.data = NULL};
    const bool good = settle_write(t->plan, find_player, (void *)t, &text, err) &&
                      hosted_contest_write(t->hosting, t->id, tail, text.data, err);
    buf_done(&text);
    return good;
}

bool contest_teams_close(struct contest_teams *t, struct err *err) {
    if (!t->open)
        return true;
    if (!hosted_contest_write(t->hosting, t->id, ".draft", t->plan->text, err) ||
        !contest_teams_write(t, ".conf", err))
        return false;
    t->open = false;
    submissions_break_off_tries(t->submissions);
    for (int i = 0; i < t->plan->player_count; i++)
        t->teams[i].stale = t->teams[i].hands_in;
    return true;
}

// The beginning.

static bool name_topic(struct team *team, struct err *err) {
    char secret[SECRET_TEXT_MAX], name[TOPIC_NAME_MAX];
    if (!secret_draw(secret, err))
        return false;
    snprintf(name, sizeof name, "team/%.32s", secret);
    topic_init(&team->topic, team->teams->hosting->services->live, name, write_team, team);
    return true;
}

// Whoever has the old link must not hear any more, either.
bool contest_teams_renew(struct contest_teams *t, int team, struct err *err) {
    if (team < 0 || team >= t->plan->player_count || !t->teams[team].hands_in)
        return err_set(err, "there is no such team");
    topic_done(&t->teams[team].topic);
    return name_topic(&t->teams[team], err) && team_tokens_renew(&t->tokens, team, err);
}

static bool open_submissions(struct contest_teams *t, struct err *err) {
    static const struct submissions_events events = {
        .log = told_log,
        .made = told_made,
        .moved = told_move,
        .ended = told_end,
        .try_began = told_try,
        .try_moved = told_try_move,
        .try_ended = told_try_end,
    };
    t->options = (struct submissions_options){.home = t->folder.text,
                                              .program = t->hosting->services->program,
                                              .box = services_box(t->hosting->services),
                                              .kits = t->hosting->services->kits,
                                              .rules = &t->plan->rules,
                                              .player_limits = &t->plan->limits,
                                              .conditions = &t->plan->conditions,
                                              .limits = submit_standard,
                                              .takes = &t->plan->takes,
                                              .at_once = t->hosting->room->most,
                                              .keep = KEEP,
                                              .room = t->hosting->room};
    t->submissions = submissions_new(&t->options, &events, t, err);
    if (!t->submissions)
        return false;
    t->watch = watch_new(t->hosting->services->loop, submissions_fd(t->submissions), work, t);
    watch_set(t->watch, true);
    return true;
}

static bool load_tokens(struct contest_teams *t, struct err *err) {
    struct buf path = {.data = NULL};
    bool replaced = false;
    buf_format(&path, "%s/tokens.json", t->folder.text);
    const bool good =
        team_tokens_load(&t->tokens, path.data, t->plan->player_count, &replaced, err);
    if (replaced)
        t->hosting->services->note(t->hosting->services->owner,
                                   "the file of teams' tokens could be read by other "
                                   "users: all teams have new links");
    buf_done(&path);
    return good;
}

static bool open_teams(struct contest_teams *t, struct err *err) {
    bool good = true;
    t->teams = mem_new((size_t)t->plan->player_count, sizeof *t->teams);
    for (int i = 0; good && i < t->plan->player_count; i++) {
        struct team *team = &t->teams[i];
        team->teams = t;
        team->name = t->plan->players[i].name;
        team->hands_in = t->plan->players[i].handed_in;
        snprintf(team->number, sizeof team->number, "%d", i + 1);
        team_tryouts_load(&team->tries, tries_path(team).text);
        good = name_topic(team, err);
    }
    return good && load_tokens(t, err);
}

struct contest_teams *contest_teams_new(const struct hosting *hosting, const char *id,
                                        struct plan *take_draft, bool open, struct err *err) {
    struct contest_teams *t = mem_new(1, sizeof *t);
    *t = (struct contest_teams){.hosting = hosting, .plan = take_draft, .open = open};
    snprintf(t->id, GAME_ID_MAX, "%s", id);
    t->folder = hosted_contest_path(hosting, id, ".teams");
    if (open_submissions(t, err) && open_teams(t, err)) {
        submissions_recover(t->submissions);
        return t;
    }
    contest_teams_free(t);
    return NULL;
}

void contest_teams_free(struct contest_teams *t) {
    if (!t)
        return;
    watch_free(t->watch);
    submissions_free(t->submissions);
    for (int i = 0; t->teams && i < t->plan->player_count; i++) {
        struct team *team = &t->teams[i];
        if (team->test)
            contest_game_remove(&team->test, team->test);
        if (team->tries.live)
            contest_game_remove(&team->tries.live, team->tries.live);
        topic_done(&team->topic);
        buf_done(&team->log);
    }
    free(t->teams);
    team_tokens_done(&t->tokens);
    plan_free(t->plan);
    free(t);
}
