// SPDX-License-Identifier: MIT
// `arbiter similar`: which of the submissions have code in common.
#include "base/json.h"
#include "base/mem.h"
#include "base/plain.h"
#include "cli/setup.h"
#include "similar/page.h"
#include "similar/print.h"
#include "similar/tiles.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINES_SHOWN = 20, SUBMISSIONS_MOST = 20000 };

struct similar_work {
    struct submission *list;
    int count;
    struct base_code base;
    struct pairs pairs;
    int *group;
    int64_t flagged;
    struct skipped *skipped;
    int skipped_count;
};

// A submission with nothing to compare, and why.
struct skipped {
    char *name, *why;
};

static bool is_folder(const char *path) {
    struct stat there;
    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

static void skip(struct similar_work *w, struct submission *s, const struct err *why) {
    w->skipped = mem_resize(w->skipped, (size_t)(w->skipped_count + 1) * sizeof *w->skipped);
    w->skipped[w->skipped_count++] =
        (struct skipped){.name = mem_text(s->name), .why = mem_text(why->text)};
    submission_done(s);
}

// One in which there is nothing to compare does not keep the others from it.
static bool add_one(struct similar_work *w, const char *path, bool outside, struct err *err) {
    if (w->count == SUBMISSIONS_MOST)
        return err_set(err, "there are more than %d submissions", SUBMISSIONS_MOST);
    w->list = mem_resize(w->list, (size_t)(w->count + 1) * sizeof *w->list);
    struct submission s = {.outside = outside};
    struct err why = {.set = false};
    const bool good = submission_read(&s, path, &why);
    if (!good && s.there) {
        skip(w, &s, &why);
        return true;
    }
    w->list[w->count++] = s;
    return good || err_set(err, "%s", why.text);
}

static int is_candidate(const struct dirent *entry) { return entry->d_name[0] != '.'; }

// Every folder and every source in a folder is a submission of its own.
static bool add_each(struct similar_work *w, const char *folder, bool outside, struct err *err) {
    struct dirent **list;
    const int count = scandir(folder, &list, is_candidate, alphasort);
    if (count < 0)
        return err_set(err, "cannot read the folder %.200s: %s", folder, strerror(errno));
    struct buf path = {.data = NULL};
    bool good = true;
    for (int i = 0; i < count; i++) {
        buf_clear(&path);
        buf_format(&path, "%s/%s", folder, list[i]->d_name);
        if (good && (is_folder(path.data) || token_language(path.data) != LANGUAGE_NONE))
            good = add_one(w, path.data, outside, err);
        free(list[i]);
    }
    free(list);
    buf_done(&path);
    return good;
}

static bool add_base(struct similar_work *w, const char *path, struct err *err) {
    struct submission s = {.name = NULL};
    const bool good = submission_read(&s, path, err);
    if (good)
        base_add(&w->base, &s);
    submission_done(&s);
    return good;
}

static bool refuse_few(const struct similar_work *w, struct err *err) {
    if (w->skipped_count > 0)
        return err_set(err, "fewer than two submissions are left to compare: %.300s",
                       w->skipped[0].why);
    return err_set(err, "there is only one submission, %.200s; nothing to compare it with",
                   w->list[0].name);
}

static bool read_all(struct similar_work *w, const struct args *args, struct err *err) {
    bool good = true;
    if (args->words == 1 && is_folder(args->word[0]))
        good = add_each(w, args->word[0], false, err);
    else
        for (int i = 0; i < args->words && good; i++)
            good = add_one(w, args->word[i], false, err);
    if (good && w->count + w->skipped_count == 0)
        good = err_set(err,
                       "%.200s holds no submissions: no folder, and no source of C, C++ or Python",
                       args->word[0]);
    for (int i = 0; i < args->options && good; i++) {
        const char *name = args->given[i].option->name, *value = args->given[i].value;
        if (strcmp(name, "--base") == 0)
            good = add_base(w, value, err);
        else if (strcmp(name, "--against") == 0)
            good = is_folder(value) ? add_each(w, value, true, err) : add_one(w, value, true, err);
    }
    return good && (w->count > 1 || refuse_few(w, err));
}

static void compare(struct similar_work *w) {
    for (int i = 0; i < w->count; i++)
        prints_make(&w->list[i], &w->base);
    pairs_compare(&w->pairs, w->list, w->count);
    w->group = mem_new((size_t)w->count, sizeof *w->group);
    pairs_group(&w->pairs, (double)w->flagged, w->count, w->group);
}

static bool is_flagged(const struct similar_work *w, const struct pair *p) {
    return pair_most(p) >= (double)w->flagged;
}

static json_t *lines_of(const struct submission *s, const struct tile *t, int which) {
    const struct token *first = &s->tokens.at[t->at[which]], *last = first + t->length - 1;
    return json_pack("{s:o,s:i,s:i}", "file", json_text(s->sources[first->file].path), "from",
                     (int)first->line, "to", (int)last->line);
}

static json_t *tiles_json(const struct submission *a, const struct submission *b) {
    struct tile *tiles;
    const int count = tiles_find(a, b, &tiles);
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list,
                              json_pack("{s:i,s:[o,o]}", "tokens", tiles[i].length, "at",
                                        lines_of(a, &tiles[i], 0), lines_of(b, &tiles[i], 1)));
    free(tiles);
    return list;
}

