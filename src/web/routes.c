// SPDX-License-Identifier: MIT
// The routes (docs/api.md). A star stands for one word of the path.
#include "base/whole.h"
#include "folder/folder.h"
#include "folder/proxy.h"
#include "submit/kit.h"
#include "web/contest_command.h"
#include "web/contest_desk.h"
#include "web/exchange.h"
#include "web/game_logs.h"
#include "web/levels.h"
#include "web/outside.h"
#include "web/team_routes.h"
#include "web/visitors.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static void get_page(struct web *web, struct exchange *x) {
    (void)web;
    answer_file(x, "index.html");
}

static void get_static(struct web *web, struct exchange *x) {
    (void)web;
    if (!answer_file(x, x->path + strlen("/static/")))
        answer_error(x, 404, "there is no such file");
}

static void get_key(struct web *web, struct exchange *x) {
    if (!guard_knows_key(&web->guard, x->word[0])) {
        answer_wrong_link(web, x, "this is not the organiser's key");
        return;
    }
    answer_cookie(x, web, "/", &(struct cookie){web->guard.key_cookie, x->word[0], "/"});
    journal_write(web->platform->services.journal, "the organiser came from %s", x->peer);
}

// Which kits there are of a game, by language.
static json_t *kits_of(const struct embed *kits, const struct game *game) {
    json_t *languages = json_array();
    char kit[KIT_NAME_MAX];
    for (const struct embed *f = NULL; kits && (f = kit_next(kits, f, kit));)
        if (kit_is_for(kit, game))
            json_array_append_new(languages, json_string(strchr(kit, '/') + 1));
    return languages;
}

// What the game's contest says of its games.
static json_t *contest_of(const struct web *web, const struct game *game) {
    struct conditions conditions;
    struct player_limits limits;
    conditions_init(&conditions, game);
    player_limits_init(&limits, game);
    return json_pack("{s:[f, f], s:b, s:o, s:o, s:o}", "time", (double)conditions.time_low_us / 1e6,
                     (double)conditions.time_high_us / 1e6, "blocks", conditions.random_blocks,
                     "memory", limits.memory ? json_integer(limits.memory) : json_null(), "kits",
                     kits_of(web->platform->services.kits, game), "rungs", levels_of(game));
}

static void get_about(struct web *web, struct exchange *x) {
    const struct lobby *lobby = web->platform->services.lobby;
    json_t *names = json_array(), *contests = json_object();
    for (int i = 0; i < game_count(); i++) {
        json_array_append_new(names, json_string(game_nth(i)->name));
        json_object_set_new(contests, game_nth(i)->name, contest_of(web, game_nth(i)));
    }
    answer_json(
        x, 200,
        json_pack("{s:b, s:b, s:b, s:i, s:o, s:i, s:o, s:o}", "organiser", x->organiser, "personal",
                  web->personal, "live_values", web->platform->switches.live_values, "visitors",
                  web->platform->switches.visitors, "games", names, "judge_port",
                  lobby ? lobby_port(lobby) : 0, "contests", contests, "levels", levels_json()));
}

static void answer_kit(const struct web *web, struct exchange *x, const char *kit,
                       const char *game) {
    char folder[2 * KIT_NAME_MAX];
    snprintf(folder, sizeof folder, "%s%s", strncmp(kit, "any/", 4) == 0 ? game : "",
             strncmp(kit, "any/", 4) == 0 ? kit + 3 : kit);
    for (char *c = folder; *c; c++)
        *c = *c == '/' ? '-' : *c;
    if (kit_pack(web->platform->services.kits, kit, game, folder, &x->answer, &x->err)) {
        x->status = 200;
        x->type = "application/zip";
        snprintf(x->header[0], sizeof x->header[0],
                 "content-disposition: attachment; filename=\"%.60s.zip\"", folder);
    } else if (x->err.set) {
        answer_err(x, 500);
    } else {
        answer_error(x, 404, "there is no such kit");
    }
}

