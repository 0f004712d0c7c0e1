// SPDX-License-Identifier: MIT
#include "web/exchange.h"

#include "base/clock.h"
#include "web/contest_teams.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

void answer_text(struct exchange *x, int status) {
    x->status = status;
    x->type = "application/json";
}

void answer_json(struct exchange *x, int status, json_t *take_value) {
    const bool good = json_put(&x->answer, take_value);
    if (!good)
        buf_text(&x->answer, "{\"error\":\"the answer cannot be written\"}");
    answer_text(x, good ? status : 500);
}

void answer_err(struct exchange *x, int status) {
    const struct err *err = &x->err;
    json_t *values = json_array();
    for (int i = 0; i < err->value_count; i++)
        json_array_append_new(values, json_text(err->values[i]));
    answer_json(x, status,
                json_pack("{s:o, s:s, s:o, s:o}", "error", json_text(err->text), "form", err->form,
                          "values", values, "who", json_text(err->who)));
}

void answer_error(struct exchange *x, int status, const char *words) {
    answer_json(x, status, json_pack("{s:s, s:s, s:[]}", "error", words, "form", words, "values"));
    if (!x->err.set)
        err_set(&x->err, "%s", words); // for the log
}

void answer_or(struct exchange *x, json_t *take_value, int status) {
    if (take_value)
        answer_json(x, 200, take_value);
    else
        answer_err(x, status);
}

void answer_found(struct exchange *x, json_t *take_value, const char *otherwise) {
    if (take_value || x->err.set)
        answer_or(x, take_value, 500);
    else
        answer_error(x, 404, otherwise);
}

void answer_wrong_key(struct web *web, struct exchange *x, const char *words) {
    if (rate_take(&web->guesses, x->peer, clock_now_us()))
        answer_error(x, 403, words);
    else
        answer_error(x, 429, "too many wrong keys; wait a little");
}

void answer_wrong_link(struct web *web, struct exchange *x, const char *words) {
    answer_wrong_key(web, x, words);
    if (x->status != 403)
        return;
    buf_clear(&x->answer);
    answer_file(x, "index.html");
    x->status = 403;
}

void answer_done(struct exchange *x, bool good) { answer_or(x, good ? json_object() : NULL, 409); }

static void put_cookie(struct exchange *x, const struct web *web, const struct cookie *cookie) {
    snprintf(x->header[1], sizeof x->header[1],
             "set-cookie: %s=%s; Path=%s; HttpOnly; SameSite=Strict; Max-Age=2592000%s",
             cookie->name, cookie->value, cookie->path, web->guard.tls ? "; Secure" : "");
}

void answer_cookie(struct exchange *x, const struct web *web, const char *to,
                   const struct cookie *cookie) {
    x->status = 303;
    x->type = "text/plain";
    buf_text(&x->answer, "");
    snprintf(x->header[0], sizeof x->header[0], "location: %s", to);
    put_cookie(x, web, cookie);
}

// What is no token of ours is none, whatever a browser sends.
const char *exchange_visitor(const struct web *web, struct exchange *x) {
    struct err unused = {.set = false};
    char drawn[SECRET_TEXT_MAX];
    if (secret_is_one(x->visitor))
        return x->visitor;
    x->visitor[0] = '\0';
    if (!secret_draw(drawn, &unused))
        return x->visitor;
    memcpy(x->visitor, drawn, sizeof drawn);
    put_cookie(x, web, &(struct cookie){web->guard.visitor_cookie, x->visitor, "/api/games"});
    return x->visitor;
}

void exchange_done(struct exchange *x) {
    if (x->uploading)
        contest_teams_end_upload(x->uploading, x->uploading_team);
    upload_file_free(x->upload);
    json_decref(x->json);
    buf_done(&x->body);
    buf_done(&x->answer);
    *x = (struct exchange){.status = 0};
}

const json_t *exchange_body(struct exchange *x) {
    assert(!x->json);
    x->json =
        json_loadb(x->body.data ? x->body.data : "", x->body.length, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(x->json))
        return x->json;
    answer_error(x, 400, "the body is no JSON object");
    return NULL;
}

bool exchange_take(struct exchange *x, const void *bytes, size_t length) {
    if (!x->upload) {
        buf_put(&x->body, bytes, length);
        return true;
    }
    if (upload_file_put(x->upload, bytes, length))
        return true;
    answer_error(x, 500, "the archive cannot be kept: the disk of the server is full");
    return false;
}