static json_t *pair_json(const struct similar_work *w, const struct pair *p) {
    const struct submission *a = &w->list[p->a], *b = &w->list[p->b];
    json_t *said =
        json_pack("{s:[o,o],s:[f,f],s:b}", "submissions", json_text(a->name), json_text(b->name),
                  "percent", p->percent[0], p->percent[1], "flagged", is_flagged(w, p));
    if (is_flagged(w, p))
        json_object_set_new(said, "common", tiles_json(a, b));
    return said;
}

static json_t *submission_json(const struct submission *s) {
    struct buf said = {.data = NULL};
    json_t *object =
        json_pack("{s:o,s:i,s:i,s:i,s:b}", "name", json_text(s->name), "files", s->source_count,
                  "tokens", s->tokens.count, "own", s->own, "outside", s->outside);
    submission_remark(s, &said);
    if (said.length > 0)
        json_object_set_new(object, "remark", json_text(said.data));
    buf_done(&said);
    return object;
}

static json_t *skipped_json(const struct similar_work *w) {
    json_t *list = json_array();
    for (int i = 0; i < w->skipped_count; i++)
        json_array_append_new(list, json_pack("{s:o,s:o}", "name", json_text(w->skipped[i].name),
                                              "remark", json_text(w->skipped[i].why)));
    return list;
}

static void print_json(const struct similar_work *w) {
    json_t *submissions = json_array(), *pairs = json_array();
    for (int i = 0; i < w->count; i++)
        json_array_append_new(submissions, submission_json(&w->list[i]));
    for (int i = 0; i < w->pairs.count; i++)
        json_array_append_new(pairs, pair_json(w, &w->pairs.at[i]));
    json_print_line(
        stdout, json_pack("{s:i,s:i,s:o,s:o,s:o,s:o}", "never_below", PRINT_LENGTH, "always_from",
                          PRINT_SURE, "submissions", submissions, "pairs", pairs, "clusters",
                          pairs_groups(w->list, w->count, w->group), "skipped", skipped_json(w)));
}

static void print_pairs(const struct similar_work *w, int flagged) {
    const int most = flagged > LINES_SHOWN ? flagged : LINES_SHOWN;
    for (int i = 0; i < w->pairs.count && i < most; i++) {
        const struct pair *p = &w->pairs.at[i];
        plain_print(stdout, "%s %5.1f %% of %s, %5.1f %% of %s\n", is_flagged(w, p) ? "!" : " ",
                    p->percent[0], w->list[p->a].name, p->percent[1], w->list[p->b].name);
    }
    if (w->pairs.count > most)
        plain_print(stdout, "  and %d more pairs of %d %% or more\n", w->pairs.count - most,
                    PAIR_LEAST);
}

static void print_groups(const struct similar_work *w) {
    json_t *groups = pairs_groups(w->list, w->count, w->group), *group, *name;
    size_t i, k;
    json_array_foreach(groups, i, group) {
        plain_print(stdout, "together:");
        json_array_foreach(group, k, name) plain_print(stdout, " %s", json_string_value(name));
        plain_print(stdout, "\n");
    }
    json_decref(groups);
}

static void print_remarks(const struct similar_work *w) {
    struct buf said = {.data = NULL};
    for (int i = 0; i < w->count; i++) {
        buf_clear(&said);
        submission_remark(&w->list[i], &said);
        if (said.length > 0)
            plain_print(stdout, "%s: %s\n", w->list[i].name, said.data);
    }
    buf_done(&said);
}