static void get_kit(struct web *web, struct exchange *x) {
    char kit[KIT_NAME_MAX];
    kit_find(web->platform->services.kits, x->word[0], x->word[1], kit);
    answer_kit(web, x, kit, x->word[0]);
}

static void get_relay(struct web *web, struct exchange *x) { answer_kit(web, x, "relay", ""); }

static void get_hall(struct web *web, struct exchange *x) {
    answer_json(x, 200, platform_json(web->platform));
}

static void get_games(struct web *web, struct exchange *x) {
    answer_or(x, game_archive_list(web->platform->services.archive, 200, &x->err), 500);
}

static void get_archive(struct web *web, struct exchange *x) {
    enum { ASKED_MAX = 256 };
    static const char *const names[] = {"game",   "contest", "player", "part",
                                        "result", "after",   "against"};
    char asked[7][ASKED_MAX];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!http_query(x->query, names[i], asked[i], ASKED_MAX))
            asked[i][0] = '\0';
    const struct game_search search = {.game = asked[0],
                                       .contest = asked[1],
                                       .player = asked[2],
                                       .part = asked[3],
                                       .result = asked[4],
                                       .after = asked[5],
                                       .against = asked[6],
                                       .is_annulled = hosted_contests_has_annulled,
                                       .contests = web->platform->contests};
    json_t *found = game_archive_search(web->platform->services.archive, &search, &x->err);
    answer_or(x, found, *search.after ? 400 : 500);
}

static void get_players(struct web *web, struct exchange *x) {
    answer_json(x, 200, seat_list(web->platform->players, web->platform->services.kits));
}

static void answer_practice(struct exchange *x, const struct practice *g, int otherwise) {
    answer_or(x, g ? json_pack("{s:s}", "id", g->shown.id) : NULL, otherwise);
}

static struct practice_asker asker_of(const struct web *web, struct exchange *x) {
    return (struct practice_asker){
        .token = exchange_visitor(web, x), .address = x->peer, .organiser = x->organiser};
}

static void post_games(struct web *web, struct exchange *x) {
    const json_t *plan = exchange_body(x);
    if (!plan)
        return;
    const struct practice_asker asker = asker_of(web, x);
    answer_practice(x, platform_begin(web->platform, plan, &asker, &x->err), 400);
}

static void post_kept(struct web *web, struct exchange *x) {
    char id[GAME_ID_MAX];
    const json_t *played = exchange_body(x);
    if (!played)
        return;
    const bool good = (x->organiser || visitors_may_keep(web->platform, x->peer, &x->err)) &&
                      platform_keep(web->platform, played, id, &x->err);
    answer_or(x, good ? json_pack("{s:s}", "id", id) : NULL, 400);
}

// A game of a contest that ended when the server was down is in the contest's store alone.
static json_t *get_kept(const struct web *web, struct exchange *x) {
    json_t *record = game_archive_get(web->platform->services.archive, x->word[0], &x->err);
    return record || x->err.set
               ? record
               : hosted_contests_record(web->platform->contests, x->word[0], &x->err);
}

// A game of practice, with which of its seats are of whoever asks. Where people play, who has the
// key and no seat watches.
static json_t *shown_to(struct practice *g, const struct exchange *x) {
    const struct practice_asker asker = {.token = x->visitor,
                                         .organiser = x->organiser && !practice_has_person(g)};
    const int seats = practice_seats(g, &asker);
    g->attended |= seats != 0;
    json_t *game = shown_game_json(&g->shown);
    json_object_set_new(game, "yours",
                        json_pack("[b, b]", (seats & 1) && seat_is_person(&g->request.seat[0]),
                                  (seats & 2) && seat_is_person(&g->request.seat[1])));
    json_object_set_new(game, "playing", json_boolean(seats));
    return game;
}

