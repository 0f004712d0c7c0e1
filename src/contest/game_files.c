// SPDX-License-Identifier: MIT
// They lie among the folders of the players, in a place that no player has. The module and
// game.conf are what counts: by them games are played, and tables are made of games. The module is
// taken as it is, and never built again, for another compiler would make another one. Where a
// contest needs others than are known by that name, they are unpacked beside them, in
// DATA/kept/CHECKSUM.
#include "contest/game_files.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/sha256.h"
#include "contest/bundle.h"
#include "folder/add.h"
#include "folder/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { RULES_PLACE = -1000, FILE_MAX = 16 << 20, PATH_SIZE = 4600 };

// The files of a game, without what a machine has made of them.
static bool pack(const struct folder *f, struct buf *bytes, struct err *err) {
    struct scratch scratch = {.path = NULL};
    char copy[PATH_SIZE];
    bool good = scratch_make(&scratch, "the rules of a game", err);
    snprintf(copy, sizeof copy, "%.4000s/game", good ? scratch.path : "");
    good = good && add_copy(f->path, copy, err) && bundle_pack(copy, bytes, err);
    scratch_done(&scratch);
    return good;
}

// What a store has of a game, unpacked; zeroed by its owner.
struct kept_game {
    char digest[SHA256_HEX_MAX]; // "": the game is ours, or the contest has not begun
    struct buf bytes;
    struct scratch scratch;
    char folder[PATH_SIZE], name[32];
};

static void take_digest(void *owner, int player, const char *digest) {
    struct kept_game *k = owner;
    if (player == RULES_PLACE)
        snprintf(k->digest, sizeof k->digest, "%s", digest);
}

static void take_bytes(void *owner, const void *bytes, size_t size) {
    struct kept_game *k = owner;
    buf_put(&k->bytes, bytes, size);
}

static bool kept_init(struct kept_game *k, struct store *store, const char *contest,
                      struct err *err) {
    char conf[PATH_SIZE + 16];
    struct err inner = {.set = false};
    if (!store_folders(store, contest, take_digest, k, err))
        return false;
    if (!*k->digest)
        return true;
    if (!store_get_file(store, k->digest, take_bytes, k, err) ||
        !scratch_make(&k->scratch, "the rules of a game", err))
        return false;
    snprintf(k->folder, sizeof k->folder, "%.4000s/game", k->scratch.path);
    snprintf(conf, sizeof conf, "%s/game.conf", k->folder);
    return (bundle_unpack(k->folder, k->bytes.data ? k->bytes.data : "", k->bytes.length, &inner) &&
            conf_read_name(conf, k->name, sizeof k->name, &inner)) ||
           err_set(err, "the contest '%.100s': %s", contest, inner.text);
}

static void kept_done(struct kept_game *k) {
    buf_done(&k->bytes);
    scratch_done(&k->scratch);
}

static bool sum_file(const char *folder, const char *name, char sum[static SHA256_HEX_MAX],
                     struct err *err) {
    struct buf bytes = {.data = NULL};
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    const bool good = path_read(path, FILE_MAX, &bytes) ||
                      err_set(err, "cannot read %.200s: %s", path, strerror(errno));
    if (good)
        sha256_hex(bytes.data ? bytes.data : "", bytes.length, sum);
    buf_done(&bytes);
    return good;
}

// What of a game is not as the store has it, in words; "": nothing.
static bool compare(const struct kept_game *k, const struct folder *f,
                    char differs[static GAME_FILES_DIFFER_MAX], struct err *err) {
    char rules[SHA256_HEX_MAX], conf[SHA256_HEX_MAX];
    if (!sum_file(k->folder, "rules.wasm", rules, err) ||
        !sum_file(k->folder, "game.conf", conf, err))
        return false;
    const bool has_rules = strcmp(rules, f->sum) == 0, has_conf = strcmp(conf, f->conf_sum) == 0;
    snprintf(differs, GAME_FILES_DIFFER_MAX, "%s%s%s", has_rules ? "" : "its rules",
             has_rules || has_conf ? "" : " and ", has_conf ? "" : "its game.conf");
    return true;
}

// The game that is known by the name; NULL: none, or with an error one of ours.
static const struct folder *find_known(const struct kept_game *k, struct err *err) {
    const struct game *game = game_find(k->name);
    const struct folder *f = game ? folder_of(game) : NULL;
    if (game && !f)
        err_set(err, "the contest is of a game '%s' that is not ours of that name", k->name);
    return f;
}

