// SPDX-License-Identifier: MIT
// A team has its token in a cookie that browsers send to the routes of its contest alone: it gives
// no other right.
#include "web/routes_teams.h"

#include "base/whole.h"
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

bool team_admit(struct web *web, struct exchange *x) {
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

void get_team_link(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    if (!teams || contest_teams_find(teams, x->word[1]) < 0) {
        answer_wrong_key(web, x, wrong_token);
        return;
    }
    char page[128], below[128];
    snprintf(page, sizeof page, "/team/%s", x->word[0]);
    snprintf(below, sizeof below, "/api/team/%s", x->word[0]);
    answer_cookie(x, web, page, &(struct cookie){web->guard.team_cookie, x->word[1], below});
}

void get_team(struct web *web, struct exchange *x) {
    answer_json(x, 200, contest_teams_team(contest_teams_of(web, x), x->team));
}

// The number of a submission in the path; 0, which none has, if it is no number.
static int submission_of(const struct exchange *x) {
    int64_t number = 0;
    text_whole(x->word[1], 1, INT_MAX, &number);
    return (int)number;
}

void get_team_log(struct web *web, struct exchange *x) {
    answer_found(x, contest_teams_log(contest_teams_of(web, x), x->team, submission_of(x)),
                 "there is no such submission");
}

void get_team_game(struct web *web, struct exchange *x) {
    answer_found(x, contest_teams_game(contest_teams_of(web, x), x->team, submission_of(x)),
                 "there is no such game");
}

// An archive is larger than other bodies and goes to a file, so that nobody who is slow keeps
// another from handing in; there is one of a team.
bool begin_submission(struct web *web, struct exchange *x) {
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

void post_submission(struct web *web, struct exchange *x) {
    size_t length;
    int number = 0;
    const void *bytes = upload_file_bytes(x->upload, &length);
    if (bytes)
        number = contest_teams_take(contest_teams_of(web, x), x->team, bytes, length, &x->err);
    else
        err_set(&x->err, "the archive cannot be read again");
    answer_or(x, number ? json_pack("{s:i}", "number", number) : NULL, 409);
}

void get_teams(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    answer_found(x, teams ? contest_teams_teams(teams) : NULL, "nobody hands in for this contest");
}

void post_teams(struct web *web, struct exchange *x) {
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