static void get_game(struct web *web, struct exchange *x) {
    struct practice *g = platform_find(web->platform, x->word[0]);
    json_t *game = g ? shown_to(g, x) : hosted_contests_game(web->platform->contests, x->word[0]);
    json_t *record = game ? NULL : get_kept(web, x);
    if (record)
        game = shown_game_of_record(x->word[0], record);
    if (game && hosted_contests_has_annulled(web->platform->contests, x->word[0]))
        json_object_set_new(game, "annulled", json_true());
    answer_found(x, game, "there is no such game");
    json_decref(record);
}

static void get_game_log(struct web *web, struct exchange *x) {
    struct buf text = {.data = NULL};
    const bool there = game_logs_get(web->platform->logs, x->word[0], &text);
    answer_found(x, there ? json_pack("{s:o}", "messages", json_text(text.data)) : NULL,
                 "there is no log of that game");
    buf_done(&text);
}

static void get_record(struct web *web, struct exchange *x) {
    answer_found(x, get_kept(web, x), "there is no such record");
    if (x->status == 200)
        snprintf(x->header[0], sizeof x->header[0],
                 "content-disposition: attachment; filename=\"%.23s.json\"", x->word[0]);
}

// What is done to a game under way.
static const struct action_route {
    const char *name;
    bool (*act)(struct practice *g, int seats, struct err *err);
} actions[] = {{"undo", practice_undo},      {"pause", practice_pause},
               {"continue", practice_go_on}, {"resign", practice_resign},
               {"draw", practice_draw},      {"decline", practice_decline}};

static void do_move(struct practice *g, int seats, struct exchange *x) {
    const json_t *body = exchange_body(x);
    const char *moves = json_string_value(json_object_get(body, "moves"));
    int64_t ply;
    if (!body)
        return;
    if (moves && json_whole(json_object_get(body, "ply"), 0, INT_MAX, &ply))
        answer_done(x, practice_move(g, seats, (int)ply, moves, &x->err));
    else
        answer_error(x, 400, "a move has a ply and moves");
}

static void do_sit(struct practice *g, const struct practice_asker *asker, struct exchange *x) {
    const json_t *body = exchange_body(x);
    const json_t *value = json_object_get(body, "name");
    if (!body)
        return;
    if (value && !json_is_string(value))
        answer_error(x, 400, "a name is a text");
    else
        answer_done(x, practice_sit(g, asker, value ? json_string_value(value) : "", &x->err));
}

static void do_again(struct web *web, struct practice *g, int seats,
                     const struct practice_asker *asker, struct exchange *x) {
    const struct practice *fresh = platform_again(web->platform, g, seats, asker, &x->err);
    if (fresh || x->err.set)
        answer_practice(x, fresh, 409);
    else
        answer_done(x, true); // the other is asked
}

// The organiser may end a game of whomever, and means it.
static void do_end(struct web *web, struct practice *g, struct exchange *x) {
    if (x->organiser)
        answer_done(x, platform_leave(web->platform, g, 3, &x->err));
    else
        answer_error(x, 403, "this needs the organiser's key: use the link that arbiter printed");
}

static void post_action(struct web *web, struct exchange *x) {
    struct practice *g = platform_find(web->platform, x->word[0]);
    const char *name = x->word[1];
    const bool sits = strcmp(name, "sit") == 0;
    if (!g) {
        answer_error(x, 404, "there is no such game");
        return;
    }
    const struct practice_asker asker = {.token = sits ? exchange_visitor(web, x) : x->visitor,
                                         .address = x->peer,
                                         .organiser = x->organiser};
    const int seats = practice_seats(g, &asker);
    g->attended |= seats != 0;
    if (sits) {
        do_sit(g, &asker, x);
    } else if (strcmp(name, "end") == 0) {
        do_end(web, g, x);
    } else if (!seats) {
        answer_error(x, 403, "you do not play in this game");
    } else if (strcmp(name, "move") == 0) {
        do_move(g, seats, x);
    } else if (strcmp(name, "again") == 0) {
        do_again(web, g, seats, &asker, x);
    } else if (strcmp(name, "leave") == 0) {
        answer_done(x, platform_leave(web->platform, g, seats, &x->err));
    } else {
        for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
            if (strcmp(name, actions[i].name) == 0) {
                answer_done(x, actions[i].act(g, seats, &x->err));
                return;
            }
        answer_error(x, 404,
                     "a game knows move, undo, pause, continue, resign, draw, decline, "
                     "leave, sit, again, end, study");
    }
}