static bool install(const struct kept_game *k, const char *data, struct err *err) {
    struct add add = {.name = ""};
    const bool good = add_take(&add, k->folder, err) && add_keep(&add, data, err);
    add_done(&add);
    return good;
}

static bool has_data(struct err *err) {
    return *folder_data() || err_set(err, "there is no folder for games: --data DIR");
}

// Unpacks it into a place of its own, unless it is there.
static bool place(const struct kept_game *k, char data[static PATH_SIZE], struct err *err) {
    char there[PATH_SIZE + 64];
    snprintf(data, PATH_SIZE, "%.4000s/kept/%.40s", folder_data(), k->digest);
    snprintf(there, sizeof there, "%s/games/%s/facts", data, k->name);
    return has_data(err) && (access(there, R_OK) == 0 || install(k, data, err));
}

static bool use(const struct kept_game *k, char differs[static GAME_FILES_DIFFER_MAX],
                struct err *err) {
    char data[PATH_SIZE];
    const struct folder *f = find_known(k, err);
    if (err->set || (f && !compare(k, f, differs, err)))
        return false;
    if (f && !*differs)
        return true;
    if (!place(k, data, err))
        return false;
    folder_open_before(data);
    return true;
}

bool game_files_use(struct store *store, const char *contest,
                    char differs[static GAME_FILES_DIFFER_MAX], struct err *err) {
    struct kept_game k = {.digest = ""};
    differs[0] = '\0';
    bool good = kept_init(&k, store, contest, err) && (!*k.digest || use(&k, differs, err));
    kept_done(&k);
    return good;
}

bool game_files_know(struct store *store, const char *contest, struct err *err) {
    struct kept_game k = {.digest = ""};
    char data[PATH_SIZE];
    bool good = kept_init(&k, store, contest, err);
    if (good && *k.digest && !game_find(k.name)) {
        good = place(&k, data, err);
        if (good)
            folder_open_after(data);
    }
    kept_done(&k);
    return good;
}

bool game_files_fetch(struct store *store, const char *contest, struct err *err) {
    struct kept_game k = {.digest = ""};
    struct err inner = {.set = false};
    char differs[GAME_FILES_DIFFER_MAX] = "";
    bool good = kept_init(&k, store, contest, err);
    if (good && *k.digest) {
        const struct folder *f = find_known(&k, &inner);
        good = !inner.set && (f ? compare(&k, f, differs, &inner)
                                : has_data(&inner) && install(&k, folder_data(), &inner));
        if (*differs)
            good = err_set(&inner,
                           "it is played by other rules of %s than those known here (%s): "
                           "arbiter game remove %s",
                           k.name, differs, k.name);
        if (!good)
            err_set(err, "the contest '%.100s': %s", contest, inner.text);
    }
    kept_done(&k);
    return good;
}

bool game_files_refuse(const char *game, const char *contest, const char *differs,
                       struct err *err) {
    return !*differs ||
           err_set(err,
                   "%.40s has changed since the contest '%.100s' began (%s); to go on by what the "
                   "store has: arbiter game remove %.40s; or begin another contest",
                   game, contest, differs, game);
}

static bool keep(const struct folder *f, const char *contest, struct store *store,
                 struct err *err) {
    struct buf bytes = {.data = NULL};
    char digest[SHA256_HEX_MAX];
    bool same, good = pack(f, &bytes, err);
    if (good) {
        sha256_hex(bytes.data, bytes.length, digest);
        good = store_put_file(store, digest, bytes.data, bytes.length, err) &&
               store_put_folder(store, contest, RULES_PLACE, digest, &same, err);
    }
    buf_done(&bytes);
    return good;
}

bool game_files_keep(const struct plan *plan, struct store *store, struct err *err) {
    const struct folder *f = folder_of(plan->rules.game);
    struct kept_game k = {.digest = ""};
    char differs[GAME_FILES_DIFFER_MAX] = "";
    if (!f)
        return true;
    bool good = kept_init(&k, store, plan->name, err);
    if (good && !*k.digest)
        good = keep(f, plan->name, store, err);
    else if (good)
        good = compare(&k, f, differs, err) &&
               game_files_refuse(f->game.name, plan->name, differs, err);
    kept_done(&k);
    return good;
}
