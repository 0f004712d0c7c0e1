// SPDX-License-Identifier: MIT
// Requests to the server and its answers, exchange by exchange, without a socket:
// tests/data/exchanges/*.txt. Every story has a server of its own in an empty data folder, with
// the real loop and real players. It begins with "== title" and goes on a line a step:
//   personal              the server was started by and for one person; before the first request
//   file PATH TEXT        a file of the data folder; \n is understood
//   program PATH TEXT     the same, that can be run
//   game NAME             one of examples/games is added, as `arbiter game add` does it
//   as anyone|organiser|team TOKEN|gzip   who asks from now on; gzip: anyone who takes it packed
//   as visitor NAME       one of several browsers without the key, which keeps its cookie
//   visitors N            how many games against engines they may play at once (16)
//   > GET PATH            a request
//   > POST PATH BODY      BODY goes to the end of the line. "nest N": N objects, one in the other;
//                         "zip NAME TEXT": an archive with one file; "kit PATH": with one of a kit
//   many N METHOD PATH BODY   the same so many times; each is answered with 200
//   begin PATH            a POST whose body is on its way; no other waits for it
//   drop                  it is broken off
//   < STATUS              the answer to the last request
//   < STATUS PATTERN      and its JSON: an object has the members of the pattern and may have
//                         more; "*" stands for anything, "~TEXT" for a text that has TEXT in it,
//                         and "..." at the end of a list for whatever follows
//   < STATUS SENTENCE     anything else is what `error` says
//   until STATUS PATTERN  the last request is made again until it is answered so
//   type TEXT, header TEXT (~TEXT: has it), most BYTES, leave   of the last answer: its type, one
//   of its headers,
//                         how large the body may be, and that the server ends after it
//   keep NAME PATH        of the last answer, "a.0.b" for [{"b": ..}] of a: it stands for $NAME in
//                         all lines that follow. $key is the organiser's, $data the folder,
//                         $program ours
//   watch NAME ...        topics that are watched from now on
//   news PATTERN          what is told of them: messages are read until one fits
//   note TEXT             what the server says on its terminal has TEXT in it: waits for it
//   log TEXT              log.txt of the data folder has TEXT in it: waits for it
//   pass SECONDS          so much time has passed for games that nobody looks at
//   again, fall           the server ends and is started again on its folder; or falls, and what
//                         was going on goes on
//   route METHOD PATH anyone|organiser|team   who may: it is tried as each of them
//   routes                there are no others than those that were named
// Nothing waits for a time, only for what is expected; PATIENCE_S ends what hangs.
#include "check.h"

#include "base/clock.h"
#include "base/path.h"
#include "folder/folder.h"
#include "stories.h"
#include "web/exchange.h"

#include <archive.h>
#include <archive_entry.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    STORIES_MAX = 100,
    KEPT_MAX = 32,
    ARCHIVE_MAX = 1 << 16,
    LOG_READ_MAX = 1 << 20,
    PATIENCE_S = 600, // on a machine however busy
    LOOK_US = 5000,
    GUESSES = 1000000,
};

struct stage {
    const struct story *story;
    int at;
    char line[4 * STORY_LINE_SIZE]; // with what the names stand for
    char folder[64];
    struct loop *loop;
    struct timer *timer;
    struct server_config config;
    struct web web;
    struct restart_state restart;
    bool organiser, gzip;
    char token[KEY_TEXT_MAX];
    struct browser {
        char name[16], token[KEY_TEXT_MAX];
    } browser[8], *visitor; // those that were named; NULL: none asks
    int browsers, visitors;
    char asked[4 * STORY_LINE_SIZE]; // METHOD PATH BODY
    struct exchange x, begun;
    json_t *answer; // of x
    bool expected;  // what was answered
    struct kept_value {
        char name[32], value[1024];
    } kept[KEPT_MAX];
    int kept_count;
    struct watcher *watcher;
    struct buf notes;
    int routes; // named
};

static void complain(const struct stage *s, const char *what) {
    fail_msg("%s:%d: %s\n  %s", s->story->file, s->story->first_number + s->at + 1,
             s->story->line[s->at], what);
}

// The word at the beginning of a text, which then begins behind it.
static char *take_word(char **text) {
    char *word = *text;
    *text += strcspn(*text, " ");
    if (**text)
        *(*text)++ = '\0';
    return word;
}

// The server.

