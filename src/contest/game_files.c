// SPDX-License-Identifier: MIT
// They lie among the folders of the players, in a place that no player has. The module is what
// counts: it is taken as it is, and never built again, for another compiler would make another one.
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

bool game_files_keep(const struct plan *plan, struct store *store, struct err *err) {
    const struct folder *f = folder_of(plan->rules.game);
    struct buf bytes = {.data = NULL};
    char digest[SHA256_HEX_MAX];
    bool same = true;
    if (!f)
        return true;
    bool good = pack(f, &bytes, err);
    if (good) {
        sha256_hex(bytes.data, bytes.length, digest);
        good = store_put_file(store, digest, bytes.data, bytes.length, err) &&
               store_put_folder(store, plan->name, RULES_PLACE, digest, &same, err);
    }
    buf_done(&bytes);
    return good && (same || err_set(err,
                                    "the rules of %s have changed since the contest '%.100s' "
                                    "began; add those it began with, or begin another contest",
                                    f->game.name, plan->name));
}

struct wanted_rules {
    char digest[SHA256_HEX_MAX]; // "": none
    struct buf bytes;
};

static void take_digest(void *owner, int player, const char *digest) {
    struct wanted_rules *w = owner;
    if (player == RULES_PLACE)
        snprintf(w->digest, sizeof w->digest, "%s", digest);
}

static void take_bytes(void *owner, const void *bytes, size_t size) {
    struct wanted_rules *w = owner;
    buf_put(&w->bytes, bytes, size);
}

// Compares what came with what is known by that name.
static bool is_known(const char *name, const char *folder, bool *known, struct err *err) {
    const struct game *game = game_find(name);
    const struct folder *f = game ? folder_of(game) : NULL;
    struct buf module = {.data = NULL};
    char path[PATH_SIZE], sum[SHA256_HEX_MAX];
    *known = f;
    if (game && !f)
        return err_set(err, "the contest is of a game '%s' that is not ours of that name", name);
    if (!f)
        return true;
    snprintf(path, sizeof path, "%.4000s/rules.wasm", folder);
    if (!path_read(path, FILE_MAX, &module) || !module.data)
        return err_set(err, "cannot read %.200s: %s", path, strerror(errno));
    sha256_hex(module.data, module.length, sum);
    buf_done(&module);
    return strcmp(sum, f->sum) == 0 ||
           err_set(err,
                   "it is played by other rules of %s (%.12s) than those known here (%.12s): "
                   "arbiter game remove %s",
                   name, sum, f->sum, name);
}

static bool install(const char *folder, struct err *err) {
    struct add add = {.name = ""};
    char conf[PATH_SIZE], name[32];
    bool known = false;
    snprintf(conf, sizeof conf, "%.4000s/game.conf", folder);
    bool good = conf_read_name(conf, name, sizeof name, err) && is_known(name, folder, &known, err);
    if (good && !known) {
        good = (*folder_data() || err_set(err, "there is no folder for games: --data DIR")) &&
               add_take(&add, folder, err) && add_keep(&add, folder_data(), err);
        add_done(&add);
    }
    return good;
}

bool game_files_fetch(struct store *store, const char *contest, struct err *err) {
    struct wanted_rules w = {.digest = ""};
    struct scratch scratch = {.path = NULL};
    struct err inner = {.set = false};
    char folder[PATH_SIZE];
    if (!store_folders(store, contest, take_digest, &w, err))
        return false;
    if (!*w.digest)
        return true;
    bool good = store_get_file(store, w.digest, take_bytes, &w, err) &&
                scratch_make(&scratch, "the rules of a game", err);
    if (good) {
        snprintf(folder, sizeof folder, "%.4000s/game", scratch.path);
        good = bundle_unpack(folder, w.bytes.data ? w.bytes.data : "", w.bytes.length, &inner) &&
               install(folder, &inner);
        if (!good)
            err_set(err, "the contest '%.100s': %s", contest, inner.text);
    }
    buf_done(&w.bytes);
    scratch_done(&scratch);
    return good;
}
