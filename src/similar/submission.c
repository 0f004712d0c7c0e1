// SPDX-License-Identifier: MIT
// A folder is walked three times. The first walk reads what is a source by its name. The second
// follows #include lines to files that are none by their names, again as long as that finds more.
// The third looks into all that is left, whether code may be hidden there. Nothing is refused as a
// whole: what is too large, too deep or too much is left out, counted, and the first such thing is
// told, so that an organiser knows what the comparison did not see.
#include "similar/submission.h"

#include "base/mem.h"
#include "similar/suspect.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
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
    TOKENS_FEW = 60,       // fewer are no player
    ROUNDS_MOST = 16,      // walks for what #include lines name
    LOOKS_MOST = 1000,     // files that are no source and are looked into
    PIECE_LEAST = 30,      // tokens of a file, fewer may not be found
    SHARE_MOST = 10,       // percent of the tokens that may be doubtful, unremarked
};

struct reader {
    struct submission *to;
    size_t total;
    enum {
        READING,
        INCLUDING, // what #include lines name
        LOOKING,   // into what is not compared
    } walk;
    int looks;
};

// Only this is not compared; the first of them is told by name.
__attribute__((format(printf, 3, 4))) static void leave_out(struct reader *r, const char *inside,
                                                            const char *why, ...) {
    struct submission *s = r->to;
    s->left_out++;
    if (s->first_out)
        return;
    char reason[100];
    struct buf said = {.data = NULL};
    va_list values;
    va_start(values, why);
    vsnprintf(reason, sizeof reason, why, values);
    va_end(values);
    buf_format(&said, "%.200s %s", inside, reason);
    s->first_out = said.data;
}

// A file that an #include line names is C, whatever its name is.
static enum language language_of(const struct reader *r, const char *path) {
    const char *slash = strrchr(path, '/');
    if (r->walk == READING)
        return token_language(path);
    return tokens_name(&r->to->tokens, slash ? slash + 1 : path) ? LANGUAGE_C : LANGUAGE_NONE;
}

static bool has_read(const struct submission *s, const char *inside, enum language language) {
    for (int i = 0; i < s->source_count; i++)
        if (s->sources[i].language == language && strcmp(s->sources[i].path, inside) == 0)
            return true;
    return false;
}

// What the first walk met already is told of by that one.
static void leave_unread(struct reader *r, const char *inside) {
    if (r->walk == READING)
        leave_out(r, inside, "cannot be read: %s", strerror(errno));
}

static void leave_deep(struct reader *r, const char *inside) {
    if (r->walk == READING)
        leave_out(r, inside, "lies more than %d folders deep", DEPTH_MOST);
}

static void read_all(struct reader *r, int fd, size_t size, const char *inside) {
    struct submission *s = r->to;
    const enum language language = language_of(r, inside);
    char *text = mem_new(size + 1, 1);
    size_t had = 0;
    ssize_t got = 1;
    while (had < size && (got = read(fd, text + had, size - had)) > 0)
        had += (size_t)got;
    if (got < 0) {
        free(text);
        leave_out(r, inside, "cannot be read: %s", strerror(errno));
        return;
    }
    s->sources = mem_resize(s->sources, (size_t)(s->source_count + 1) * sizeof *s->sources);
    s->sources[s->source_count] =
        (struct source){.path = mem_text(inside), .text = text, .size = had, .language = language};
    tokens_scan(&s->tokens, text, had, language, s->source_count);
    s->source_count++;
}

static void read_open(struct reader *r, const char *path, const char *inside, size_t size) {
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        leave_out(r, inside, "cannot be read: %s", strerror(errno));
        return;
    }
    r->total += size;
    read_all(r, fd, size, inside);
    close(fd);
}

