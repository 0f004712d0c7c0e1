// SPDX-License-Identifier: MIT
// One request and its answer, apart from how they travel; and the table of routes. Who frees an
// exchange frees body and answer with it.
#pragma once

#include "base/buf.h"
#include "base/json.h"
#include "web/guard.h"
#include "web/http.h"
#include "web/platform.h"
#include "web/upload_file.h"

enum { PATH_TEXT_MAX = HTTP_PATH_MAX, BODY_MAX = 1 << 18 };

struct exchange {
    // what was asked
    bool post;
    char path[PATH_TEXT_MAX];
    char query[HTTP_QUERY_MAX];  // as it was sent; "": none
    bool organiser;              // has the key
    char team_key[KEY_TEXT_MAX]; // a team's token; "": none
    char visitor[KEY_TEXT_MAX];  // by which a browser holds its seats; "": none
    char peer[64];               // the address it comes from
    bool takes_gzip;
    struct buf body;
    json_t *json;               // the body, once it was asked for (exchange_body)
    struct upload_file *upload; // where the body goes instead; NULL: it does not
    char word[2][64];           // what stood for the stars of the route
    int team;                   // of the contest in the first word, where the route is a team's
    size_t most;                // bytes that the body may have
    struct contest_teams *uploading; // an archive is on its way here; NULL: none
    int uploading_team;              // whose, also if its token is void by now
    // the answer
    struct err err; // what is wrong, for answer_err
    int status;
    const char *type;
    char header[2][256]; // "Name: value"; "" if none
    struct buf answer;
    const char *fixed; // instead of `answer`: bytes that stay
    size_t fixed_length;
    bool leave; // the server ends after it
};

struct web {
    struct platform *platform;
    struct guard guard;
    struct rate guesses; // wrong keys and tokens of an address
    bool personal;
};

// What is answered, how, and to whom. A star of a path stands for one of its words.
struct route {
    bool post;
    const char *path;
    enum { ANYONE, ORGANISER, TEAM } who;
    void (*answer)(struct web *web, struct exchange *x);
};
extern const struct route web_routes[]; // ended by a path of NULL

// Finds the route, checks who may, and answers.
void exchange_answer(struct web *web, struct exchange *x);
// Whether a POST to the path may have a body at all, before it is read, and how large.
bool exchange_may_post(struct web *web, struct exchange *x);
// Some of the body has come; false, with an answer, if it cannot be kept.
bool exchange_take(struct exchange *x, const void *bytes, size_t length);
void exchange_done(struct exchange *x);

// The body as JSON, which is the exchange's; NULL with an answer if it is none.
const json_t *exchange_body(struct exchange *x);

// Answers.
void answer_text(struct exchange *x, int status); // what has been put in `answer`, JSON
void answer_json(struct exchange *x, int status, json_t *take_value);
// What is wrong: a literal, or x->err. The page says it in its own language by the form and the
// values (docs/api.md).
void answer_error(struct exchange *x, int status, const char *words);
void answer_err(struct exchange *x, int status);
// 200, or else x->err with another status.
void answer_or(struct exchange *x, json_t *take_value, int status);
// 200, or 404 with the words if there is none; 500 if it is there and cannot be read (x->err).
void answer_found(struct exchange *x, json_t *take_value, const char *otherwise);
// 303: goes to a path, with a secret in a cookie that is sent to the paths below another alone.
struct cookie {
    const char *name, *value, *path;
};
void answer_cookie(struct exchange *x, const struct web *web, const char *to,
                   const struct cookie *cookie);
// The token by which whoever asks holds seats. One who has none gets one, in a cookie of the
// answer.
const char *exchange_visitor(const struct web *web, struct exchange *x);
// 403, or 429 for whoever tries too often.
void answer_wrong_key(struct web *web, struct exchange *x, const char *words);
// The same for a person who has opened a wrong link: he sees the page, which says so.
void answer_wrong_link(struct web *web, struct exchange *x, const char *words);
// 200 with nothing to tell, or 409 with x->err.
void answer_done(struct exchange *x, bool good);
// A file that is built in, by its path; false if there is none.
bool answer_file(struct exchange *x, const char *path);