static void stage_wake(void *connection) { (void)connection; }

static void stage_note(void *owner, const char *words) {
    struct stage *s = owner;
    buf_format(&s->notes, "%s\n", words);
}

static void stage_look(void *owner, int64_t now_us) {
    const struct stage *s = owner;
    (void)now_us;
    loop_stop(s->loop);
}

static void keep(struct stage *s, const char *name, const char *value) {
    assert_true(s->kept_count < KEPT_MAX);
    struct kept_value *k = &s->kept[s->kept_count++];
    snprintf(k->name, sizeof k->name, "%s", name);
    snprintf(k->value, sizeof k->value, "%s", value);
}

static void open_server(struct stage *s, bool again) {
    s->config = (struct server_config){.address = "127.0.0.1",
                                       .data = s->folder,
                                       .program = getenv("ARBITER"),
                                       .visitors = s->visitors,
                                       .kits = kit_files,
                                       .restart = &s->restart,
                                       .again = again,
                                       .note = stage_note,
                                       .owner = s};
    struct err err = {.set = false};
    char path[80];
    bool replaced;
    s->loop = loop_new(&err);
    s->timer = timer_new(s->loop, stage_look, s);
    s->web.platform = platform_new(s->loop, &s->config, stage_wake, &err);
    s->web.guesses = (struct rate){.burst = GUESSES, .per_second = GUESSES};
    guard_init(&s->web.guard, 8080, false);
    snprintf(path, sizeof path, "%s/key", s->folder);
    if (!s->web.platform || !guard_load_key(&s->web.guard, path, &replaced, &err))
        complain(s, err.text);
}

static void close_server(struct stage *s) {
    exchange_done(&s->begun);
    exchange_done(&s->x);
    watcher_free(s->watcher);
    s->watcher = NULL;
    platform_free(s->web.platform);
    timer_free(s->timer);
    loop_free(s->loop);
}

static void turn(struct stage *s) {
    timer_set(s->timer, clock_now_us() + LOOK_US);
    loop_run(s->loop);
}

// Requests.

static void unescape(char *text) {
    char *out = text;
    for (; *text; text++) {
        const bool escaped = text[0] == '\\' && text[1] == 'n';
        *out++ = escaped ? '\n' : *text;
        text += escaped;
    }
    *out = '\0';
}

static void put_nested(struct buf *out, int depth) {
    for (int i = 0; i < depth; i++)
        buf_text(out, "{\"a\":");
    buf_text(out, "1");
    for (int i = 0; i < depth; i++)
        buf_text(out, "}");
}

static void put_archive(struct buf *out, const char *name, const char *text) {
    static char bytes[ARCHIVE_MAX];
    size_t size = 0;
    struct archive *a = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    archive_write_set_format_zip(a);
    archive_write_open_memory(a, bytes, sizeof bytes, &size);
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, (la_int64_t)strlen(text));
    archive_write_header(a, entry);
    archive_write_data(a, text, strlen(text));
    archive_entry_free(entry);
    archive_write_close(a);
    archive_write_free(a);
    buf_put(out, bytes, size);
}

static void put_zip(struct buf *out, char *text) {
    const char *name = take_word(&text);
    unescape(text);
    put_archive(out, name, text);
}

