// SPDX-License-Identifier: MIT
#include "similar/submission.h"

#include "base/buf.h"
#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SIZE_MOST = 4 << 20,   // of a source, in bytes
    SOURCES_MOST = 2000,   // of a submission
    TOTAL_MOST = 32 << 20, // bytes of them all
    DEPTH_MOST = 16,       // folders in folders
};

struct reader {
    struct submission *to;
    size_t total;
    struct err *err;
};

static bool read_all(struct reader *r, int fd, size_t size, const char *path, const char *inside) {
    struct submission *s = r->to;
    char *text = mem_new(size + 1, 1);
    size_t had = 0;
    ssize_t got = 1;
    while (had < size && (got = read(fd, text + had, size - had)) > 0)
        had += (size_t)got;
    if (got < 0) {
        free(text);
        return err_set(r->err, "cannot read %.200s: %s", path, strerror(errno));
    }
    s->sources = mem_resize(s->sources, (size_t)(s->source_count + 1) * sizeof *s->sources);
    s->sources[s->source_count] =
        (struct source){.path = mem_text(inside), .text = text, .size = had};
    tokens_scan(&s->tokens, text, had, token_language(path), s->source_count);
    s->source_count++;
    return true;
}

static bool read_source(struct reader *r, const char *path, const char *inside,
                        const struct stat *there) {
    if (there->st_size > SIZE_MOST)
        return err_set(r->err, "%.200s is larger than %d MB; no source is", path, SIZE_MOST >> 20);
    r->total += (size_t)there->st_size;
    if (r->total > TOTAL_MOST || r->to->source_count == SOURCES_MOST)
        return err_set(r->err, "%.200s holds more than %d sources or %d MB of them", r->to->name,
                       SOURCES_MOST, TOTAL_MOST >> 20);
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return err_set(r->err, "cannot read %.200s: %s", path, strerror(errno));
    const bool good = read_all(r, fd, (size_t)there->st_size, path, inside);
    close(fd);
    return good;
}

static bool read_folder(struct reader *r, const char *path, size_t root, int depth);

// A path below the one given, which is `root` bytes long.
static bool read_entry(struct reader *r, const char *path, size_t root, int depth) {
    struct stat there;
    if (lstat(path, &there) != 0)
        return err_set(r->err, "cannot read %.200s: %s", path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return depth >= DEPTH_MOST
                   ? err_set(r->err, "%.200s lies more than %d folders deep", path, DEPTH_MOST)
                   : read_folder(r, path, root, depth + 1);
    if (!S_ISREG(there.st_mode) || token_language(path) == LANGUAGE_NONE)
        return true;
    return read_source(r, path, path + root + 1, &there);
}

static int is_seen(const struct dirent *entry) { return entry->d_name[0] != '.'; }

// In the order of the names, so that the same folder is always read the same.
static bool read_folder(struct reader *r, const char *path, size_t root, int depth) {
    struct dirent **list;
    const int count = scandir(path, &list, is_seen, alphasort);
    if (count < 0)
        return err_set(r->err, "cannot read the folder %.200s: %s", path, strerror(errno));
    struct buf below = {.data = NULL};
    bool good = true;
    for (int i = 0; i < count; i++) {
        buf_clear(&below);
        buf_format(&below, "%s/%s", path, list[i]->d_name);
        good = good && read_entry(r, below.data, root, depth);
        free(list[i]);
    }
    free(list);
    buf_done(&below);
    return good;
}

static bool read_path(struct reader *r, const char *path) {
    struct stat there;
    if (stat(path, &there) != 0)
        return err_set(r->err, "cannot read %.200s: %s", path, strerror(errno));
    if (S_ISDIR(there.st_mode))
        return read_folder(r, path, strlen(path), 0);
    if (!S_ISREG(there.st_mode) || token_language(path) == LANGUAGE_NONE)
        return err_set(r->err,
                       "%.200s is no source of C, C++ or Python, by its name; a submission is such "
                       "a file or a folder of them",
                       path);
    const char *slash = strrchr(path, '/');
    return read_source(r, path, slash ? slash + 1 : path, &there);
}

bool submission_read(struct submission *s, const char *path, struct err *err) {
    struct reader r = {.to = s, .err = err};
    s->name = mem_text(path);
    for (size_t end = strlen(s->name); end > 1 && s->name[end - 1] == '/'; end--)
        s->name[end - 1] = '\0';
    if (!read_path(&r, s->name))
        return false;
    return s->source_count > 0 ||
           err_set(err, "%.200s holds no source of C, C++ or Python", s->name);
}

void submission_done(struct submission *s) {
    for (int i = 0; i < s->source_count; i++) {
        free(s->sources[i].path);
        free(s->sources[i].text);
    }
    free(s->sources);
    free(s->name);
    free(s->shared);
    free(s->prints);
    tokens_done(&s->tokens);
    *s = (struct submission){.name = NULL};
}