static void get_study(struct web *web, struct exchange *x) {
    const struct platform *p = web->platform;
    json_t *study = game_archive_get_study(p->services.archive, x->word[0], &x->err);
    const int task = study ? 0 : tasks_find_study(p->tasks, x->word[0]);
    json_t *state = study  ? json_pack("{s:s, s:o}", "state", "done", "result", study)
                    : task ? tasks_look(p->tasks, task)
                           : NULL;
    answer_or(x, state || x->err.set ? state : json_pack("{s:s}", "state", "none"), 500);
}

static void answer_task(struct exchange *x, int task) {
    answer_or(x, task > 0 ? json_pack("{s:i}", "job", task) : NULL, task < 0 ? 429 : 400);
}

static struct asker task_asker(const struct exchange *x) {
    return (struct asker){.peer = x->peer, .organiser = x->organiser};
}

static void post_study(struct web *web, struct exchange *x) {
    json_t *record = get_kept(web, x);
    const struct asker asker = task_asker(x);
    if (record)
        answer_task(x, tasks_study(web->platform->tasks, x->word[0], record, &asker, &x->err));
    else
        answer_found(x, NULL, "there is no such game");
    json_decref(record);
}

static void post_check(struct web *web, struct exchange *x) {
    const json_t *asked = exchange_body(x);
    if (asked)
        answer_task(x, tasks_check(web->platform->tasks, asked, &x->err));
}

static void post_think(struct web *web, struct exchange *x) {
    const json_t *asked = exchange_body(x);
    if (asked)
        answer_task(x, tasks_think(web->platform->tasks, asked, &x->err));
}

static void post_lines(struct web *web, struct exchange *x) {
    const json_t *asked = exchange_body(x);
    const struct asker asker = task_asker(x);
    if (asked)
        answer_task(x, tasks_lines(web->platform->tasks, asked, &asker, &x->err));
}

static void get_lines(struct web *web, struct exchange *x) {
    int64_t number = 0; // which none has
    text_whole(x->word[0], 1, INT_MAX, &number);
    answer_found(x, tasks_look_lines(web->platform->tasks, (int)number),
                 "there is no such question");
}

static void get_task(struct web *web, struct exchange *x) {
    int64_t number = 0; // which none has
    text_whole(x->word[0], 1, INT_MAX, &number);
    answer_found(x, tasks_look(web->platform->tasks, (int)number), "there is no such question");
}

static void get_contests(struct web *web, struct exchange *x) {
    answer_json(x, 200, hosted_contests_list(web->platform->contests));
}

static void get_contest(struct web *web, struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    if (!c) {
        answer_error(x, 404, "there is no such contest");
        return;
    }
    hosted_contest_put(c, &x->answer);
    answer_text(x, 200);
}

static void get_estimate(struct web *web, struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    if (c)
        answer_or(x, hosted_contest_estimate(c, &x->err), 500);
    else
        answer_error(x, 404, "there is no such contest");
}

// What it was made from: the form, or the text of a file.
static void get_form(struct web *web, struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    json_t *form = c ? hosted_contest_form(c) : NULL;
    answer_found(x, form, "there is no such contest");
}