static void read_source(struct reader *r, const char *path, const char *inside, size_t size) {
    if (size > SIZE_MOST)
        leave_out(r, inside, "is larger than %d MB", SIZE_MOST >> 20);
    else if (r->total + size > TOTAL_MOST)
        leave_out(r, inside, "is beyond the first %d MB", TOTAL_MOST >> 20);
    else if (r->to->source_count == SOURCES_MOST)
        leave_out(r, inside, "is beyond the first %d sources", SOURCES_MOST);
    else
        read_open(r, path, inside, size);
}

static bool is_hidden(const char *inside) { return *inside == '.' || strstr(inside, "/."); }

// Sources that can be seen were met by the first walk.
static bool was_met(const struct submission *s, const char *inside) {
    if (token_language(inside) != LANGUAGE_NONE && !is_hidden(inside))
        return true;
    return has_read(s, inside, LANGUAGE_C);
}

static void look_into(struct reader *r, const char *path, const char *inside) {
    if (was_met(r->to, inside) || r->looks++ >= LOOKS_MOST)
        return;
    const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    char *bytes = mem_new(SUSPECT_BYTES, 1);
    const ssize_t size = fd >= 0 ? read(fd, bytes, SUSPECT_BYTES) : 0;
    const char *reason = size > 0 ? suspect_reason(bytes, (size_t)size) : NULL;
    if (reason)
        leave_out(r, inside, "%s", reason);
    free(bytes);
    if (fd >= 0)
        close(fd);
}

static void read_folder(struct reader *r, const char *path, size_t root, int depth);

// A path below the one given, which is `root` bytes long.
static void read_entry(struct reader *r, const char *path, size_t root, int depth) {
    const char *inside = path + root + 1;
    struct stat there;
    if (lstat(path, &there) != 0)
        leave_unread(r, inside);
    else if (S_ISDIR(there.st_mode) && depth >= DEPTH_MOST)
        leave_deep(r, inside);
    else if (S_ISDIR(there.st_mode))
        read_folder(r, path, root, depth + 1);
    else if (S_ISREG(there.st_mode) && r->walk == LOOKING)
        look_into(r, path, inside);
    else if (S_ISREG(there.st_mode) && language_of(r, path) != LANGUAGE_NONE &&
             !(r->walk == INCLUDING && has_read(r->to, inside, LANGUAGE_C)))
        read_source(r, path, inside, (size_t)there.st_size);
}

