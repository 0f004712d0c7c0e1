// SPDX-License-Identifier: MIT
// A folder of ours holds what is needed on the way: the archive unpacked, and the kit's files. It
// is gone at the end, and what was built lies where the caller wants it.
#include "submit/submit.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/readable.h"
#include "base/scratch.h"
#include "base/whole.h"
#include "submit/build.h"
#include "submit/kit.h"
#include "submit/recipe.h"
#include "submit/source.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SUBMIT_SHOWN = 250 }; // bytes of a text that a table has room for

const struct submit_limits submit_standard = {.archive = 8 << 20,
                                              .bytes = 64 << 20,
                                              .files = 1000,
                                              .build_us = 60000000,
                                              .build_memory = 1 << 30};

static const char *const words[] = {
#define FINDING_WORD(id, word) word,
    FINDINGS(FINDING_WORD)
#undef FINDING_WORD
};

enum { FINDINGS_COUNT = sizeof words / sizeof *words };

const char *finding_word(enum finding finding) { return words[finding]; }

enum finding finding_find(const char *word) {
    const int found = text_among(word, words, FINDINGS_COUNT);
    return found < FINDINGS_COUNT ? (enum finding)found : FINDING_GOOD;
}

void submit_put_trouble(enum finding finding, const char *text,
                        char trouble[static SUBMIT_TROUBLE_MAX]) {
    const bool says = finding == FINDING_BUILD || finding == FINDING_GAME;
    const char *shown = says && strncmp(text, "it ", 3) == 0 ? text + 3 : text;
    snprintf(trouble, SUBMIT_TROUBLE_MAX, "%s%.*s",
             says                       ? ""
             : finding == FINDING_RULES ? "is refused: "
                                        : "does not build: ",
             (int)readable_cut(shown, strlen(shown), SUBMIT_SHOWN), shown);
    for (char *c = trouble; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
}

struct submit_making {
    const struct submit_job *job;
    struct submit_result *result;
    struct scratch work; // our folder
    struct buf source;   // the folder of sources
    struct buf kit;      // the folder of the kit's files
    struct recipe recipe;
    struct buf printed;
    struct err *err;
};

__attribute__((format(printf, 3, 4))) static void
find(struct submit_making *m, enum finding finding, const char *format, ...) {
    va_list list;
    va_start(list, format);
    m->result->finding = finding;
    vsnprintf(m->result->text, sizeof m->result->text, format, list);
    va_end(list);
}

static bool make_work(struct submit_making *m) {
    if (!scratch_make(&m->work, "a submission", m->err))
        return false;
    chmod(m->work.path, 0711); // a boxed build may be another user
    return true;
}

// True when there is a folder of sources.
static bool find_source(struct submit_making *m) {
    struct buf into = {.data = NULL};
    char why[SOURCE_WHY_MAX];
    buf_format(&into, "%s/source", m->work.path);
    const bool good = source_open(m->job, into.data, &m->source, why, m->err);
    if (!good && !m->err->set)
        find(m, FINDING_ARCHIVE, "%s", why);
    buf_done(&into);
    return good;
}

static struct recipe_job recipe_job_of(const struct submit_making *m) {
    return (struct recipe_job){.game = m->job->game,
                               .cpp = m->job->rules ? m->job->rules->cpp : NULL};
}

// True when it is clear where they lie, and they are none of another game's kit. Of a player whose
// start the organiser has written himself he knows what it is.
static bool look_at_source(struct submit_making *m) {
    const struct recipe_job wanted = recipe_job_of(m);
    struct kit_origin origin;
    char why[SOURCE_WHY_MAX];
    if (!source_go_down(&m->source, &wanted, why)) {
        find(m, FINDING_UNKNOWN, "%s", why);
        return false;
    }
    if (m->job->start || !kit_of_other_game(m->job->kits, m->source.data, m->job->game, &origin))
        return true;
    find(m, FINDING_RULES, "this is a kit of %s (%s is of kit %s), and the game is %s", origin.game,
         origin.file, origin.kit, m->job->game);
    return false;
}

// The files of the kit that the recipe names, into a folder, if there are any.
static bool lay_kit(struct submit_making *m) {
    const char *kit = m->recipe.kit.data;
    bool good = true;
    for (const struct embed *f = m->job->kits; good && kit && f && f->path; f++) {
        const char *name = kit_file_name(f, kit);
        if (!name)
            continue;
        if (!m->kit.data) {
            buf_format(&m->kit, "%s/kit", m->work.path);
            good =
                mkdir(m->kit.data, 0755) == 0 ||
                err_set(m->err, "cannot make the folder %.200s: %s", m->kit.data, strerror(errno));
        }
        struct buf path = {.data = NULL};
        buf_format(&path, "%s/%s", m->kit.data, name);
        good = good && (path_write(path.data, f->bytes, f->size) ||
                        err_set(m->err, "cannot write %.200s: %s", path.data, strerror(errno)));
        buf_done(&path);
    }
    return good;
}

// Whether it is what the contest takes.
static bool check_rules(struct submit_making *m) {
    struct buf why = {.data = NULL};
    if (!m->job->rules || m->job->start)
        return true;
    const bool good = submit_rules_allow(m->job->rules, m->source.data, &why, m->err);
    if (!good && !m->err->set)
        find(m, FINDING_RULES, "%s", why.data);
    buf_done(&why);
    return good;
}

// The compiler's errors are to be read with the standard that the contest asks for.
static void tell_standard(struct submit_making *m) {
    static const char plain[] = "it does not build:";
    struct submit_result *r = m->result;
    const char *cpp = m->job->rules && !m->job->build && !m->job->start ? m->job->rules->cpp : NULL;
    char text[SUBMIT_TEXT_MAX];
    if (!cpp || r->finding != FINDING_BUILD || strncmp(r->text, plain, strlen(plain)) != 0 ||
        !strstr(m->recipe.build.data ? m->recipe.build.data : "", cpp_flags(cpp)))
        return;
    snprintf(text, sizeof text, "it does not build as %s, which the contest asks for:%.*s", cpp,
             SUBMIT_TEXT_MAX - 100, r->text + strlen(plain));
    snprintf(r->text, sizeof r->text, "%s", text);
}

// As the organiser has said, or as is seen from the files; true if it is known.
static bool find_recipe(struct submit_making *m) {
    const struct submit_job *job = m->job;
    char why[RECIPE_WHY_MAX];
    if (job->start) {
        m->recipe.kind = "as the contest says";
        buf_text(&m->recipe.build, job->build ? job->build : "true");
        buf_text(&m->recipe.start, job->start);
        return true;
    }
    const struct recipe_job wanted = recipe_job_of(m);
    const bool known = recipe_find(&m->recipe, m->source.data, &wanted, why, m->err);
    if (!known)
        find(m, FINDING_UNKNOWN, "%s", why);
    if (known && job->build) {
        buf_clear(&m->recipe.build);
        buf_text(&m->recipe.build, job->build);
    }
    return known;
}

static bool run_build(struct submit_making *m, const char *command) {
    const struct build build = {
        .job = m->job, .source = m->source.data, .kit = m->kit.data, .command = command};
    return build_run(&build, m->result, &m->printed, m->err);
}

// Whether a build has failed because there is no Windows here.
static bool wants_windows(const struct submit_making *m) {
    for (size_t i = 0; i < recipe_windows_count; i++) {
        char sign[80];
        snprintf(sign, sizeof sign, "%s: No such file", recipe_windows[i]);
        if (m->printed.data && strcasestr(m->printed.data, sign))
            return true;
    }
    return false;
}

static void switch_to(struct buf *to, const struct buf *from) {
    buf_clear(to);
    buf_text(to, from->data);
}

// Built by mingw-w64, to be run by wine, or refused.
static bool build_for_windows(struct submit_making *m) {
    static const struct {
        const char *program, *package;
    } needed[] = {{"x86_64-w64-mingw32-g++", "g++-mingw-w64-x86-64"}, {"wine", "wine"}};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!path_has_program(needed[i].program)) {
            find(m, FINDING_WINDOWS,
                 "it needs windows.h or the like: that takes mingw-w64 to build and wine to run, "
                 "and %s is not installed here (apt install %s)",
                 needed[i].program, needed[i].package);
            return true;
        }
    buf_clear(&m->printed);
    m->recipe.made = "player.exe";
    switch_to(&m->recipe.start, &m->recipe.windows_start);
    return run_build(m, m->recipe.windows.data);
}

