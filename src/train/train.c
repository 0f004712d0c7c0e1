// SPDX-License-Identifier: MIT
// A file is written under another name, flushed, and renamed: it is there whole or not at all.
// Those that are one of many end with their length and a sum, so that one damaged later is made
// again; so does what a training keeps of itself, of which a damaged one is refused. What a file
// holds depends on its number alone, so it does not matter which thread makes it, nor in which run.
#include "train/train.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/path.h"
#include "engine/share.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { PATH_MAX_BYTES = 1024, NAME_MAX_BYTES = 64, SAY_EVERY_US = 10000000 };

void train_say(const struct training *t, const char *format, ...) {
    char line[512];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    t->say(t->listener, line);
}

void train_shuffle(struct rng *rng, uint32_t *order, size_t count) {
    for (size_t i = count; i > 1; i--) {
        const uint32_t k = rng_below(rng, (uint32_t)i), swap = order[i - 1];
        order[i - 1] = order[k];
        order[k] = swap;
    }
}

static void path_of(const struct training *t, const char *name, const char *end,
                    char path[static PATH_MAX_BYTES]) {
    snprintf(path, PATH_MAX_BYTES, "%s/%s%s", t->folder, name, end);
}

bool train_has(const struct training *t, const char *name) {
    char path[PATH_MAX_BYTES];
    path_of(t, name, "", path);
    return access(path, R_OK) == 0;
}

static bool write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool written =
        fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && written;
}

bool train_save(const struct training *t, const char *name, const void *bytes, size_t size,
                struct err *err) {
    char path[PATH_MAX_BYTES], fresh[PATH_MAX_BYTES];
    path_of(t, name, "", path);
    path_of(t, name, ".new", fresh);
    return (write_file(fresh, bytes, size) && rename(fresh, path) == 0) ||
           err_set(err, "cannot write %s: %s", path, strerror(errno));
}