static void put_kit(struct buf *out, const char *path) {
    for (const struct embed *file = kit_files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            put_archive(out, strrchr(path, '/') + 1, file->bytes);
    assert_true(out->length > 0);
}

static void put_body(struct buf *out, char *text) {
    buf_text(out, "");
    if (strncmp(text, "nest ", 5) == 0)
        put_nested(out, atoi(text + 5));
    else if (strncmp(text, "zip ", 4) == 0)
        put_zip(out, text + 4);
    else if (strncmp(text, "kit ", 4) == 0)
        put_kit(out, text + 4);
    else
        buf_text(out, text);
}

// What a client does with a request that has come (src/web/client.c).
static bool begin(struct stage *s, struct exchange *x, const char *method, const char *path) {
    exchange_done(x);
    x->post = strcmp(method, "POST") == 0;
    assert_non_null(path);
    snprintf(x->path, sizeof x->path, "%s", path);
    x->path[strcspn(x->path, "?")] = '\0';
    snprintf(x->query, sizeof x->query, "%s", strchr(path, '?') ? strchr(path, '?') + 1 : "");
    x->organiser = s->organiser;
    x->takes_gzip = s->gzip;
    strcpy(x->team_key, s->token);
    if (s->visitor)
        strcpy(x->visitor, s->visitor->token);
    strcpy(x->peer, "127.0.0.1");
    return !x->post || exchange_may_post(&s->web, x);
}

// Whatever is asked: it is answered, and what is wrong is told as docs/api.md says.
static void check_answer(struct stage *s) {
    const struct exchange *x = &s->x;
    json_decref(s->answer);
    s->answer = NULL;
    if (!x->status || !x->type)
        complain(s, "there is no answer");
    if (x->fixed || strcmp(x->type, "application/json") != 0)
        return;
    s->answer = json_loadb(x->answer.data, x->answer.length, JSON_REJECT_DUPLICATES, NULL);
    if (!s->answer)
        complain(s, "the answer is no JSON");
    const char *error, *form;
    if (x->status >= 400 &&
        json_unpack(s->answer, "{s:s, s:s, s:[]}", "error", &error, "form", &form, "values") != 0)
        complain(s, "the error is not as all are");
}

static void ask(struct stage *s) {
    char text[sizeof s->asked], *rest = text;
    struct buf body = {.data = NULL};
    strcpy(text, s->asked);
    const char *method = take_word(&rest), *path = take_word(&rest);
    put_body(&body, rest);
    if (begin(s, &s->x, method, path)) {
        const size_t half = body.length / 2; // it comes in two parts
        if (!s->x.post || (exchange_take(&s->x, body.data, half) &&
                           exchange_take(&s->x, body.data + half, body.length - half)))
            exchange_answer(&s->web, &s->x);
    }
    buf_done(&body);
    if (s->visitor)
        strcpy(s->visitor->token, s->x.visitor);
    check_answer(s);
}

// What is expected.

static bool fits(const json_t *pattern, const json_t *value);

static bool fits_text(const char *pattern, const json_t *value) {
    const char *text = json_string_value(value);
    if (strcmp(pattern, "*") == 0)
        return value;
    return text &&
           (*pattern == '~' ? strstr(text, pattern + 1) != NULL : strcmp(text, pattern) == 0);
}

static bool fits_list(const json_t *pattern, const json_t *value) {
    const size_t count = json_array_size(pattern);
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_array_get(pattern, i);
        if (i + 1 == count && json_is_string(one) && strcmp(json_string_value(one), "...") == 0)
            return true;
        if (!fits(one, json_array_get(value, i)))
            return false;
    }
    return json_is_array(value) && json_array_size(value) == count;
}

static bool fits(const json_t *pattern, const json_t *value) {
    const char *key;
    json_t *one;
    if (json_is_string(pattern))
        return fits_text(json_string_value(pattern), value);
    if (json_is_array(pattern))
        return fits_list(pattern, value);
    if (!json_is_object(pattern))
        return json_is_number(pattern)
                   ? json_is_number(value) && json_number_value(pattern) == json_number_value(value)
                   : json_equal(pattern, value);
    json_object_foreach((json_t *)pattern, key,
                        one) if (!fits(one, json_object_get(value, key))) return false;
    return json_is_object(value);
}

// "STATUS", "STATUS PATTERN" or "STATUS SENTENCE".
static bool is_so(const struct stage *s, const char *text) {
    char *rest;
    if (strtol(text, &rest, 10) != s->x.status)
        return false;
    rest += strspn(rest, " ");
    if (!*rest)
        return true;
    if (!strchr("{[\"", *rest))
        return s->answer && fits_text(rest, json_object_get(s->answer, "error"));
    json_t *pattern = json_loads(rest, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    if (!pattern)
        complain(s, "the pattern is no JSON");
    const bool good = fits(pattern, s->answer);
    json_decref(pattern);
    return good;
}

static void complain_of_answer(const struct stage *s, const char *what) {
    struct buf words = {.data = NULL};
    buf_format(&words, "%s%d %.3000s", what, s->x.status,
               s->answer   ? s->x.answer.data
               : s->x.type ? s->x.type
                           : "");
    complain(s, words.data);
}

// The steps.

static void step_personal(struct stage *s, char *text) {
    (void)text;
    s->web.personal = true;
}

static void write_file(struct stage *s, char *text, mode_t mode) {
    char path[STORY_LINE_SIZE];
    snprintf(path, sizeof path, "%s/%s", s->folder, take_word(&text));
    for (char *end = path + strlen(s->folder) + 1; (end = strchr(end, '/')); *end++ = '/') {
        *end = '\0';
        mkdir(path, 0700);
    }
    unescape(text);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0 || chmod(path, mode) != 0)
        complain(s, "cannot write it");
}

