// SPDX-License-Identifier: MIT
// The script in the box copies the sources into the folder where it starts, which is memory of the
// box, runs the command there, and sends the folder out as a tar stream: its standard output is the
// stream, its standard error what the command prints. Both are bounded here. The stream is as
// little believed as an archive from outside.
#include "submit/build.h"

#include "base/clock.h"
#include "base/plain.h"
#include "base/scratch.h"
#include "link/link.h"
#include "link/loop.h"
#include "link/shell.h"
#include "submit/unpack.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    PRINTED_MAX = 1 << 20,
    LINES_SHOWN = 6,
    LINE_MAX_BYTES = 300,
    TAR_PER_FILE = 2048,
    WAIT_US = 20000
};

struct run {
    const struct build *build;
    struct loop *loop;
    struct link *link;
    struct timer *timer;
    struct buf stream, *printed;
    struct plain plain; // what it prints may hold anything, and is shown on terminals
    int64_t until_us;   // it may take so long
    bool late, large, gone, broken_off;
    struct parting how;
    struct usage usage;
};

static size_t stream_most(const struct submit_limits *l) {
    return (size_t)l->bytes + (size_t)l->files * TAR_PER_FILE + TAR_PER_FILE * 10;
}

static void stop(struct run *run) {
    if (run->link)
        link_usage(run->link, &run->usage);
    link_free(run->link, 0);
    run->link = NULL;
    loop_stop(run->loop);
}

static void streamed(void *owner, const char *bytes, size_t length, int64_t now_us) {
    (void)now_us;
    struct run *run = owner;
    if (run->stream.length + length <= stream_most(&run->build->job->limits)) {
        buf_put(&run->stream, bytes, length);
        return;
    }
    run->large = true;
    stop(run);
}

static void said(void *owner, const char *bytes, size_t length) {
    struct run *run = owner;
    const struct submit_job *job = run->build->job;
    struct buf safe = {.data = NULL};
    plain_feed(&run->plain, bytes, length, &safe);
    const size_t room = PRINTED_MAX - run->printed->length,
                 n = safe.length < room ? safe.length : room;
    if (n > 0)
        buf_put(run->printed, safe.data, n);
    if (n > 0 && job->log)
        job->log(job->owner, safe.data, n);
    buf_done(&safe);
}

static void went(void *owner, const struct parting *how, int64_t now_us) {
    (void)now_us;
    struct run *run = owner;
    run->gone = true;
    run->how = *how;
    stop(run);
}

// The timer goes off at the end of the time, and before if somebody wants to be asked.
static void set_timer(struct run *run, int64_t now_us) {
    const int64_t soon_us = now_us + WAIT_US;
    const bool asks = run->build->job->wait && soon_us < run->until_us;
    timer_set(run->timer, asks ? soon_us : run->until_us);
}

static void passed(void *owner, int64_t now_us) {
    struct run *run = owner;
    const struct submit_job *job = run->build->job;
    run->late = now_us >= run->until_us;
    run->broken_off = !run->late && job->wait && !job->wait(job->owner);
    if (run->late || run->broken_off)
        stop(run);
    else
        set_timer(run, clock_now_us());
}

// What links lead to is copied, if it can be seen in the box; what cannot be seen is left out, and
// cp says so.
static void put_copy(struct buf *out, const char *folder) {
    buf_text(out, "(cd ");
    shell_put_quoted(out, folder);
    buf_text(out, " && cp -rL . \"$OLDPWD\" >&2) || true; ");
}

// Files of the kit first: the others replace them.
static void put_script(struct buf *out, const struct build *b) {
    buf_text(out, "set -e; mkdir work; cd work; ");
    if (b->kit)
        put_copy(out, b->kit);
    put_copy(out, b->source);
    buf_text(out, "chmod -R u+w .; sh -c ");
    shell_put_quoted(out, b->command);
    buf_text(out, " </dev/null >&2 || { code=$?; [ $code -gt 128 ] &&"
                  " echo \"the build was killed by signal $((code - 128))\" >&2 ||"
                  " echo \"the build ended with code $code\" >&2; exit $code; }; tar -cf - .");
}

static bool run_program(struct run *run, const char *folder, struct err *err) {
    static const struct link_events events = {.bytes = streamed, .gone = went, .noise = said};
    const struct build *b = run->build;
    char *const show[] = {(char *)b->source, (char *)b->kit};
    struct buf script = {.data = NULL};
    put_script(&script, b);
    const struct program program = {.command = script.data,
                                    .folder = folder,
                                    .memory = b->job->limits.build_memory,
                                    .box = b->job->box,
                                    .show = show,
                                    .shows = b->kit ? 2 : 1,
                                    .solo = true};
    run->link = link_new_pipe(run->loop, &program, &events, run, err);
    run->timer = timer_new(run->loop, passed, run);
    run->until_us = clock_now_us() + b->job->limits.build_us;
    set_timer(run, clock_now_us());
    if (run->link)
        loop_run(run->loop);
    buf_done(&script);
    if (run->broken_off)
        err_set(err, "interrupted while players were built");
    return !err->set;
}