static void print_text(const struct similar_work *w) {
    int flagged = 0;
    while (flagged < w->pairs.count && is_flagged(w, &w->pairs.at[flagged]))
        flagged++;
    print_pairs(w, flagged);
    print_groups(w);
    print_remarks(w);
    plain_print(stdout, "%d submissions, %d pair%s flagged (%d %% or more)\n", w->count, flagged,
                flagged == 1 ? "" : "s", (int)w->flagged);
}

// All remarks, for the page; `said` holds the texts, one for each submission.
static int list_remarks(const struct similar_work *w, struct page_remark *remarks,
                        struct buf *said) {
    int count = 0;
    for (int i = 0; i < w->skipped_count; i++)
        remarks[count++] = (struct page_remark){w->skipped[i].name, w->skipped[i].why};
    for (int i = 0; i < w->count; i++) {
        submission_remark(&w->list[i], &said[i]);
        if (said[i].length > 0)
            remarks[count++] = (struct page_remark){w->list[i].name, said[i].data};
    }
    return count;
}

static void put_page(const struct similar_work *w, struct buf *out) {
    struct buf *said = mem_new((size_t)w->count, sizeof *said);
    struct page_remark *remarks = mem_new((size_t)(w->count + w->skipped_count), sizeof *remarks);
    page_write(&(struct page){.list = w->list,
                              .count = w->count,
                              .pairs = &w->pairs,
                              .group = w->group,
                              .flagged = (double)w->flagged,
                              .remarks = remarks,
                              .remark_count = list_remarks(w, remarks, said)},
               out);
    for (int i = 0; i < w->count; i++)
        buf_done(&said[i]);
    free(said);
    free(remarks);
}

static bool write_page(const struct similar_work *w, const char *path, struct err *err) {
    struct buf out = {.data = NULL};
    put_page(w, &out);
    FILE *file = fopen(path, "wb");
    bool good = file && fwrite(out.data, 1, out.length, file) == out.length;
    if (file)
        good = fclose(file) == 0 && good;
    buf_done(&out);
    return good || err_set(err, "cannot write %.200s: %s", path, strerror(errno));
}

static bool report(const struct similar_work *w, const struct args *args, struct err *err) {
    const char *page = args_value(args, "--html");
    for (int i = 0; i < w->skipped_count; i++)
        plain_print(stderr, "not compared: %s\n", w->skipped[i].why);
    if (args_value(args, "--json"))
        print_json(w);
    else
        print_text(w);
    return !page || write_page(w, page, err);
}

static void done(struct similar_work *w) {
    for (int i = 0; i < w->count; i++)
        submission_done(&w->list[i]);
    for (int i = 0; i < w->skipped_count; i++) {
        free(w->skipped[i].name);
        free(w->skipped[i].why);
    }
    free(w->skipped);
    free(w->list);
    free(w->group);
    base_done(&w->base);
    pairs_done(&w->pairs);
}

static int similar_run(const struct args *args, struct err *err) {
    struct similar_work w = {.count = 0};
    bool good = args_number(args, (struct number_option){"--flag", PAIR_FLAGGED, PAIR_LEAST, 100},
                            &w.flagged, err) &&
                read_all(&w, args, err);
    if (good) {
        compare(&w);
        good = report(&w, args, err);
    }
    done(&w);
    return good ? 0 : -1;
}

static const struct option options[] = {
    {"--base", "PATH",
     "code that all were given, such as a kit: it counts on no side; may be repeated"},
    {"--against", "PATH",
     "outside sources, a file or a folder of submissions, to compare with; may be repeated"},
    {"--flag", "PERCENT", "flag pairs of so many percent or more (25)"},
    {"--html", "FILE", "write a page with the flagged pairs side by side"},
    OPTION_JSON,
};

const struct command command_similar = {
    .name = "similar",
    .arguments = "PATH...",
    .words_min = 1,
    .words_max = ARGS_MAX,
    .summary = "find submissions that have code in common",
    .help =
        "Every PATH is a submission: a source of C, C++ or Python, or a folder of such. One folder "
        "alone\n"
        "is a folder of submissions. Every submission is compared with every other. Names, "
        "literals,\n"
        "types, comments and layout do not count. A stretch of 30 tokens in common is always "
        "found,\n"
        "one below 22 never. Printed are the pairs with 5 % or more, those flagged with \"!\", and "
        "who\n"
        "hangs together through flagged pairs.\n"
        "Example: arbiter similar submissions --base kits/reversi/cpp --html similar.html\n",
    COMMAND_OPTIONS(options),
    .run = similar_run,
};