static void post_contests(struct web *web, struct exchange *x) {
    const json_t *form = exchange_body(x);
    if (!form)
        return;
    const struct hosted_contest *c = hosted_contests_make(web->platform->contests, form, &x->err);
    answer_or(x, c ? json_pack("{s:s, s:b}", "id", c->id, "open", c->teams != NULL) : NULL, 400);
}

static void post_order(struct web *web, struct exchange *x) {
    answer_done(x, hosted_contests_order(web->platform->contests, x->word[0], x->word[1], &x->err));
}

// What another process of this program does with a contest, by the body of the request.
static void run_for_contest(struct web *web, struct exchange *x,
                            bool (*put)(const struct hosted_contest *contest, const json_t *asked,
                                        struct buf *out, struct err *err)) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    struct buf arguments = {.data = NULL};
    const json_t *asked = exchange_body(x);
    struct err *err = &x->err;
    int task = 0;
    if (!asked)
        return;
    if (!c)
        err_set(err, "there is no such contest");
    else if (put(c, asked, &arguments, err))
        task = tasks_run(web->platform->tasks, arguments.data, err);
    answer_task(x, task);
    buf_done(&arguments);
}

static void post_similar(struct web *web, struct exchange *x) {
    run_for_contest(web, x, contest_command_put_similar);
}

static void post_decisions(struct web *web, struct exchange *x) {
    run_for_contest(web, x, contest_command_put_decision);
}

static void post_export(struct web *web, struct exchange *x) {
    run_for_contest(web, x, contest_command_put_export);
}

// What is written at the desk of a contest.
static void write_at_desk(struct web *web, struct exchange *x,
                          bool (*put)(struct contest_desk *desk, const json_t *asked,
                                      struct err *err)) {
    struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    const json_t *asked = exchange_body(x);
    if (!asked)
        return;
    if (!c) {
        answer_error(x, 404, "there is no such contest");
        return;
    }
    answer_or(x, put(c->desk, asked, &x->err) ? json_object() : NULL, 400);
    c->stale = true;
}

static void post_notices(struct web *web, struct exchange *x) {
    write_at_desk(web, x, contest_desk_notice);
}

static void post_answer(struct web *web, struct exchange *x) {
    write_at_desk(web, x, contest_desk_answer);
}

static bool put_away(struct contest_desk *desk, const json_t *asked, struct err *err) {
    const json_t *archived = json_object_get(asked, "archived");
    return json_is_boolean(archived) ? contest_desk_archive(desk, json_is_true(archived), err)
                                     : err_set(err, "it is archived, true or false");
}

static void post_archive(struct web *web, struct exchange *x) { write_at_desk(web, x, put_away); }

static void get_protests(struct web *web, struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    answer_found(x, c ? contest_desk_protests(c->desk, NULL) : NULL, "there is no such contest");
}

static void post_delete(struct web *web, struct exchange *x) {
    const json_t *asked = exchange_body(x);
    const char *name = json_string_value(json_object_get(asked, "name"));
    if (asked)
        answer_done(x, hosted_contests_delete(web->platform->contests, x->word[0], name ? name : "",
                                              &x->err));
}

static void post_switches(struct web *web, struct exchange *x) {
    const json_t *asked = exchange_body(x);
    struct switches *switches = &web->platform->switches;
    if (!asked)
        return;
    const bool good = switches_set(switches, asked, &x->err);
    answer_or(x,
              good ? json_pack("{s:i, s:b}", "visitors", switches->visitors, "live_values",
                               switches->live_values)
                   : NULL,
              400);
}

static void post_exit(struct web *web, struct exchange *x) {
    if (!web->personal) {
        answer_error(x, 409, "this server was not started for one person");
        return;
    }
    answer_json(x, 200, json_object());
    x->leave = true;
}