// Where there are no walls the folder is a real one.
static bool run_in_folder(struct run *run, struct err *err) {
    const struct box *box = run->build->job->box;
    struct scratch folder = {.path = NULL};
    if ((!box || box->level < BOX_NAMESPACES) && !scratch_make(&folder, "a build", err))
        return false;
    run->loop = loop_new(err);
    const bool good = run->loop && run_program(run, folder.path, err);
    loop_free(run->loop);
    scratch_done(&folder);
    return good;
}

// By what compilers, linkers and shells print, where nothing else tells.
static const struct {
    const char *words;
    enum finding finding;
    const char *text;
} signs[] = {
    {"File size limit exceeded", FINDING_SIZE, "a file that it makes is too large"},
    {"No space left on device", FINDING_SIZE, "what it makes is too large"},
    {"File too large", FINDING_SIZE, "a file that it makes is too large"},
    {"out of memory", FINDING_MEMORY, "it takes too much memory to build"},
    {"virtual memory exhausted", FINDING_MEMORY, "it takes too much memory to build"},
    {"Cannot allocate memory", FINDING_MEMORY, "it takes too much memory to build"},
    {"MemoryError", FINDING_MEMORY, "it takes too much memory to build"},
};

// Whether a line tells of an error. Python says where it is first, with the line of the source, and
// what it is last: all between belongs to it.
static bool tells_error(const char *line, bool *traced) {
    if (strstr(line, "File \"") && strstr(line, ", line "))
        *traced = true;
    const bool named =
        strcasestr(line, "error") || strstr(line, "undefined") || strstr(line, "not found");
    const bool told = named || *traced;
    *traced = *traced && !named;
    return told;
}

// The first lines of a text that tell of errors; if none does, the last ones.
static void put_errors(const char *printed, char *out, size_t size) {
    int shown = 0;
    bool traced = false;
    size_t length = strlen(out);
    for (int pass = 0; pass < 2 && shown == 0; pass++)
        for (const char *line = printed; *line && shown < LINES_SHOWN;) {
            const size_t n = strcspn(line, "\n");
            char text[LINE_MAX_BYTES + 1];
            snprintf(text, sizeof text, "%.*s", n < LINE_MAX_BYTES ? (int)n : LINE_MAX_BYTES, line);
            const bool fits = tells_error(text, &traced) || pass == 1;
            if (fits && n > 0 && length + strlen(text) + 2 < size) {
                length += (size_t)snprintf(out + length, size - length, "\n%s", text);
                shown++;
            }
            line += n + (line[n] == '\n');
        }
}

static void find(struct submit_result *r, enum finding finding, const char *text) {
    r->finding = finding;
    snprintf(r->text, sizeof r->text, "%s", text);
}

// What the script could not tell any more.
static void put_end(const struct parting *how, char *out, size_t size) {
    const size_t length = strlen(out);
    if (how->exited && how->signal)
        snprintf(out + length, size - length, "\nthe build was killed by signal %d", how->signal);
    else if (how->exited)
        snprintf(out + length, size - length, "\nthe build ended with code %d", how->code);
    else
        snprintf(out + length, size - length, "\nthe build has ended without a word");
}

static void judge_failure(const struct run *run, struct submit_result *r) {
    const char *printed = run->printed->data ? run->printed->data : "";
    find(r, FINDING_BUILD, "it does not build:");
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (r->finding == FINDING_BUILD && strstr(printed, signs[i].words))
            find(r, signs[i].finding, signs[i].text);
    if (run->usage.over)
        find(r, FINDING_MEMORY, "it takes too much memory to build");
    if (run->large)
        find(r, FINDING_SIZE, "what it makes is too large");
    if (run->late)
        find(r, FINDING_SLOW, "");
    if (run->late)
        snprintf(r->text, sizeof r->text, "it takes more than %.0f s to build",
                 (double)run->build->job->limits.build_us / 1e6);
    put_errors(printed, r->text, sizeof r->text);
    if (r->finding == FINDING_BUILD && !*printed)
        put_end(&run->how, r->text, sizeof r->text);
}

static bool take_result(const struct run *run, struct submit_result *r, struct err *err) {
    const struct submit_limits *l = &run->build->job->limits;
    const struct unpack_limits limits = {.bytes = l->bytes, .files = l->files};
    char why[UNPACK_WHY_MAX];
    if (unpack_archive(run->stream.data, run->stream.length, run->build->job->into, &limits, why,
                       err)) {
        find(r, FINDING_GOOD, "");
        return true;
    }
    find(r, FINDING_SIZE, "");
    snprintf(r->text, sizeof r->text, "what it makes cannot be kept: %s", why);
    return !err->set;
}

bool build_run(const struct build *build, struct submit_result *result, struct buf *printed,
               struct err *err) {
    assert(build->job && build->source && build->command);
    struct run run = {.build = build, .printed = printed};
    bool good = run_in_folder(&run, err);
    // The stream begins when the command has succeeded. Its end may come before the exit status.
    const bool failed = run.how.exited && (run.how.code != 0 || run.how.signal != 0),
               built = run.gone && run.stream.length > 0 && !failed;
    if (good && built)
        good = take_result(&run, result, err);
    else if (good)
        judge_failure(&run, result);
    buf_done(&run.stream);
    return good;
}
