// SPDX-License-Identifier: MIT
#include "web/team_tryouts.h"

#include "base/builtin.h"
#include "base/path.h"
#include "contest/tryouts.h"
#include "referee/log.h"
#include "referee/record.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const int64_t hour_us = INT64_C(3600) * 1000 * 1000;

static bool read_level(const char *text, struct tryout_wish *wish) {
    if (!text || !builtin_is_name(text) || strlen(text) >= sizeof wish->level)
        return false;
    snprintf(wish->level, sizeof wish->level, "%s", text);
    return true;
}

bool team_tryouts_read(const json_t *asked, struct tryout_wish *wish, struct err *err) {
    int64_t submission, against = 0, colour;
    const json_t *other = json_object_get(asked, "against");
    *wish = (struct tryout_wish){.against = 0};
    if (!json_whole(json_object_get(asked, "submission"), 1, INT_MAX, &submission) ||
        !json_whole(json_object_get(asked, "colour"), 1, 2, &colour) ||
        !(read_level(json_string_value(other), wish) || json_whole(other, 1, INT_MAX, &against)))
        return err_set(err, "a try-out is a submission, against a built-in player or another "
                            "submission, and a colour");
    wish->submission = (int)submission;
    wish->against = (int)against;
    wish->colour = (int)colour;
    return true;
}

static int64_t since_1970_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

// One in the future, of a clock that was set back, does not count.
bool team_tryouts_may(const struct team_tryouts *t, struct err *err) {
    const int64_t oldest = t->begun_us[t->next], now = since_1970_us();
    return !oldest || oldest > now || now - oldest > hour_us ||
           err_set(err, "%d try-outs an hour are all there is room for; try again later",
                   TRYOUTS_AN_HOUR);
}

// The file has them a line each, the oldest first.
void team_tryouts_count(struct team_tryouts *t, const char *path) {
    struct buf text = {.data = NULL};
    t->begun_us[t->next] = since_1970_us();
    t->next = (t->next + 1) % TRYOUTS_AN_HOUR;
    for (int i = 0; i < TRYOUTS_AN_HOUR; i++)
        buf_format(&text, "%lld\n", (long long)t->begun_us[(t->next + i) % TRYOUTS_AN_HOUR]);
    path_write(path, text.data, text.length); // without it they are counted from the next start on
    buf_done(&text);
}

void team_tryouts_load(struct team_tryouts *t, const char *path) {
    enum { FILE_MAX = 4096 };
    struct buf text = {.data = NULL};
    if (!path_read(path, FILE_MAX, &text) || !text.data) {
        buf_done(&text);
        return;
    }
    char *at = text.data;
    for (t->next = 0; t->next < TRYOUTS_AN_HOUR && *at; t->next++)
        t->begun_us[t->next] = strtoll(at, &at, 10);
    t->next %= TRYOUTS_AN_HOUR;
    buf_done(&text);
}

// Both players by what they are ("entrant") or by their names ("Red #3"), black first.
static json_t *sides_json(const char *team, const struct tryout_wish *wish, bool names) {
    json_t *sides = json_array();
    for (int i = 0; i < 2; i++) {
        const int number = i + 1 == wish->colour ? wish->submission : wish->against;
        struct buf name = {.data = NULL};
        buf_format(&name, "%s #%d", team, number);
        json_array_append_new(sides, number ? json_text(names ? name.data : "entrant")
                                            : json_text(names ? "" : wish->level));
        buf_done(&name);
    }
    return sides;
}

json_t *team_tryouts_began(const char *team, const struct tryout_wish *wish,
                           const struct deal *deal) {
    return json_pack(
        "{s:i, s:o, s:o, s:o, s:I, s:s}", "number", 0, "players", sides_json(team, wish, true),
        "kinds", sides_json(team, wish, false), "settings", record_rules(&deal->rules), "time_ms",
        (json_int_t)(deal->time_us / 1000), "opening", deal->opening ? deal->opening : "");
}

static json_t *item_json(json_t *take_report) {
    const json_t *game = json_object_get(take_report, "game");
    json_t *result = json_is_object(game) ? shown_game_result(game) : json_null();
    json_t *time = json_real(
        1000 * json_number_value(json_object_get(json_object_get(game, "settings"), "time")));
    json_object_set_new(take_report, "result", result);
    json_object_set_new(take_report, "time_ms", time);
    json_object_del(take_report, "game");
    return take_report;
}

json_t *team_tryouts_list(const struct submissions *all, const char *number) {
    json_t *list = json_array();
    const int last = submissions_last_tryout(all, number);
    for (int i = last; i > 0 && i > last - TRYOUTS_KEPT; i--) {
        json_t *report = submissions_tryout(all, number, i);
        if (report)
            json_array_append_new(list, item_json(report));
    }
    return list;
}

// Where both are the team's own it may read all.
static json_t *messages_json(const struct submissions *all, const char *number, int tryout,
                             const struct tryout_wish *wish) {
    struct buf said = {.data = NULL}, own = {.data = NULL};
    if (submissions_tryout_messages(all, number, tryout, &said) && said.data && !wish->against)
        log_put_own(said.data, wish->colour, &own);
    const char *text = wish->against ? said.data : own.data;
    json_t *messages = json_text(text ? text : "");
    buf_done(&said);
    buf_done(&own);
    return messages;
}

json_t *team_tryouts_game(const struct submissions *all, const char *number, const char *team,
                          int tryout) {
    struct err err = {.set = false};
    struct tryout_wish wish;
    json_t *report = tryout > 0 ? submissions_tryout(all, number, tryout) : NULL, *shown = NULL;
    json_t *game = json_object_get(report, "game");
    if (json_is_object(game)) {
        if (json_integer_value(json_object_get(report, "against")) == 0)
            json_object_set(report, "against", json_object_get(report, "level"));
        if (team_tryouts_read(report, &wish, &err)) {
            json_object_set(game, "called", json_object_get(game, "names"));
            json_object_set_new(game, "players", sides_json(team, &wish, false));
            json_object_set_new(game, "names", sides_json(team, &wish, true));
            shown = shown_game_of_record("", game);
        }
    }
    if (shown)
        json_object_set_new(shown, "messages", messages_json(all, number, tryout, &wish));
    json_decref(report);
    return shown;
}