const struct route web_routes[] = {
    {false, "/", ANYONE, get_page},
    {false, "/practice", ANYONE, get_page},
    {false, "/practice/*", ANYONE, get_page},
    {false, "/game/*", ANYONE, get_page},
    {false, "/replay/*", ANYONE, get_page},
    {false, "/games", ANYONE, get_page},
    {false, "/analysis/*", ANYONE, get_page},
    {false, "/tv", ANYONE, get_page},
    {false, "/tournament", ANYONE, get_page},
    {false, "/tournament/*", ANYONE, get_page},
    {false, "/settings", ANYONE, get_page},
    {false, "/help", ANYONE, get_page},
    {false, "/help/*", ANYONE, get_page},
    {false, "/team/*", ANYONE, get_page},
    {false, "/team/*/*", ANYONE, team_routes_link},
    {false, "/team/*/replay/*", ANYONE, get_page},
    {false, "/team/*/game/*", ANYONE, get_page},
    {false, "/team/*/tryout/*", ANYONE, get_page},
    {false, "/tournament/*/similar", ANYONE, get_page},
    {false, "/tournament/*/similar/*", ANYONE, get_page},
    {false, "/key/*", ANYONE, get_key},
    {false, "/static/*", ANYONE, get_static},
    {false, "/static/*/*", ANYONE, get_static},
    {false, "/api/about", ANYONE, get_about},
    {false, "/api/kits/relay", ANYONE, get_relay},
    {false, "/api/kits/*/*", ANYONE, get_kit},
    {false, "/api/hall", ANYONE, get_hall},
    {false, "/api/games", ANYONE, get_games},
    {false, "/api/archive", ANYONE, get_archive},
    {true, "/api/games", ANYONE, post_games},
    {true, "/api/kept", ANYONE, post_kept},
    {false, "/api/games/*", ANYONE, get_game},
    {false, "/api/games/*/record", ANYONE, get_record},
    {false, "/api/games/*/log", ORGANISER, get_game_log},
    {false, "/api/games/*/study", ANYONE, get_study},
    {true, "/api/games/*/study", ANYONE, post_study},
    {true, "/api/games/*/*", ANYONE, post_action},
    {false, "/api/players", ORGANISER, get_players},
    {true, "/api/check", ORGANISER, post_check},
    {true, "/api/think", ORGANISER, post_think},
    {true, "/api/lines", ANYONE, post_lines},
    {false, "/api/lines/*", ANYONE, get_lines},
    {false, "/api/jobs/*", ORGANISER, get_task},
    {false, "/api/outside", ANYONE, outside_list},
    {false, "/api/outside/*/module", ANYONE, outside_module},
    {false, "/api/outside/*/rules/*", ANYONE, outside_rules},
    {false, "/api/contests", ANYONE, get_contests},
    {true, "/api/contests", ORGANISER, post_contests},
    {false, "/api/contests/*", ANYONE, get_contest},
    {false, "/api/contests/*/estimate", ORGANISER, get_estimate},
    {false, "/api/contests/*/form", ORGANISER, get_form},
    {false, "/api/contests/*/teams", ORGANISER, team_routes_list},
    {false, "/api/contests/*/logs/*", ORGANISER, team_routes_contest_log},
    {true, "/api/contests/*/teams", ORGANISER, team_routes_renew},
    {true, "/api/contests/*/similar", ORGANISER, post_similar},
    {true, "/api/contests/*/export", ORGANISER, post_export},
    {true, "/api/contests/*/notices", ORGANISER, post_notices},
    {false, "/api/contests/*/protests", ORGANISER, get_protests},
    {true, "/api/contests/*/protests", ORGANISER, post_answer},
    {true, "/api/contests/*/archive", ORGANISER, post_archive},
    {true, "/api/contests/*/delete", ORGANISER, post_delete},
    {true, "/api/contests/*/decisions", ORGANISER, post_decisions},
    {true, "/api/contests/*/*", ORGANISER, post_order},
    {false, "/api/team/*", TEAM, team_routes_team},
    {false, "/api/team/*/logs/*", TEAM, team_routes_log},
    {false, "/api/team/*/played/*", TEAM, team_routes_played},
    {false, "/api/team/*/games/*", TEAM, team_routes_game},
    {false, "/api/team/*/protests", TEAM, team_routes_protests},
    {true, "/api/team/*/protests", TEAM, team_routes_protest},
    {true, "/api/team/*/submissions", TEAM, team_routes_submit},
    {false, "/api/team/*/tryouts/*", TEAM, team_routes_tryout},
    {true, "/api/team/*/tryouts", TEAM, team_routes_try},
    {true, "/api/switches", ORGANISER, post_switches},
    {true, "/api/exit", ORGANISER, post_exit},
    {.path = NULL},
};