static void step_file(struct stage *s, char *text) { write_file(s, text, 0644); }

static void step_program(struct stage *s, char *text) { write_file(s, text, 0755); }

static void step_game(struct stage *s, char *text) {
    char command[2 * STORY_LINE_SIZE];
    snprintf(command, sizeof command, "'%s' game add '%s/../../examples/games/%s' --data '%s' >&2",
             getenv("ARBITER"), getenv("TEST_DATA"), text, s->folder);
    if (system(command) != 0)
        complain(s, "it cannot be added");
    folder_open(s->folder, true);
}

static struct browser *find_browser(struct stage *s, const char *name) {
    for (int i = 0; i < s->browsers; i++)
        if (strcmp(s->browser[i].name, name) == 0)
            return &s->browser[i];
    assert_true(s->browsers < (int)(sizeof s->browser / sizeof *s->browser));
    struct browser *fresh = &s->browser[s->browsers++];
    snprintf(fresh->name, sizeof fresh->name, "%s", name);
    return fresh;
}

static void step_visitors(struct stage *s, char *text) {
    s->visitors = s->web.platform->switches.visitors = atoi(text);
}

static void step_pass(struct stage *s, char *text) {
    platform_sweep(s->web.platform, clock_now_us() + atoi(text) * INT64_C(1000000));
}

static void step_as(struct stage *s, char *text) {
    const char *who = take_word(&text);
    s->visitor = strcmp(who, "visitor") == 0 ? find_browser(s, text) : NULL;
    if (s->visitor)
        text = "";
    s->organiser = strcmp(who, "organiser") == 0;
    s->gzip = strcmp(who, "gzip") == 0;
    snprintf(s->token, sizeof s->token, "%s", text);
}

static void step_ask(struct stage *s, char *text) {
    strcpy(s->asked, text);
    ask(s);
    s->expected = false;
}

static void step_many(struct stage *s, char *text) {
    const int count = atoi(take_word(&text));
    strcpy(s->asked, text);
    for (int i = 0; i < count; i++) {
        ask(s);
        if (s->x.status != 200)
            complain_of_answer(s, "it is ");
    }
}

static void step_begin(struct stage *s, char *text) {
    if (!begin(s, &s->begun, "POST", text))
        complain(s, s->begun.answer.data);
}

static void step_drop(struct stage *s, char *text) {
    (void)text;
    exchange_done(&s->begun);
}

static void step_expect(struct stage *s, char *text) {
    s->expected = true;
    if (!is_so(s, text))
        complain_of_answer(s, "it is ");
}

static void step_until(struct stage *s, char *text) {
    const int64_t end_us = clock_now_us() + PATIENCE_S * INT64_C(1000000);
    s->expected = true;
    for (ask(s); !is_so(s, text); ask(s)) {
        if (clock_now_us() > end_us)
            complain_of_answer(s, "it has not come to that: ");
        turn(s);
    }
}

static void step_type(struct stage *s, char *text) {
    if (strcmp(s->x.type, text) != 0)
        complain(s, s->x.type);
}

static bool is_header(const char *header, const char *text) {
    return *text == '~' ? strstr(header, text + 1) != NULL : strcmp(header, text) == 0;
}

static void step_header(struct stage *s, char *text) {
    if (!is_header(s->x.header[0], text) && !is_header(s->x.header[1], text))
        complain(s, s->x.header[0]);
}

static void step_most(struct stage *s, char *text) {
    if (s->x.most != (size_t)atoll(text))
        complain(s, "it may have another size");
}

static void step_leave(struct stage *s, char *text) {
    (void)text;
    if (!s->x.leave)
        complain(s, "the server does not end");
}

static void step_keep(struct stage *s, char *text) {
    const char *name = take_word(&text);
    const json_t *at = s->answer;
    for (char *part; at && (part = strsep(&text, "."));)
        at = json_is_array(at) ? json_array_get(at, (size_t)atoi(part)) : json_object_get(at, part);
    char *number = json_is_integer(at) ? json_dumps(at, JSON_ENCODE_ANY) : NULL;
    if (!number && !json_is_string(at))
        complain_of_answer(s, "there is no such member: ");
    keep(s, name, number ? number : json_string_value(at));
    free(number);
}

