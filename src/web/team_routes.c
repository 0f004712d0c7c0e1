// SPDX-License-Identifier: MIT
// A team has its token in a cookie that browsers send to the routes of its contest alone: it gives
// no other right.
#include "web/team_routes.h"

#include "base/whole.h"
#include "web/contest_desk.h"
#include "web/contest_teams.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static const char wrong_token[] =
    "this link is not that of a team; ask the organiser for a new one";

// Where the teams of a contest hand in; NULL: they do not, or there is no such contest.
static struct contest_teams *contest_teams_of(const struct web *web, const struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    return c ? c->teams : NULL;
}

bool team_routes_admit(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    x->team = teams ? contest_teams_find(teams, x->team_key) : -1;
    if (x->team >= 0)
        return true;
    if (*x->team_key)
        answer_wrong_key(web, x, wrong_token);
    else
        answer_error(x, 403, "this is for a team: use the link that the organiser gave you");
    return false;
}

const char *team_routes_name(const struct web *web, const struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    return teams ? contest_teams_name(teams, x->team) : "";
}

void team_routes_link(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    const int team = teams ? contest_teams_find(teams, x->word[1]) : -1;
    if (team < 0) {
        answer_wrong_link(web, x, wrong_token);
        return;
    }
    journal_write(web->platform->services.journal, "team %s of contest %s came from %s",
                  contest_teams_name(teams, team), x->word[0], x->peer);
    char page[128], below[128];
    snprintf(page, sizeof page, "/team/%s", x->word[0]);
    snprintf(below, sizeof below, "/api/team/%s", x->word[0]);
    answer_cookie(x, web, page, &(struct cookie){web->guard.team_cookie, x->word[1], below});
}

void team_routes_team(struct web *web, struct exchange *x) {
    answer_json(x, 200, contest_teams_team(contest_teams_of(web, x), x->team));
}

// The number of a submission or a game in the path; 0, which none has, if it is no number.
static int number_of(const struct exchange *x) {
    int64_t number = 0;
    text_whole(x->word[1], 1, INT_MAX, &number);
    return (int)number;
}

void team_routes_log(struct web *web, struct exchange *x) {
    answer_found(x, contest_teams_log(contest_teams_of(web, x), x->team, number_of(x)),
                 "there is no such submission");
}

static void answer_messages(struct web *web, struct exchange *x, const char *team) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    answer_found(x, c ? hosted_contest_messages(c, number_of(x), team, &x->err) : NULL,
                 "there is no log of that game");
}

void team_routes_contest_log(struct web *web, struct exchange *x) { answer_messages(web, x, NULL); }

void team_routes_played(struct web *web, struct exchange *x) {
    answer_messages(web, x, contest_teams_name(contest_teams_of(web, x), x->team));
}

void team_routes_game(struct web *web, struct exchange *x) {
    answer_found(x, contest_teams_game(contest_teams_of(web, x), x->team, number_of(x)),
                 "there is no such game");
}

// An archive is larger than other bodies and goes to a file, so that nobody who is slow keeps
// another from handing in; there is one of a team.
bool team_routes_begin(struct web *web, struct exchange *x) {
    struct contest_teams *teams = contest_teams_of(web, x);
    if (!contest_teams_begin_upload(teams, x->team, &x->err)) {
        answer_err(x, 409);
        return false;
    }
    x->most = (size_t)contest_teams_most(teams);
    x->uploading = teams;
    x->uploading_team = x->team;
    x->upload = upload_file_new(contest_teams_folder(teams), &x->err);
    if (!x->upload)
        answer_err(x, 500);
    return x->upload;
}

void team_routes_submit(struct web *web, struct exchange *x) {
    size_t length;
    int number = 0;
    struct err *err = &x->err;
    const void *bytes = upload_file_bytes(x->upload, &length);
    if (bytes)
        number = contest_teams_take(contest_teams_of(web, x), x->team, bytes, length, err);
    else
        err_set(err, "the archive cannot be read again");
    answer_or(x, number ? json_pack("{s:i}", "number", number) : NULL, 409);
}

void team_routes_tryout(struct web *web, struct exchange *x) {
    answer_found(x, contest_teams_tryout(contest_teams_of(web, x), x->team, number_of(x)),
                 "there is no such try-out");
}

// Games that count have precedence.
void team_routes_try(struct web *web, struct exchange *x) {
    struct contest_teams *teams = contest_teams_of(web, x);
    const json_t *asked = exchange_body(x);
    int number = 0;
    if (!asked)
        return;
    if (contest_teams_is_open(teams) && hosted_contests_play(web->platform->contests))
        err_set(&x->err, "games of a contest are being played on this machine: try-outs wait until "
                         "they are over");
    else
        number = contest_teams_try(teams, x->team, asked, &x->err);
    answer_or(x, number ? json_pack("{s:i}", "number", number) : NULL, 409);
}

void team_routes_protests(struct web *web, struct exchange *x) {
    const struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    answer_json(x, 200, contest_desk_protests(c->desk, contest_teams_name(c->teams, x->team)));
}

void team_routes_protest(struct web *web, struct exchange *x) {
    struct hosted_contest *c = hosted_contests_find(web->platform->contests, x->word[0]);
    const json_t *asked = exchange_body(x);
    if (asked)
        answer_done(
            x, hosted_contest_protest(c, contest_teams_name(c->teams, x->team), asked, &x->err));
}

void team_routes_list(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    answer_found(x, teams ? contest_teams_teams(teams) : NULL, "nobody hands in for this contest");
}

void team_routes_renew(struct web *web, struct exchange *x) {
    struct contest_teams *teams = contest_teams_of(web, x);
    const json_t *body = exchange_body(x);
    int64_t team;
    if (!body)
        return;
    if (!teams)
        answer_error(x, 404, "nobody hands in for this contest");
    else if (!json_whole(json_object_get(body, "renew"), 0, INT_MAX, &team))
        answer_error(x, 400, "it is renew, and the number of a team");
    else
        answer_or(x, contest_teams_renew(teams, (int)team, &x->err) ? json_object() : NULL, 400);
}