// Whether a path fits; what stood for the stars goes to the words.
static bool fits(const char *pattern, struct exchange *x) {
    const char *at = x->path;
    int stars = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '*') {
            if (*pattern != *at++)
                return false;
            continue;
        }
        const size_t length = strcspn(at, "/");
        if (length == 0 || length >= sizeof x->word[0] || stars == 2)
            return false;
        memcpy(x->word[stars], at, length);
        x->word[stars++][length] = '\0';
        at += length;
    }
    return *at == '\0';
}

static const struct route *find_route(struct exchange *x, bool *other_method) {
    for (const struct route *r = web_routes; r->path; r++)
        if (fits(r->path, x)) {
            if (r->post == x->post)
                return r;
            *other_method = true;
        }
    return NULL;
}

// What a person has typed wrong gets the page, which says so; a program is told in its own way.
static void answer_unknown(struct exchange *x) {
    static const char *const not_pages[] = {"/api/", "/static/", "/key/"};
    for (size_t i = 0; i < sizeof not_pages / sizeof *not_pages; i++)
        if (strncmp(x->path, not_pages[i], strlen(not_pages[i])) == 0) {
            answer_error(x, 404, "there is no such page");
            return;
        }
    answer_file(x, "index.html");
    x->status = 404;
}

// The route of an exchange, if whoever asks may use it; otherwise answers.
static const struct route *admit(struct web *web, struct exchange *x) {
    bool other_method = false;
    const struct route *route = find_route(x, &other_method);
    if (!route && other_method)
        answer_error(x, 405, "this is not asked for that way");
    else if (!route && !x->post)
        answer_unknown(x);
    else if (!route)
        answer_error(x, 404, "there is no such page");
    else if (route->who == ORGANISER && !x->organiser)
        answer_error(x, 403, "this needs the organiser's key: use the link that arbiter printed");
    else if (route->who != TEAM || team_routes_admit(web, x))
        return route;
    return NULL;
}

bool exchange_may_post(struct web *web, struct exchange *x) {
    const struct route *route = admit(web, x);
    x->most = BODY_MAX;
    return route && (route->answer != team_routes_submit || team_routes_begin(web, x));
}

// Orders are logged, but for single moves and questions, which are many.
static void log_order(const struct web *web, const struct exchange *x, const struct route *route) {
    static const char *const many[] = {"/move", "/lines", "/think", "/check"};
    const char *end = strrchr(x->path, '/');
    for (size_t i = 0; i < sizeof many / sizeof *many; i++)
        if (end && strcmp(end, many[i]) == 0)
            return;
    const char *team = route->who == TEAM ? team_routes_name(web, x) : "";
    journal_write(web->platform->services.journal, "%s%s at %s: %s, %s%s",
                  *team          ? "the team "
                  : x->organiser ? "the organiser"
                                 : "a visitor",
                  team, x->peer, x->path,
                  x->status == 200 ? "done" : "refused: ", x->err.set ? x->err.text : "");
}

void exchange_answer(struct web *web, struct exchange *x) {
    const struct route *route = admit(web, x);
    proxy_forget();
    if (route)
        route->answer(web, x);
    if (route && x->post)
        log_order(web, x, route);
}