static void step_watch(struct stage *s, char *text) {
    json_t *names = json_array();
    while (*text)
        json_array_append_new(names, json_string(take_word(&text)));
    json_t *message = json_pack("{s:o}", "watch", names);
    char *line = json_dumps(message, JSON_LINE);
    if (!s->watcher)
        s->watcher = watcher_new(&s->web.platform->live, s);
    if (!watcher_hear(s->watcher, line, strlen(line)))
        complain(s, "it is not understood");
    free(line);
    json_decref(message);
}

static bool news_fit(struct stage *s, const json_t *pattern, struct buf *last) {
    size_t length;
    for (const char *bytes; (bytes = watcher_next(s->watcher, &length));) {
        json_t *message = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, NULL);
        if (!message)
            complain(s, "the message is no JSON");
        buf_clear(last);
        buf_put(last, bytes, length);
        const bool good = fits(pattern, message);
        json_decref(message);
        if (good)
            return true;
    }
    return false;
}

static void step_news(struct stage *s, char *text) {
    const int64_t end_us = clock_now_us() + PATIENCE_S * INT64_C(1000000);
    json_t *pattern = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    struct buf last = {.data = NULL};
    buf_text(&last, "nothing was told");
    if (!pattern || !s->watcher)
        complain(s, "the pattern is no JSON, or nothing is watched");
    while (!news_fit(s, pattern, &last)) {
        if (clock_now_us() > end_us)
            complain(s, last.data);
        turn(s);
    }
    buf_done(&last);
    json_decref(pattern);
}

static void step_note(struct stage *s, char *text) {
    const int64_t end_us = clock_now_us() + PATIENCE_S * INT64_C(1000000);
    while (!s->notes.data || !strstr(s->notes.data, text)) {
        if (clock_now_us() > end_us)
            complain(s, s->notes.data ? s->notes.data : "nothing was said");
        turn(s);
    }
    buf_clear(&s->notes);
}

static void step_log(struct stage *s, char *text) {
    const int64_t end_us = clock_now_us() + PATIENCE_S * INT64_C(1000000);
    char path[80];
    snprintf(path, sizeof path, "%s/log.txt", s->folder);
    for (bool found = false; !found; turn(s)) {
        struct buf log = {.data = NULL};
        found = path_read(path, LOG_READ_MAX, &log) && log.data && strstr(log.data, text);
        if (!found && clock_now_us() > end_us)
            complain(s, log.data ? log.data : "there is no log");
        buf_done(&log);
    }
}

static void step_again(struct stage *s, char *text) {
    (void)text;
    close_server(s);
    open_server(s, false);
}

static void step_fall(struct stage *s, char *text) {
    (void)text;
    const struct restart_state before = s->restart; // of a server that is ended nothing goes on
    close_server(s);
    s->restart = before;
    open_server(s, true);
}

// Who may what.

static const struct route *find_route(bool post, const char *path) {
    for (const struct route *r = web_routes; r->path; r++)
        if (r->post == post && strcmp(r->path, path) == 0)
            return r;
    return NULL;
}

// Asks for a route as somebody, with words that name nothing for its stars.
static int status_of(struct stage *s, const char *method, const char *path, const char *who) {
    struct buf asked = {.data = NULL};
    char as[64];
    snprintf(as, sizeof as, "%s", who);
    step_as(s, as);
    buf_format(&asked, "%s ", method);
    for (; *path; path++)
        buf_text(&asked, *path == '*' ? "nothing" : (char[]){*path, '\0'});
    buf_text(&asked, " {}");
    strcpy(s->asked, asked.data);
    buf_done(&asked);
    ask(s);
    return s->x.status;
}

static void step_route(struct stage *s, char *text) {
    const char *method = take_word(&text), *path = take_word(&text);
    const bool post = strcmp(method, "POST") == 0;
    const bool key = strcmp(text, "organiser") == 0, team = strcmp(text, "team") == 0;
    const bool link = strcmp(path, "/key/*") == 0 || strcmp(path, "/team/*/*") == 0;
    if (!find_route(post, path))
        complain(s, "there is no such route");
    s->routes++;
    if ((status_of(s, method, path, "anyone") == 403) != (key || team || link))
        complain_of_answer(s, "anyone: ");
    if ((status_of(s, method, path, "organiser") == 403) != (team || link))
        complain_of_answer(s, "the organiser: ");
    if ((status_of(s, method, path, "team 0123") == 403) != (key || team || link))
        complain_of_answer(s, "a team: ");
    if (!find_route(!post, path) && status_of(s, post ? "GET" : "POST", path, "organiser") == 200)
        complain_of_answer(s, "by the other method: ");
}