static int is_seen(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int is_below(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

// In the order of the names, so that the same folder is always read the same.
static void read_folder(struct reader *r, const char *path, size_t root, int depth) {
    struct dirent **list;
    const int count = scandir(path, &list, r->walk == READING ? is_seen : is_below, alphasort);
    if (count < 0) {
        leave_unread(r, path[root] ? path + root + 1 : path);
        return;
    }
    struct buf below = {.data = NULL};
    for (int i = 0; i < count; i++) {
        buf_clear(&below);
        buf_format(&below, "%s/%s", path, list[i]->d_name);
        read_entry(r, below.data, root, depth);
        free(list[i]);
    }
    free(list);
    buf_done(&below);
}

// Walks again as long as #include lines name more; what a walk leaves out the next one does too,
// and it is counted once.
static void read_named(struct reader *r, const char *path) {
    struct submission *s = r->to;
    const int left_out = s->left_out;
    int had = 0, rounds = 0;
    for (r->walk = INCLUDING; s->tokens.named_count > had && rounds < ROUNDS_MOST; rounds++) {
        had = s->tokens.named_count;
        s->left_out = left_out;
        read_folder(r, path, strlen(path), 0);
    }
    if (s->tokens.named_count > had || had == NAMED_MOST)
        leave_out(r, "what #include lines name", "is more than is followed");
}

static bool read_path(struct reader *r, const char *path, struct err *err) {
    struct stat there;
    if (stat(path, &there) != 0)
        return err_set(err, "cannot read %.200s: %s", path, strerror(errno));
    r->to->there = true;
    if (S_ISDIR(there.st_mode)) {
        read_folder(r, path, strlen(path), 0);
        read_named(r, path);
        r->walk = LOOKING;
        read_folder(r, path, strlen(path), 0);
        return true;
    }
    if (!S_ISREG(there.st_mode) || token_language(path) == LANGUAGE_NONE)
        return err_set(err,
                       "%.200s is no source of C, C++ or Python, by its name; a submission is such "
                       "a file or a folder of them",
                       path);
    const char *slash = strrchr(path, '/');
    read_source(r, path, slash ? slash + 1 : path, (size_t)there.st_size);
    return true;
}

static void put_macros_in(struct submission *s) {
    const char **texts = mem_new((size_t)s->source_count + 1, sizeof *texts);
    for (int i = 0; i < s->source_count; i++)
        texts[i] = s->sources[i].language == LANGUAGE_C ? s->sources[i].text : NULL;
    macros_expand(&s->tokens, texts, &s->macros);
    free(texts);
}

bool submission_read(struct submission *s, const char *path, struct err *err) {
    struct reader r = {.to = s};
    s->name = mem_text(path);
    for (size_t end = strlen(s->name); end > 1 && s->name[end - 1] == '/'; end--)
        s->name[end - 1] = '\0';
    if (!read_path(&r, s->name, err))
        return false;
    put_macros_in(s);
    if (s->source_count > 0)
        return true;
    return s->first_out
               ? err_set(err, "nothing of %.200s can be compared: %.200s", s->name, s->first_out)
               : err_set(err, "%.200s holds no source of C, C++ or Python", s->name);
}

static void put_reason(struct buf *out, const char *words) {
    buf_format(out, "%s%s", out->length > 0 ? "; " : "", words);
}

// So many of the tokens are more than may be, unremarked.
static bool is_much(const struct submission *s, int tokens) {
    return tokens >= TOKENS_FEW && 100LL * tokens > (long long)SHARE_MOST * s->tokens.count;
}

static void put_trick(const struct submission *s, struct buf *out) {
    const struct trick *trick = &s->tokens.trick;
    if (!trick->what)
        return;
    put_reason(out, "");
    buf_format(out, "%.200s %s (line %u)", s->sources[trick->at.file].path, trick->what,
               (unsigned)trick->at.line);
}

// Tokens in files that are too short for a print.
static int count_in_pieces(const struct submission *s) {
    int count = 0;
    for (int i = 0, begin = 0; i < s->tokens.count; i++) {
        if (s->tokens.at[begin].file != s->tokens.at[i].file)
            begin = i;
        const bool last =
            i + 1 == s->tokens.count || s->tokens.at[i + 1].file != s->tokens.at[i].file;
        if (last && i + 1 - begin < PIECE_LEAST)
            count += i + 1 - begin;
    }
    return count;
}

void submission_remark(const struct submission *s, struct buf *out) {
    if (s->left_out > 0)
        buf_format(out, "compared in part: %s", s->first_out);
    if (s->left_out > 1)
        buf_format(out, ", and %d more left out", s->left_out - 1);
    if (s->tokens.count < TOKENS_FEW)
        put_reason(out, "hardly any code to compare");
    if (is_much(s, count_in_pieces(s)))
        put_reason(out, "much of it lies in files too short to compare");
    if (s->macros.cut)
        put_reason(out, "macros stand for more than is compared");
    if (is_much(s, s->macros.unsure))
        put_reason(out, "much of it comes from macros with several meanings");
    if (is_much(s, s->macros.unused))
        put_reason(out, "much of it lies in macros that nothing uses");
    put_trick(s, out);
}

void submission_done(struct submission *s) {
    for (int i = 0; i < s->source_count; i++) {
        free(s->sources[i].path);
        free(s->sources[i].text);
    }
    free(s->sources);
    free(s->name);
    free(s->first_out);
    free(s->shared);
    free(s->prints);
    tokens_done(&s->tokens);
    *s = (struct submission){.name = NULL};
}
