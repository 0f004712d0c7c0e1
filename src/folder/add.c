// SPDX-License-Identifier: MIT
#include "folder/add.h"

#include "base/path.h"
#include "folder/board_conf.h"
#include "folder/facts.h"
#include "folder/learned.h"
#include "folder/make.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX = 16 << 20, PATH_SIZE = 4600 };

const char *const add_files[] = {"game.conf",   "rules.c",     "rules.wasm",     "board.conf",
                                 "rules.en.md", "rules.ko.md", "rules.zh-TW.md", "rungs.txt",
                                 "weights.bin", NULL};

static bool copy_file(const char *from, const char *to, struct err *err) {
    struct buf bytes = {.data = NULL};
    bool good = path_read_whole(from, FILE_MAX, &bytes, err);
    if (good && !path_write(to, bytes.data ? bytes.data : "", bytes.length))
        good = err_set(err, "cannot write %.300s: %s", to, strerror(errno));
    buf_done(&bytes);
    return good;
}

static bool has(const char *folder, const char *name) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static bool copy_files(const char *from, const char *to, const char *but, struct err *err) {
    char source[PATH_SIZE], target[PATH_SIZE];
    for (const char *const *name = add_files; *name; name++) {
        if (!has(from, *name) || (but && strcmp(*name, but) == 0))
            continue;
        snprintf(source, sizeof source, "%.4000s/%s", from, *name);
        snprintf(target, sizeof target, "%.4000s/%s", to, *name);
        if (!copy_file(source, target, err))
            return false;
    }
    return true;
}

static bool check_source(const char *source, struct err *err) {
    struct stat about;
    if (stat(source, &about) != 0)
        return err_set(err, "cannot open the folder %.300s: %s", source, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return err_set(err, "%.300s is no folder; the folder of a game holds rules.c and game.conf",
                       source);
    if (!has(source, "game.conf"))
        return err_set(err, "%.300s holds no game.conf; arbiter game new NAME writes a folder",
                       source);
    return has(source, "rules.c") || has(source, "rules.wasm") ||
           err_set(err, "%.300s holds neither rules.c nor rules.wasm", source);
}

// What is said of the copy is said of the folder itself.
static void name_source(const struct add *add, const char *source, struct buf *words) {
    struct buf out = {.data = NULL};
    const char *rest = words->data ? words->data : "";
    for (const char *at; (at = strstr(rest, add->scratch.path));
         rest = at + strlen(add->scratch.path)) {
        buf_put(&out, rest, (size_t)(at - rest));
        buf_text(&out, source);
    }
    buf_text(&out, rest);
    buf_done(words);
    *words = out;
}

static bool fits_together(const char *folder, struct err *err) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/board.conf", folder);
    struct folder *f = folder_read(folder, false, err);
    json_t *board = f ? board_conf_read(path, &f->game, err) : NULL;
    const bool fits = board;
    json_decref(board);
    folder_free(f);
    return fits;
}

static bool make(struct add *add, const char *source, bool builds, struct err *err) {
    char conf[PATH_SIZE];
    snprintf(conf, sizeof conf, "%.4000s/game.conf", source);
    if (!check_source(source, err) || !conf_read_name(conf, add->name, sizeof add->name, err) ||
        !scratch_make(&add->scratch, "a game", err))
        return false;
    struct err inner = {.set = false};
    const bool good = copy_files(source, add->scratch.path, builds ? "rules.wasm" : NULL, err) &&
                      (!builds || make_module(add->scratch.path, add->name, &add->said, &inner)) &&
                      folder_write_facts(add->scratch.path, &inner) &&
                      fits_together(add->scratch.path, &inner);
    struct buf words = {.data = NULL};
    name_source(add, source, &add->said);
    buf_text(&words, inner.text);
    name_source(add, source, &words);
    if (inner.set)
        err_set(err, "%.480s", words.data);
    buf_done(&words);
    return good;
}

bool add_make(struct add *add, const char *source, struct err *err) {
    return learned_check_rungs(source, err) && make(add, source, has(source, "rules.c"), err);
}

bool add_take(struct add *add, const char *source, struct err *err) {
    if (!has(source, "rules.wasm"))
        return err_set(err, "there is no rules.wasm in it");
    return make(add, source, false, err);
}

bool add_copy(const char *from, const char *to, struct err *err) {
    return path_make_folder(to, err) && copy_files(from, to, NULL, err);
}