static void step_routes(struct stage *s, char *text) {
    int count = 0;
    (void)text;
    while (web_routes[count].path)
        count++;
    if (s->routes != count)
        complain(s, "there are others, or one was named twice");
}

static const struct step {
    const char *word;
    void (*take)(struct stage *s, char *text);
    bool looks; // at what was answered, or told
} steps[] = {
    {"personal", step_personal, false},
    {"file", step_file, false},
    {"program", step_program, false},
    {"game", step_game, false},
    {"as", step_as, false},
    {">", step_ask, false},
    {"many", step_many, false},
    {"begin", step_begin, false},
    {"drop", step_drop, false},
    {"<", step_expect, true},
    {"until", step_until, true},
    {"type", step_type, true},
    {"header", step_header, true},
    {"most", step_most, true},
    {"leave", step_leave, true},
    {"keep", step_keep, true},
    {"watch", step_watch, false},
    {"news", step_news, false},
    {"note", step_note, false},
    {"log", step_log, false},
    {"visitors", step_visitors, false},
    {"pass", step_pass, false},
    {"again", step_again, false},
    {"fall", step_fall, false},
    {"route", step_route, false},
    {"routes", step_routes, false},
};

// Puts a line with what its names stand for.
static void fill_in(struct stage *s, const char *line) {
    struct buf out = {.data = NULL};
    buf_text(&out, "");
    while (*line) {
        const size_t plain = strcspn(line, "$");
        buf_put(&out, line, plain);
        line += plain;
        if (!*line)
            break;
        const size_t length = strspn(line + 1, "abcdefghijklmnopqrstuvwxyz0123456789_");
        int i = s->kept_count - 1;
        while (i >= 0 && (strlen(s->kept[i].name) != length ||
                          strncmp(s->kept[i].name, line + 1, length) != 0))
            i--;
        if (i < 0)
            complain(s, "a name stands for nothing");
        buf_text(&out, s->kept[i].value);
        line += 1 + length;
    }
    assert_true(out.length < sizeof s->line);
    strcpy(s->line, out.data);
    buf_done(&out);
}

static void run_step(struct stage *s) {
    fill_in(s, s->story->line[s->at]);
    char *text = s->line;
    const char *word = take_word(&text);
    size_t i = 0;
    if (!*word)
        return;
    while (i < sizeof steps / sizeof *steps && strcmp(steps[i].word, word) != 0)
        i++;
    if (i == sizeof steps / sizeof *steps)
        complain(s, "no such step");
    if (!steps[i].looks && !s->expected)
        complain_of_answer(s, "an answer was not looked at: ");
    steps[i].take(s, text);
}

static void test_story(void **state) {
    struct stage *s = calloc(1, sizeof *s);
    s->story = *state;
    s->visitors = -1;
    s->expected = true;
    strcpy(s->folder, "/tmp/arbiter-exchanges-XXXXXX");
    assert_non_null(mkdtemp(s->folder));
    open_server(s, false);
    keep(s, "key", s->web.guard.key);
    keep(s, "data", s->folder);
    keep(s, "program", getenv("ARBITER"));
    for (; s->at < s->story->lines; s->at++)
        run_step(s);
    s->at--;
    if (!s->expected)
        complain_of_answer(s, "an answer was not looked at: ");
    close_server(s);
    folder_open("", true);
    path_remove(s->folder);
    json_decref(s->answer);
    buf_done(&s->notes);
    free(s);
}

int main(void) {
    static struct story stories[STORIES_MAX];
    static struct CMUnitTest tests[STORIES_MAX];
    const int count = stories_read("exchanges", stories, STORIES_MAX);
    for (int i = 0; i < count; i++)
        tests[i] = (struct CMUnitTest){
            .name = stories[i].title, .test_func = test_story, .initial_state = &stories[i]};
    const int failed = _cmocka_run_group_tests("exchanges", tests, (size_t)count, NULL, NULL);
    stories_free(stories, count);
    return failed;
}
