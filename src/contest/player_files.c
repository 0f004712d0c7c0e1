// SPDX-License-Identifier: MIT
// On a machine a player's files lie in a folder of this user's, named by the checksum of the files
// and of the command that builds them. Beside it a file ".done" says that they are unpacked and
// built, and holds what went wrong. Who makes them ready holds a lock; others wait for it.
#include "contest/player_files.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "contest/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DONE_MAX = 4096, PAUSE_MS = 20 };

// Of the folders that an organiser lists, who knows them, more is taken than of an upload.
static const struct submit_limits limits = {
    .bytes = 200 << 20, .files = 10000, .build_us = 300000000, .build_memory = 1 << 30};

// What is known of a player who was made ready.
struct found {
    char start[SUBMIT_TEXT_MAX];      // "": as the contest says
    char trouble[SUBMIT_TROUBLE_MAX]; // "": none
};

struct kept_digests {
    int count;
    digest_text *list; // by player
};

static void take_digest(void *owner, int player, const char *digest) {
    const struct kept_digests *k = owner;
    if (player >= 0 && player < k->count)
        snprintf(k->list[player], SHA256_HEX_MAX, "%s", digest);
}

digest_text *player_files_digests(const struct plan *plan, struct store *store, struct err *err) {
    struct kept_digests kept = {.count = plan->player_count};
    kept.list = mem_new((size_t)kept.count, sizeof *kept.list);
    if (!store || store_folders(store, plan->name, take_digest, &kept, err))
        return kept.list;
    free(kept.list);
    return NULL;
}

static void take_bytes(void *owner, const void *bytes, size_t size) { buf_put(owner, bytes, size); }

bool player_files_read(struct store *store, const char *digest, struct buf *bytes,
                       struct err *err) {
    return store_get_file(store, digest, take_bytes, bytes, err);
}

static bool keep_bytes(const struct plan *plan, int player, const struct buf *bytes,
                       struct store *store, struct err *err) {
    char digest[SHA256_HEX_MAX];
    bool same;
    sha256_hex(bytes->data, bytes->length, digest);
    return store_put_file(store, digest, bytes->data, bytes->length, err) &&
           store_put_folder(store, plan->name, player, digest, &same, err) &&
           (same || err_set(err, "it has changed since the contest began; what he began with is in "
                                 "the store"));
}

// Without a store it is only looked at.
static bool keep(const struct plan *plan, int player, struct store *store, bool known,
                 struct err *err) {
    const struct plan_player *p = &plan->players[player];
    struct buf path = {.data = NULL}, bytes = {.data = NULL};
    struct err inner = {.set = false};
    buf_format(&path, "%s%s", *p->folder == '/' ? "" : "./", p->folder);
    const bool gone = known && access(path.data, F_OK) != 0;
    const bool good = gone || (bundle_pack(path.data, &bytes, &inner) &&
                               (!store || keep_bytes(plan, player, &bytes, store, &inner)));
    if (!good)
        err_set(err, "line %d of the contest file: the folder %.100s of %.60s: %s", p->line,
                p->folder, p->name, inner.text);
    buf_done(&path);
    buf_done(&bytes);
    return good;
}

// Those that the store does not know are looked at; or all are kept.
static bool see_all(const struct plan *plan, struct store *store, bool keeps, struct err *err) {
    digest_text *digests = player_files_digests(plan, store, err);
    bool good = digests != NULL;
    for (int i = 0; good && i < plan->player_count; i++)
        if (plan->players[i].folder && (keeps || !*digests[i]))
            good = keep(plan, i, keeps ? store : NULL, *digests[i], err);
    free(digests);
    return good;
}

bool player_files_check(const struct plan *plan, struct store *store, struct err *err) {
    return see_all(plan, store, false, err);
}

bool player_files_keep(const struct plan *plan, struct store *store, struct err *err) {
    return see_all(plan, store, true, err);
}