bool train_load(const struct training *t, const char *name, struct buf *out, struct err *err) {
    char path[PATH_MAX_BYTES], part[1 << 16];
    path_of(t, name, "", path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return err_set(err, "cannot open %s: %s", path, strerror(errno));
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        buf_put(out, part, n);
    const bool failed = ferror(file);
    fclose(file);
    return !failed || err_set(err, "cannot read %s", path);
}

int train_lock(const struct training *t, struct err *err) {
    if (!path_make_folder(t->folder, err))
        return -1;
    const int fd = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    if (fd >= 0 && errno == EWOULDBLOCK)
        err_set(err,
                "another training is at work in %.300s: let it end, or name another by --out DIR",
                t->folder);
    else
        err_set(err, "cannot lock the folder %.300s: %s", t->folder, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

// Is a file what it would be now? It is made if it is missing.
static bool is_same(const struct training *t, const char *name, const struct buf *wanted,
                    struct err *err) {
    struct buf there = {.data = NULL};
    if (!train_has(t, name))
        return train_save(t, name, wanted->data, wanted->length, err);
    bool same = train_load(t, name, &there, err);
    if (same &&
        (there.length != wanted->length || memcmp(there.data, wanted->data, wanted->length) != 0))
        same = err_set(
            err,
            "%s holds another training: see its %s; name another by --out DIR, or remove this one",
            t->folder, name);
    buf_done(&there);
    return same;
}

bool train_note(const struct training *t, const char *name, const char *plan, struct err *err) {
    struct buf text = {.data = NULL};
    if (!path_make_folder(t->folder, err))
        return false;
    buf_format(&text, "%s %s\n", t->rules.game->name, plan);
    for (int i = 0; i < t->rules.game->rule_count; i++)
        buf_format(&text, "%s=%s\n", t->rules.game->rules[i].key, t->rules.text[i]);
    buf_format(&text, "seed %" PRIu64 "\n", t->seed);
    const bool same = is_same(t, name, &text, err);
    buf_done(&text);
    return same;
}

bool train_begin(const struct training *t, const char *plan, struct err *err) {
    return train_note(t, "plan.txt", plan, err);
}

// Files being made, shared by threads.
struct chunk_work {
    const struct training *training;
    const struct chunks *chunks;
    pthread_mutex_t lock; // of all below
    int made, there;
    int64_t said_us, begun_us;
    struct err err;
};

static void name_of(const struct chunks *chunks, int number, char name[static NAME_MAX_BYTES]) {
    snprintf(name, NAME_MAX_BYTES, "%s-%d.bin", chunks->name, number);
}

// Ends a file of which one that was cut or changed is to be found out.
struct seal {
    uint64_t length, sum;
};

static struct seal seal_of(const struct buf *bytes) {
    return (struct seal){.length = bytes->length, .sum = mem_sum(bytes->data, bytes->length)};
}

bool train_save_sealed(const struct training *t, const char *name, struct buf *bytes,
                       struct err *err) {
    const struct seal seal = seal_of(bytes);
    buf_put(bytes, &seal, sizeof seal);
    return train_save(t, name, bytes->data, bytes->length, err);
}

bool train_load_sealed(const struct training *t, const char *name, struct buf *out,
                       struct err *err) {
    struct seal seal, right;
    if (!train_load(t, name, out, err))
        return false;
    bool whole = out->length >= sizeof seal;
    if (whole) {
        out->length -= sizeof seal;
        memcpy(&seal, out->data + out->length, sizeof seal);
        right = seal_of(out);
        whole = memcmp(&seal, &right, sizeof seal) == 0;
    }
    return whole || err_set(err, "%s/%s is damaged", t->folder, name);
}

// Is such a file there, and whole?
static bool has_sealed(const struct training *t, const char *name) {
    struct buf bytes = {.data = NULL};
    struct err err = {.set = false};
    const bool there = train_has(t, name),
               whole = there && train_load_sealed(t, name, &bytes, &err);
    if (there && !whole)
        train_say(t, "%s: it is made again", err.text);
    buf_done(&bytes);
    return whole;
}

// Is a file missing, and still to be made?
static bool is_wanted(struct chunk_work *w, const char *name) {
    const int64_t until = w->training->until_us;
    pthread_mutex_lock(&w->lock);
    const bool ended = w->err.set || (until && clock_now_us() >= until);
    const bool there = !ended && has_sealed(w->training, name);
    w->there += there;
    pthread_mutex_unlock(&w->lock);
    return !ended && !there;
}

static void note_made(struct chunk_work *w, const struct err *err) {
    pthread_mutex_lock(&w->lock);
    const int64_t now = clock_now_us();
    w->made++;
    if (err->set)
        w->err = *err;
    if (now - w->said_us >= SAY_EVERY_US) {
        const double seconds = (double)(now - w->begun_us) / 1e6;
        const int left = w->chunks->count - w->made - w->there;
        w->said_us = now;
        train_say(w->training, "%s: %d of %d, about %.0f s to go", w->chunks->name,
                  w->made + w->there, w->chunks->count, seconds / w->made * left);
    }
    pthread_mutex_unlock(&w->lock);
}

static void train_make_one(void *job, int number) {
    struct chunk_work *w = job;
    char name[NAME_MAX_BYTES];
    struct buf out = {.data = NULL};
    struct err err = {.set = false};
    name_of(w->chunks, number, name);
    if (!is_wanted(w, name))
        return;
    w->chunks->make(w->chunks->maker, number, &out);
    train_save_sealed(w->training, name, &out, &err);
    buf_done(&out);
    note_made(w, &err);
}

bool train_make(const struct training *t, const struct chunks *chunks, struct err *err) {
    const int64_t now = clock_now_us();
    struct chunk_work w = {.training = t, .chunks = chunks, .begun_us = now, .said_us = now};
    assert(t->threads >= 1 && chunks->count >= 0);
    pthread_mutex_init(&w.lock, NULL);
    share_run(t->threads, chunks->count, 1, train_make_one, &w);
    pthread_mutex_destroy(&w.lock);
    if (w.err.set)
        *err = w.err;
    return !w.err.set && w.made + w.there == chunks->count;
}

bool train_gather(const struct training *t, const struct chunks *chunks, struct buf *out,
                  struct err *err) {
    char name[NAME_MAX_BYTES];
    struct buf part = {.data = NULL};
    bool good = true;
    for (int i = 0; i < chunks->count && good; i++) {
        name_of(chunks, i, name);
        buf_clear(&part);
        good = train_load_sealed(t, name, &part, err);
        buf_put(out, part.data, good ? part.length : 0);
    }
    buf_done(&part);
    return good;
}

bool train_collect(const struct training *t, const struct chunks *chunks, struct buf *out,
                   struct err *err) {
    return train_make(t, chunks, err) && train_gather(t, chunks, out, err);
}
