// SPDX-License-Identifier: MIT
// On a machine a player's files lie in a folder of this user's, named by the checksum of the files
// and of the command that builds them. Beside it a file ".done" says that they are unpacked and
// built, and holds what went wrong. Who makes them ready holds a lock; others wait for it.
#include "contest/folder.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "contest/bundle.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TROUBLE_MAX = 300, BUILD_S = 300, PAUSE_MS = 20 };

// The folders that the store has, by player; "" where it has none.
struct kept {
    int count;
    char (*digests)[SHA256_HEX_MAX];
};

static void take_digest(void *owner, int player, const char *digest) {
    const struct kept *k = owner;
    if (player >= 0 && player < k->count)
        snprintf(k->digests[player], SHA256_HEX_MAX, "%s", digest);
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

static bool keep(const struct plan *plan, int player, const char *base, struct store *store,
                 bool known, struct err *err) {
    const struct plan_player *p = &plan->players[player];
    struct buf path = {.data = NULL}, bytes = {.data = NULL};
    struct err inner = {.set = false};
    buf_format(&path, "%s%s%s", *p->folder == '/' ? "" : base, *p->folder == '/' ? "" : "/",
               p->folder);
    const bool gone = known && access(path.data, F_OK) != 0;
    const bool good = gone || (bundle_pack(path.data, &bytes, &inner) &&
                               keep_bytes(plan, player, &bytes, store, &inner));
    if (!good)
        err_set(err, "line %d of the contest file: the folder %.100s of %.60s: %s", p->line,
                p->folder, p->name, inner.text);
    buf_done(&path);
    buf_done(&bytes);
    return good;
}

bool folder_keep_all(const struct plan *plan, const char *base, struct store *store,
                     struct err *err) {
    struct kept kept = {.count = plan->player_count};
    kept.digests = mem_new((size_t)kept.count, sizeof *kept.digests);
    bool good = store_folders(store, plan->name, take_digest, &kept, err);
    for (int i = 0; good && i < plan->player_count; i++)
        if (plan->players[i].folder)
            good = keep(plan, i, base, store, *kept.digests[i], err);
    free(kept.digests);
    return good;
}

// The folder of all players' files on this machine.
static bool find_home(char home[static PATH_MAX], struct err *err) {
    const char *temporary = getenv("TMPDIR");
    struct stat info;
    snprintf(home, PATH_MAX, "%s/arbiter-players-%d", temporary && *temporary ? temporary : "/tmp",
             (int)getuid());
    if (mkdir(home, 0700) != 0 && errno != EEXIST)
        return err_set(err, "cannot make the folder %.300s: %s", home, strerror(errno));
    return (lstat(home, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid()) ||
           err_set(err, "%.300s is not a folder of ours; remove it, or set TMPDIR", home);
}

static _Noreturn void build_child(const char *folder, const char *log, const char *command) {
    const int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666),
              in = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (out < 0 || in < 0 || chdir(folder) != 0)
        _exit(127);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

// The first line that tells of an error, or else the last that tells of anything.
static void find_error(const char *path, char text[static TROUBLE_MAX]) {
    FILE *file = fopen(path, "r");
    char line[TROUBLE_MAX];
    bool found = false;
    text[0] = '\0';
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        found = strcasestr(line, "error") != NULL;
        if (*line)
            snprintf(text, TROUBLE_MAX, "%.200s", line);
    }
    if (file)
        fclose(file);
}

struct making {
    const struct plan_player *player;
    struct store *store;
    const struct folder_events *events;
    void *owner;
    struct err *err;
};

// A moment in which others get their due; false if it shall be broken off.
static bool rest(const struct making *m) {
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&pause, NULL);
    return m->events->wait(m->owner) || err_set(m->err, "interrupted while players were built");
}

// Waits for a build as long as it may take, and ends it then: `late`. False if it was broken off.
static bool await_build(const struct making *m, pid_t pid, int *status, bool *late) {
    const int64_t until_us = clock_now_us() + BUILD_S * INT64_C(1000000);
    bool good = true;
    *late = false;
    while (waitpid(pid, status, WNOHANG) == 0) {
        good = rest(m);
        *late = clock_now_us() > until_us;
        if (good && !*late)
            continue;
        kill(-pid, SIGKILL);
        while (waitpid(pid, status, 0) < 0 && errno == EINTR)
            ;
        break;
    }
    return good;
}

