// SPDX-License-Identifier: MIT
// People pack what they have: the sources alone, the folder around them, or all of a project with
// the sources two folders down. The nearest folder with sources is meant, unless there are several.
#include "submit/source.h"

#include "base/path.h"
#include "submit/unpack.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 6, FOLDERS_MAX = 400 };

// The bytes of a file; false also if there are too many, or none.
static bool read_bytes(const struct submit_job *job, struct buf *bytes,
                       char why[static SOURCE_WHY_MAX], struct err *err) {
    const int64_t most = job->limits.archive;
    if (!path_read(job->path, (size_t)most, bytes))
        return err_set(err, "cannot read %.200s: %s", job->path, strerror(errno));
    if (bytes->length == 0)
        snprintf(why, SOURCE_WHY_MAX, "the file is empty: nothing has come");
    if ((int64_t)bytes->length > most)
        snprintf(why, SOURCE_WHY_MAX, "the archive is larger than %lld bytes", (long long)most);
    return !*why;
}

// A folder with that file alone.
static bool copy_file(const struct submit_job *job, const char *into, const struct buf *bytes,
                      struct err *err) {
    const char *name = strrchr(job->path, '/');
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s", into, name ? name + 1 : job->path);
    const bool good = mkdir(into, 0755) == 0 && path_write(path.data, bytes->data, bytes->length) &&
                      chmod(path.data, 0644) == 0;
    if (!good)
        err_set(err, "cannot write %.200s: %s", path.data, strerror(errno));
    buf_done(&path);
    return good;
}

static bool unpack(const struct submit_job *job, const char *into, const struct buf *bytes,
                   char why[static SOURCE_WHY_MAX], struct err *err) {
    const struct unpack_limits limits = {.bytes = job->limits.bytes, .files = job->limits.files};
    char refusal[UNPACK_WHY_MAX];
    const bool good = unpack_archive(bytes->data, bytes->length, into, &limits, refusal, err);
    if (!good)
        snprintf(why, SOURCE_WHY_MAX, "the archive is refused: %s", refusal);
    return good;
}

static bool open_file(const struct submit_job *job, const char *into,
                      char why[static SOURCE_WHY_MAX], struct err *err) {
    struct buf bytes = {.data = NULL};
    const bool good = read_bytes(job, &bytes, why, err) &&
                      (recipe_is_source(job->path) ? copy_file(job, into, &bytes, err)
                                                   : unpack(job, into, &bytes, why, err));
    buf_done(&bytes);
    return good;
}

bool source_open(const struct submit_job *job, const char *into, struct buf *folder,
                 char why[static SOURCE_WHY_MAX], struct err *err) {
    struct stat info;
    char whole[PATH_MAX];
    why[0] = '\0';
    const bool there = stat(job->path, &info) == 0;
    if (!there || (S_ISDIR(info.st_mode) && !realpath(job->path, whole)))
        return err_set(err, "cannot read %.200s: %s", job->path, strerror(errno));
    buf_text(folder, S_ISDIR(info.st_mode) ? whole : into);
    return S_ISDIR(info.st_mode) || open_file(job, into, why, err);
}

// Folders, each by its path.
struct folders {
    struct buf at[FOLDERS_MAX];
    int count;
};

static void folders_clear(struct folders *f) {
    for (int i = 0; i < f->count; i++)
        buf_done(&f->at[i]);
    *f = (struct folders){.count = 0};
}

// Adds the folders in a folder; returns how many files there are beside them. Hidden ones are of
// tools and hold no sources.
static int add_folders(struct folders *f, const char *folder) {
    int files = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        if (entry->d_type != DT_DIR)
            files++;
        else if (f->count < FOLDERS_MAX)
            buf_format(&f->at[f->count++], "%s/%s", folder, entry->d_name);
    }
    if (dir)
        closedir(dir);
    return files;
}

static bool has_sources(const char *folder, const struct recipe_job *job) {
    struct recipe recipe = {.kind = NULL};
    struct err unused = {.set = false};
    char why[RECIPE_WHY_MAX];
    recipe_find(&recipe, folder, job, why, &unused);
    const bool found = recipe.kind;
    recipe_done(&recipe);
    return found;
}

static void name_both(const struct buf *top, const struct buf *a, const struct buf *b,
                      char why[static SOURCE_WHY_MAX]) {
    snprintf(why, SOURCE_WHY_MAX,
             "there are sources in %.150s and in %.150s: hand in one of these folders",
             a->data + top->length + 1, b->data + top->length + 1);
}

// One level further down: true when the search is over.
static bool search(struct buf *folder, struct folders *at, const struct recipe_job *job,
                   char why[static SOURCE_WHY_MAX]) {
    int found = -1;
    for (int i = 0; i < at->count && !*why; i++)
        if (has_sources(at->at[i].data, job)) {
            if (found >= 0)
                name_both(folder, &at->at[found], &at->at[i], why);
            found = i;
        }
    if (found < 0 || *why)
        return *why;
    buf_clear(folder);
    buf_text(folder, at->at[found].data);
    return true;
}

static int folders_compare(const void *a, const void *b) {
    return strcmp(((const struct buf *)a)->data, ((const struct buf *)b)->data);
}

// Archives mostly hold one folder with everything in it.
static void enter_only_folder(struct buf *folder) {
    struct folders in = {.count = 0};
    while (folder->length < PATH_MAX / 2 && add_folders(&in, folder->data) == 0 && in.count == 1) {
        buf_clear(folder);
        buf_text(folder, in.at[0].data);
        folders_clear(&in);
    }
    folders_clear(&in);
}

bool source_go_down(struct buf *folder, const struct recipe_job *job,
                    char why[static SOURCE_WHY_MAX]) {
    struct folders at = {.count = 0}, below = {.count = 0};
    why[0] = '\0';
    enter_only_folder(folder);
    bool over = has_sources(folder->data, job);
    buf_text(&at.at[at.count++], folder->data);
    for (int depth = 0; !over && depth < DEPTH_MAX && at.count > 0; depth++) {
        for (int i = 0; i < at.count; i++)
            add_folders(&below, at.at[i].data);
        folders_clear(&at);
        qsort(below.at, (size_t)below.count, sizeof *below.at, folders_compare);
        over = search(folder, &below, job, why);
        at = below;
        below = (struct folders){.count = 0};
    }
    folders_clear(&at);
    return !*why;
}