// The folder of all players' files on this machine.
static bool find_home(char home[static PATH_MAX], struct err *err) {
    const char *temporary = getenv("TMPDIR");
    struct stat info;
    snprintf(home, PATH_MAX, "%s/arbiter-players-%d", temporary && *temporary ? temporary : "/tmp",
             (int)getuid());
    if (mkdir(home, 0711) != 0 && errno != EEXIST)
        return err_set(err, "cannot make the folder %.300s: %s", home, strerror(errno));
    return (lstat(home, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid()) ||
           err_set(err, "%.300s is not a folder of ours; remove it, or set TMPDIR", home);
}

// The first line says how he is started, where the contest does not; the rest is what went wrong.
static bool read_done(const char *path, struct found *found) {
    struct buf text = {.data = NULL};
    const bool there = path_read(path, DONE_MAX, &text) && text.data;
    const char *rest = there ? strchr(text.data, '\n') : NULL;
    if (rest) {
        snprintf(found->start, sizeof found->start, "%.*s", (int)(rest - text.data), text.data);
        snprintf(found->trouble, sizeof found->trouble, "%s", rest + 1);
    }
    buf_done(&text);
    return rest;
}

static bool write_done(const char *path, const struct found *found, struct err *err) {
    struct buf text = {.data = NULL};
    buf_format(&text, "%s\n%s", found->start, found->trouble);
    const bool good = path_write(path, text.data, text.length);
    buf_done(&text);
    return good || err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

struct files_making {
    const struct plan *plan;
    const struct plan_player *player;
    struct store *store;
    const struct player_files_means *means;
    struct err *err;
};

// A moment in which others get their due; false if it shall be broken off.
static bool rest_meanwhile(const struct files_making *m) {
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&pause, NULL);
    return m->means->wait(m->means->owner) ||
           err_set(m->err, "interrupted while players were built");
}

static bool must_build(const struct plan_player *p) { return p->build || !p->start; }

// His files as he handed them in.
static bool unpack(const struct files_making *m, const char *folder, const char *digest) {
    struct buf bytes = {.data = NULL};
    char sum[SHA256_HEX_MAX] = "";
    bool good = player_files_read(m->store, digest, &bytes, m->err);
    if (good && bytes.data)
        sha256_hex(bytes.data, bytes.length, sum);
    if (good && strcmp(sum, digest) != 0)
        good = err_set(m->err, "the kept folder of %.60s is not what its checksum says",
                       m->player->name);
    good = good && bundle_remove(folder, m->err) &&
           bundle_unpack(folder, bytes.data, bytes.length, m->err);
    buf_done(&bytes);
    return good;
}

static bool build(const struct files_making *m, const char *source, const char *folder,
                  struct found *found) {
    struct buf words = {.data = NULL};
    struct submit_result result;
    const struct submit_job job = {.path = source,
                                   .into = folder,
                                   .game = m->plan->rules.game->name,
                                   .build = m->player->build,
                                   .start = m->player->start,
                                   .kits = m->means->kits,
                                   .box = m->means->box,
                                   .limits = limits,
                                   .rules = &m->plan->takes,
                                   .wait = m->means->wait,
                                   .owner = m->means->owner};
    buf_format(&words, "building %s", m->player->name);
    m->means->note(m->means->owner, words.data);
    buf_done(&words);
    if (!submit_make(&job, &result, m->err))
        return false;
    snprintf(found->start, sizeof found->start, "%s", m->player->start ? "" : result.start);
    if (result.finding != FINDING_GOOD)
        submit_put_trouble(result.finding, result.text, found->trouble);
    return true;
}

static bool make(const struct files_making *m, const char *folder, const char *digest,
                 struct found *found) {
    struct buf source = {.data = NULL};
    buf_format(&source, "%s%s", folder, must_build(m->player) ? ".source" : "");
    bool good = unpack(m, source.data, digest);
    if (good && must_build(m->player)) {
        good = bundle_remove(folder, m->err) && build(m, source.data, folder, found);
        path_remove(source.data);
    }
    buf_done(&source);
    return good;
}

// What the contest takes decides what comes of a folder, too.
static void put_takes(struct buf *out, const struct submit_rules *takes) {
    buf_format(out, " %x %s", takes->languages, takes->cpp ? takes->cpp : "");
    for (const char *const *file = takes->files; file && *file; file++)
        buf_format(out, " %s", *file);
}

static bool make_ready(const struct files_making *m, const char *digest,
                       struct player_files *files) {
    char home[PATH_MAX], key[SHA256_HEX_MAX];
    struct found found = {.start = ""};
    struct buf folder = {.data = NULL}, path = {.data = NULL};
    if (!find_home(home, m->err))
        return false;
    buf_format(&path, "%s %s %s", digest, m->player->build ? m->player->build : "",
               m->player->start ? "" : m->plan->rules.game->name);
    if (!m->player->start)
        put_takes(&path, &m->plan->takes);
    sha256_hex(path.data, path.length, key);
    buf_format(&folder, "%s/%s", home, key);
    buf_clear(&path);
    buf_format(&path, "%s.lock", folder.data);
    const int lock = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool good = lock >= 0 || err_set(m->err, "cannot lock %.300s: %s", path.data, strerror(errno));
    while (good && flock(lock, LOCK_EX | LOCK_NB) != 0) // somebody else makes them ready
        good = errno == EWOULDBLOCK ? rest_meanwhile(m)
                                    : errno == EINTR || err_set(m->err, "cannot lock %.300s: %s",
                                                                path.data, strerror(errno));
    buf_clear(&path);
    buf_format(&path, "%s.done", folder.data);
    if (good &&
        (!read_done(path.data, &found) || (!*found.trouble && access(folder.data, F_OK) != 0)))
        good = make(m, folder.data, digest, &found) && write_done(path.data, &found, m->err);
    if (lock >= 0)
        close(lock);
    buf_done(&path);
    files->folder = folder.data;
    files->trouble = *found.trouble ? mem_text(found.trouble) : NULL;
    files->start = *found.start ? mem_text(found.start) : NULL;
    return good;
}

struct player_files *player_files_make(const struct plan *plan, struct store *store,
                                       const struct player_files_means *means, struct err *err) {
    struct player_files *files = mem_new((size_t)plan->player_count, sizeof *files);
    struct files_making making = {plan, NULL, store, means, err};
    digest_text *digests = player_files_digests(plan, store, err);
    bool good = digests != NULL;
    for (int i = 0; good && i < plan->player_count; i++) {
        making.player = &plan->players[i];
        files[i].trouble = making.player->absent ? mem_text(making.player->absent) : NULL;
        if (plan->players[i].folder && *digests[i])
            good = make_ready(&making, digests[i], &files[i]);
    }
    free(digests);
    if (good)
        return files;
    player_files_free(files, plan->player_count);
    return NULL;
}

void player_files_free(struct player_files *files, int count) {
    for (int i = 0; files && i < count; i++) {
        free((char *)files[i].folder);
        free((char *)files[i].trouble);
        free((char *)files[i].start);
    }
    free(files);
}
