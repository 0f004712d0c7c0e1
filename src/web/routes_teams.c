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

static struct contest_teams *contest_teams_of(const struct web *web, const struct exchange *x) {
    return hosted_contests_intake(web->platform->contests, x->word[0]);
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
    x->status = 303;
    x->type = "text/plain";
    buf_text(&x->answer, "");
    snprintf(x->header[0], sizeof x->header[0], "location: /team/%s", x->word[0]);
    snprintf(x->header[1], sizeof x->header[1],
             "set-cookie: %s=%s; Path=/api/team/%s; HttpOnly; SameSite=Strict; Max-Age=2592000%s",
             web->guard.team_cookie, x->word[1], x->word[0], web->guard.tls ? "; Secure" : "");
}

void get_team(struct web *web, struct exchange *x) {
    answer_json(x, 200, contest_teams_team(contest_teams_of(web, x), x->team));
}

static void answer_found(struct exchange *x, json_t *take_found, const char *otherwise) {
    if (take_found)
        answer_json(x, 200, take_found);
    else
        answer_error(x, 404, otherwise);
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
    struct err err = {.set = false};
    if (!contest_teams_begin_upload(teams, x->team, &err)) {
        answer_err(x, 409, &err);
        return false;
    }
    x->most = (size_t)contest_teams_most(teams);
    x->uploading = teams;
    x->uploading_team = x->team;
    x->upload = upload_file_new(contest_teams_folder(teams), &err);
    if (!x->upload)
        answer_err(x, 500, &err);
    return x->upload;
}

void post_submission(struct web *web, struct exchange *x) {
    struct err err = {.set = false};
    size_t length;
    const void *bytes = upload_file_bytes(x->upload, &length);
    const int number =
        bytes ? contest_teams_take(contest_teams_of(web, x), x->team, bytes, length, &err) : 0;
    if (!bytes)
        err_set(&err, "the archive cannot be read again");
    if (number)
        answer_json(x, 200, json_pack("{s:i}", "number", number));
    else
        answer_err(x, 409, &err);
}

void get_teams(struct web *web, struct exchange *x) {
    const struct contest_teams *teams = contest_teams_of(web, x);
    answer_found(x, teams ? contest_teams_teams(teams) : NULL, "nobody hands in for this contest");
}

void post_teams(struct web *web, struct exchange *x) {
    struct contest_teams *teams = contest_teams_of(web, x);
    struct err err = {.set = false};
    json_t *body = exchange_body(x);
    if (!body)
        return;
    int64_t team;
    if (!teams)
        answer_error(x, 404, "nobody hands in for this contest");
    else if (!json_whole(json_object_get(body, "renew"), 0, INT_MAX, &team))
        answer_error(x, 400, "it is renew, and the number of a team");
    else if (contest_teams_renew(teams, (int)team, &err))
        answer_json(x, 200, json_object());
    else
        answer_err(x, 400, &err);
    json_decref(body);
}