// Whether the program is there that will be started.
static void check_made(struct submit_making *m) {
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", m->job->into, m->recipe.made);
    if (access(path.data, X_OK) != 0)
        find(m, FINDING_BUILD, "it builds, and makes no program that is called %s", m->recipe.made);
    buf_done(&path);
}

static bool make(struct submit_making *m) {
    struct submit_result *r = m->result;
    if (!find_source(m))
        return !m->err->set;
    if (!look_at_source(m) || !check_rules(m) || !find_recipe(m))
        return !m->err->set;
    snprintf(r->kind, sizeof r->kind, "%s", m->recipe.kind);
    if (!lay_kit(m) || !run_build(m, m->recipe.build.length ? m->recipe.build.data : "true"))
        return false;
    if (r->finding == FINDING_BUILD && m->recipe.windows.length > 0 && wants_windows(m) &&
        !build_for_windows(m))
        return false;
    if (r->finding == FINDING_GOOD && m->recipe.made)
        check_made(m);
    tell_standard(m);
    snprintf(r->start, sizeof r->start, "%s",
             r->finding == FINDING_GOOD ? m->recipe.start.data : "");
    return true;
}

bool submit_make(const struct submit_job *job, struct submit_result *result, struct err *err) {
    assert(job->path && job->into && job->game);
    struct submit_making m = {.job = job, .result = result, .err = err};
    *result = (struct submit_result){.finding = FINDING_GOOD};
    const bool good = make_work(&m) && make(&m);
    if (!good || result->finding != FINDING_GOOD)
        path_remove(job->into);
    scratch_done(&m.work);
    buf_done(&m.source);
    buf_done(&m.kit);
    buf_done(&m.printed);
    recipe_done(&m.recipe);
    return good;
}