// Builds, and says in `trouble` what went wrong with it. False if that is no fault of the player's.
static bool build(const struct making *m, const char *folder, char trouble[static TROUBLE_MAX]) {
    char log[PATH_MAX + 8], said[TROUBLE_MAX];
    int status = -1;
    bool late = false;
    snprintf(log, sizeof log, "%s.log", folder);
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0)
        build_child(folder, log, m->player->build);
    if (pid < 0)
        return err_set(m->err, "cannot build %.60s: %s", m->player->name, strerror(errno));
    setpgid(pid, pid); // whoever comes first
    if (!await_build(m, pid, &status, &late))
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    find_error(log, said);
    if (late)
        snprintf(said, sizeof said, "it took more than %d s", BUILD_S);
    snprintf(trouble, TROUBLE_MAX, "does not build: %.200s", *said ? said : "no reason given");
    return true;
}

static bool read_done(const char *path, char trouble[static TROUBLE_MAX]) {
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    const size_t n = fread(trouble, 1, TROUBLE_MAX - 1, file);
    trouble[n] = '\0';
    fclose(file);
    return true;
}

static bool write_done(const char *path, const char *trouble, struct err *err) {
    FILE *file = fopen(path, "w");
    bool good = file && fputs(trouble, file) >= 0;
    if (file)
        good = fclose(file) == 0 && good;
    return good || err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

static void take_bytes(void *owner, const void *bytes, size_t size) { buf_put(owner, bytes, size); }

static bool make(const struct making *m, const char *folder, const char *digest,
                 char trouble[static TROUBLE_MAX]) {
    struct buf bytes = {.data = NULL}, words = {.data = NULL};
    char sum[SHA256_HEX_MAX] = "";
    bool good = store_get_file(m->store, digest, take_bytes, &bytes, m->err);
    if (good && bytes.data)
        sha256_hex(bytes.data, bytes.length, sum);
    if (good && strcmp(sum, digest) != 0)
        good = err_set(m->err, "the kept folder of %.60s is not what its checksum says",
                       m->player->name);
    good = good && bundle_remove(folder, m->err) &&
           bundle_unpack(folder, bytes.data, bytes.length, m->err);
    if (good && m->player->build) {
        buf_format(&words, "building %s", m->player->name);
        m->events->note(m->owner, words.data);
        good = build(m, folder, trouble);
    }
    buf_done(&bytes);
    buf_done(&words);
    return good;
}

static bool lodge(const struct making *m, const char *digest, struct lodging *lodging) {
    char home[PATH_MAX], key[SHA256_HEX_MAX], trouble[TROUBLE_MAX] = "";
    struct buf folder = {.data = NULL}, path = {.data = NULL};
    if (!find_home(home, m->err))
        return false;
    buf_format(&path, "%s %s", digest, m->player->build ? m->player->build : "");
    sha256_hex(path.data, path.length, key);
    buf_format(&folder, "%s/%s", home, key);
    buf_clear(&path);
    buf_format(&path, "%s.lock", folder.data);
    const int lock = open(path.data, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    bool good = lock >= 0 || err_set(m->err, "cannot lock %.300s: %s", path.data, strerror(errno));
    while (good && flock(lock, LOCK_EX | LOCK_NB) != 0) // somebody else makes them ready
        good = errno == EWOULDBLOCK ? rest(m)
                                    : errno == EINTR || err_set(m->err, "cannot lock %.300s: %s",
                                                                path.data, strerror(errno));
    buf_clear(&path);
    buf_format(&path, "%s.done", folder.data);
    if (good && (!read_done(path.data, trouble) || access(folder.data, F_OK) != 0))
        good = make(m, folder.data, digest, trouble) && write_done(path.data, trouble, m->err);
    if (lock >= 0)
        close(lock);
    buf_done(&path);
    lodging->folder = folder.data;
    lodging->trouble = *trouble ? mem_text(trouble) : NULL;
    return good;
}

struct lodging *folder_lodge_all(const struct plan *plan, struct store *store,
                                 const struct folder_events *events, void *owner, struct err *err) {
    struct lodging *lodgings = mem_new((size_t)plan->player_count, sizeof *lodgings);
    struct making making = {NULL, store, events, owner, err};
    struct kept kept = {.count = plan->player_count};
    kept.digests = mem_new((size_t)kept.count, sizeof *kept.digests);
    bool good = store_folders(store, plan->name, take_digest, &kept, err);
    for (int i = 0; good && i < plan->player_count; i++) {
        making.player = &plan->players[i];
        if (plan->players[i].folder && *kept.digests[i])
            good = lodge(&making, kept.digests[i], &lodgings[i]);
    }
    free(kept.digests);
    if (good)
        return lodgings;
    folder_leave_all(lodgings, plan->player_count);
    return NULL;
}

void folder_leave_all(struct lodging *lodgings, int count) {
    for (int i = 0; lodgings && i < count; i++) {
        free((char *)lodgings[i].folder);
        free((char *)lodgings[i].trouble);
    }
    free(lodgings);
}