// The object of this machine; the check may have made it already.
static bool copy_native(const char *from, const char *to, struct err *err) {
    struct buf module = {.data = NULL};
    char name[MAKE_NAME_MAX], source[PATH_SIZE], target[PATH_SIZE];
    snprintf(source, sizeof source, "%.4000s/rules.wasm", from);
    bool good = path_read_whole(source, FILE_MAX, &module, err);
    if (good) {
        make_native_name(&module, name);
        snprintf(source, sizeof source, "%.4000s/%s", from, name);
        snprintf(target, sizeof target, "%.4000s/%s", to, name);
        good = access(source, R_OK) != 0 || copy_file(source, target, err);
    }
    buf_done(&module);
    return good;
}

static bool make_folders(const char *data, struct err *err) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/games", data);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!path_make_folder(path, err))
            return false;
        *slash = '/';
    }
    return path_make_folder(path, err);
}

// What was learned of a game stays when it is added anew, unless the folder brings its own; whoever
// reads it finds out whether it is of these rules.
static bool keep_learned(const char *old, const char *made, struct err *err) {
    static const char *const names[] = {"rungs.txt", "weights.bin"};
    char from[PATH_SIZE], to[PATH_SIZE];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(from, sizeof from, "%.4000s/%s", old, names[i]);
        snprintf(to, sizeof to, "%.4000s/%s", made, names[i]);
        if (has(old, names[i]) && !has(made, names[i]) && !copy_file(from, to, err))
            return false;
    }
    return true;
}

// Do both hold the same rules? The module is all that a training depends on.
static bool same_rules(const char *one, const char *other) {
    struct buf modules[2] = {{.data = NULL}, {.data = NULL}};
    const char *const folders[] = {one, other};
    char path[PATH_SIZE];
    bool good = true;
    for (int i = 0; i < 2 && good; i++) {
        snprintf(path, sizeof path, "%.4000s/rules.wasm", folders[i]);
        good = path_read(path, FILE_MAX, &modules[i]) && modules[i].length > 0;
    }
    good = good && modules[0].length == modules[1].length &&
           memcmp(modules[0].data, modules[1].data, modules[0].length) == 0;
    buf_done(&modules[0]);
    buf_done(&modules[1]);
    return good;
}

// A training goes on under the same rules; of others it is gone with them. It is moved, not copied:
// one that runs right now finds it under the same name again.
static bool keep_training(const char *old, const char *place, struct err *err) {
    char from[PATH_SIZE], to[PATH_SIZE];
    snprintf(from, sizeof from, "%.4000s/training", old);
    snprintf(to, sizeof to, "%.4000s/training", place);
    return !same_rules(old, place) || rename(from, to) == 0 || errno == ENOENT ||
           err_set(err, "cannot keep the training %.300s: %s", to, strerror(errno));
}

// Under another name first; then the old one makes room.
bool add_keep(struct add *add, const char *data, struct err *err) {
    char made[PATH_SIZE], place[PATH_SIZE], old[PATH_SIZE], from[PATH_SIZE], to[PATH_SIZE];
    snprintf(place, sizeof place, "%.4000s/games/%s", data, add->name);
    snprintf(made, sizeof made, "%.4000s/games/.new-%s-%d", data, add->name, (int)getpid());
    snprintf(old, sizeof old, "%.4000s/games/.old-%s-%d", data, add->name, (int)getpid());
    if (!make_folders(data, err))
        return false;
    path_remove(made);
    bool good = path_make_folder(made, err) && copy_files(add->scratch.path, made, NULL, err) &&
                copy_native(add->scratch.path, made, err) && keep_learned(place, made, err);
    snprintf(from, sizeof from, "%.4000s/facts", add->scratch.path);
    snprintf(to, sizeof to, "%.4000s/facts", made);
    good = good && copy_file(from, to, err);
    if (good && rename(place, old) != 0 && errno != ENOENT)
        good = err_set(err, "cannot replace %.300s: %s", place, strerror(errno));
    if (good && rename(made, place) != 0)
        good = err_set(err, "cannot write %.300s: %s", place, strerror(errno));
    good = good && keep_training(old, place, err);
    path_remove(made);
    path_remove(old);
    return good;
}

void add_done(struct add *add) {
    scratch_done(&add->scratch);
    buf_done(&add->said);
}

bool add_remove(const char *name, const char *data, struct err *err) {
    char place[PATH_SIZE];
    snprintf(place, sizeof place, "%.4000s/games/%.40s", data, name);
    if (!facts_is_name(name) || access(place, F_OK) != 0)
        return err_set(err, "there is no game '%.60s' in %.200s/games", name, data);
    path_remove(place);
    return access(place, F_OK) != 0 ||
           err_set(err, "cannot remove %.300s: %s", place, strerror(errno));
}
