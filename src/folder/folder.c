// SPDX-License-Identifier: MIT
#include "folder/folder.h"

#include "base/buf.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/path.h"
#include "folder/contract.h"
#include "folder/facts.h"
#include "folder/make.h"
#include "folder/native.h"
#include "folder/proxy.h"
#include "folder/watchdog.h"

#include <assert.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MODULE_MAX = 16 << 20, PATH_SIZE = 4400 };

// Where games lie, those that come first before others of the same name.
#define KEPT "ARBITER_KEPT" // what goes before DATA, as children are told it: a line each
#define MORE "ARBITER_MORE" // what goes after

static struct {
    char data[FOLDER_DATA_MAX]; // where games are added
    char **places;
    int place_count, before; // so many stand before DATA
    bool by_proxy, is_listed;
    struct folder **known, *former;
    int count;
    int64_t changed;
    char trouble[ERR_TEXT_MAX]; // of the last one that was looked for
    int failures;               // who hears of them; -1: people
} all = {.failures = -1};

// Failures.

void folder_tell_failure(int fd) { all.failures = fd; }

// May be called by a signal handler, in the middle of anything: writes, and ends.
_Noreturn static void tell_failure(const char *name, const char *call, const char *why) {
    char words[ERR_TEXT_MAX];
    const bool people = all.failures < 0;
    const int length =
        snprintf(words, sizeof words, "%sthe rules of %.31s failed: %.40s: %.200s%s%s%s\n",
                 people ? "arbiter: " : "{\"rules_failed\":\"", name, call, why,
                 people && *contract_asking() ? "\n  " : "", people ? contract_asking() : "",
                 people ? "" : "\"}");
    if (write(people ? STDERR_FILENO : all.failures, words, (size_t)length) < 0)
        _exit(EXIT_FAILURE);
    _exit(people ? EXIT_FAILURE : 0);
}

void folder_fail(const struct game *game, const char *call, const char *why) {
    if (!proxy_fail(game, call, why))
        tell_failure(game->name, call, why);
}

// Objects do not know their names: each gets a host of its own number.
static struct folder *running; // the one that was loaded last; a process plays one game

__attribute__((noreturn)) static void native_failed(const char *call, const char *why) {
    tell_failure(running ? running->game.name : "a game", call, why);
}

static const struct native_host host = {.failed = native_failed};

// One game, read and loaded.

static bool read_file(const char *folder, const char *name, size_t most, struct buf *out,
                      struct err *err) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/%s", folder, name);
    return path_read_whole(path, most, out, err);
}

// The shared object of a module, which is made if it is not there. It is never closed.
static struct native *open_native(const char *folder, const struct buf *module,
                                  const struct game *facts, struct err *err) {
    char name[MAKE_NAME_MAX] = "asked.so", wasm[PATH_SIZE], object[PATH_SIZE];
    if (facts)
        make_native_name(module, name);
    snprintf(wasm, sizeof wasm, "%.4000s/rules.wasm", folder);
    snprintf(object, sizeof object, "%.4000s/%s", folder, name);
    if (access(object, R_OK) != 0 && !make_native(wasm, object, facts, err))
        return NULL;
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    struct native *native = library ? dlsym(library, "native") : NULL;
    if (!native)
        err_set(err, "cannot load %.300s", object);
    else
        native->host = &host;
    return native;
}

static bool load(struct folder *f, struct err *err) {
    struct buf module = {.data = NULL};
    struct native *native = read_file(f->path, "rules.wasm", MODULE_MAX, &module, err)
                                ? open_native(f->path, &module, &f->game, err)
                                : NULL;
    buf_done(&module);
    if (!native)
        return false;
    game_take_functions(&f->game, &native->game);
    native->game = f->game; // the object knows its bounds from there
    running = f;
    watchdog_watch(native);
    return true;
}

static bool read_facts(struct folder *f, struct err *err) {
    struct buf module = {.data = NULL}, facts = {.data = NULL}, conf = {.data = NULL};
    struct err inner = {.set = false};
    char path[PATH_SIZE];
    bool good = read_file(f->path, "rules.wasm", MODULE_MAX, &module, err) &&
                read_file(f->path, "facts", FACTS_MAX, &facts, err) &&
                read_file(f->path, "game.conf", MODULE_MAX, &conf, err);
    if (good && !facts_read(&f->facts, facts.data ? facts.data : "", &f->game, &inner))
        good = err_set(err, "%.200s: %s", f->path, inner.text);
    if (good) {
        sha256_hex(module.data, module.length, f->sum);
        sha256_hex(conf.data, conf.length, f->conf_sum);
    }
    snprintf(path, sizeof path, "%.4000s/game.conf", f->path);
    good = good && conf_read(&f->conf, path, &f->game, err);
    buf_done(&module);
    buf_done(&facts);
    buf_done(&conf);
    return good;
}

struct folder *folder_read(const char *path, bool wants_functions, struct err *err) {
    struct folder *f = mem_new(1, sizeof *f);
    f->path = mem_text(path);
    bool good = read_facts(f, err);
    f->spec = f->conf.spec;
    f->spec.rules_sum = f->sum;
    good = good && (!wants_functions || load(f, err));
    f->is_loaded = good && wants_functions;
    if (good)
        return f;
    folder_free(f);
    return NULL;
}

void folder_free(struct folder *f) {
    if (!f)
        return;
    if (running == f)
        running = NULL;
    facts_done(&f->facts);
    conf_done(&f->conf);
    free(f->path);
    free(f);
}

// In a child: a module that does not answer ends that alone.
static int ask_facts(const char *path, int out) {
    struct buf module = {.data = NULL};
    struct err err = {.set = false};
    static char text[FACTS_MAX];
    struct native *native = read_file(path, "rules.wasm", MODULE_MAX, &module, &err)
                                ? open_native(path, &module, NULL, &err)
                                : NULL;
    if (native) {
        watchdog_watch(native);
        native->facts(text, sizeof text);
    }
    dprintf(out, "%s", native ? text : err.text);
    return native ? 0 : 1;
}

bool folder_write_facts(const char *path, struct err *err) {
    int ends[2];
    char bytes[4096], file[PATH_SIZE];
    struct buf said = {.data = NULL};
    if (pipe(ends) != 0)
        return err_set(err, "cannot start a child: %s", strerror(errno));
    const pid_t pid = child_fork(SIGKILL);
    if (pid == 0) {
        dup2(ends[1], STDERR_FILENO);
        _exit(ask_facts(path, ends[1]));
    }
    close(ends[1]);
    for (ssize_t got; pid > 0 && (got = read(ends[0], bytes, sizeof bytes)) > 0;)
        buf_put(&said, bytes, (size_t)got);
    close(ends[0]);
    const int status = pid > 0 ? child_wait(pid) : -1;
    snprintf(file, sizeof file, "%.4000s/facts", path);
    bool good = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!good)
        err_set(err, "%.400s", said.data ? said.data : "its module does not say what it is");
    else if (!path_write(file, said.data, said.length))
        good = err_set(err, "cannot write %.300s: %s", file, strerror(errno));
    buf_done(&said);
    return good;
}

// All that are known.

static int compare_names(const void *a, const void *b) {
    const struct folder *const *x = a, *const *y = b;
    return strcmp((*x)->game.name, (*y)->game.name);
}

// The first of that name that can be read; NULL with why, if there are any.
static struct folder *read_named(const char *name, struct err *err) {
    for (int i = 0; i < all.place_count; i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof path, "%.4000s/games/%s", all.places[i], name);
        struct folder *f = access(path, F_OK) == 0 ? folder_read(path, false, err) : NULL;
        if (f && strcmp(f->game.name, name) == 0)
            return f;
        if (f)
            err_set(err, "its rules have another name");
        folder_free(f);
    }
    return NULL;
}

static void add_known(const char *name) {
    struct err unused = {.set = false};
    struct folder *f = read_named(name, &unused);
    if (!f)
        return;
    all.known = mem_resize(all.known, (size_t)(all.count + 1) * sizeof(struct folder *));
    all.known[all.count++] = f;
    spec_add(&f->spec);
}

static struct folder *known(const char *name) {
    for (int i = 0; i < all.count; i++)
        if (strcmp(all.known[i]->game.name, name) == 0)
            return all.known[i];
    return NULL;
}

static void list_place(const char *place) {
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%.4000s/games", place);
    DIR *dir = opendir(path);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (facts_is_name(entry->d_name) && !known(entry->d_name))
            add_known(entry->d_name);
    if (dir)
        closedir(dir);
}

static void list(void) {
    for (int i = 0; i < all.place_count && !all.is_listed; i++)
        list_place(all.places[i]);
    all.is_listed = true;
    if (all.count > 1)
        qsort(all.known, (size_t)all.count, sizeof *all.known, compare_names);
}

// Another number whenever one of the folders of games has changed.
static int64_t changed_at(void) {
    uint64_t sum = 0;
    for (int i = 0; i < all.place_count; i++) {
        char path[PATH_SIZE];
        struct stat about;
        snprintf(path, sizeof path, "%.4000s/games", all.places[i]);
        sum *= UINT64_C(1099511628211);
        if (stat(path, &about) == 0)
            sum += (uint64_t)about.st_mtim.tv_sec * 1000000000 + (uint64_t)about.st_mtim.tv_nsec;
    }
    return (int64_t)sum;
}

// What lies there now of the name of a game that was read before; NULL: none that can be read.
// Somebody may hold the one that was known.
static struct folder *look_again(struct folder *before) {
    struct err unused = {.set = false};
    struct folder *now = read_named(before->game.name, &unused);
    if (now && strcmp(now->sum, before->sum) == 0 && strcmp(now->conf_sum, before->conf_sum) == 0) {
        folder_free(now);
        return before;
    }
    before->next = all.former;
    all.former = before;
    if (now)
        spec_add(&now->spec);
    return now;
}

void folder_refresh(void) {
    const int64_t changed = changed_at();
    if (changed == all.changed)
        return;
    all.changed = changed;
    const int before = all.count;
    all.count = 0;
    for (int i = 0; i < before; i++) {
        struct folder *now = look_again(all.known[i]);
        if (now)
            all.known[all.count++] = now;
    }
    all.is_listed = false;
    list();
}

static int count_known(void) {
    list();
    return all.count;
}

static const struct game *nth_known(int n) { return &all.known[n]->game; }

static const struct game *find_known(const char *name) {
    struct err err = {.set = false};
    struct folder *f = facts_is_name(name) ? known(name) : NULL;
    if (!f && facts_is_name(name)) {
        add_known(name); // the others need not be looked at
        f = known(name);
    }
    if (!f || f->is_loaded)
        return f ? &f->game : NULL;
    f->is_loaded = all.by_proxy
                       ? proxy_give(&f->game) ||
                             err_set(&err,
                                     "more than %d games from outside were asked for since the "
                                     "server was started: remove some, and start it again",
                                     PROXIES_MAX)
                       : load(f, &err);
    if (f->is_loaded)
        return &f->game;
    snprintf(all.trouble, sizeof all.trouble, "%s", err.text);
    return NULL;
}

static const struct game_source source = {
    .count = count_known, .nth = nth_known, .find = find_known};

void folder_default_data(char data[static FOLDER_DATA_MAX]) {
    const char *given = getenv("ARBITER_DATA"), *share = getenv("XDG_DATA_HOME"),
               *home = getenv("HOME");
    data[0] = '\0';
    if (given && *given)
        snprintf(data, FOLDER_DATA_MAX, "%s", given);
    else if (share && *share == '/')
        snprintf(data, FOLDER_DATA_MAX, "%.4000s/arbiter", share);
    else if (home && *home)
        snprintf(data, FOLDER_DATA_MAX, "%.4000s/.local/share/arbiter", home);
}

// The places of a number from `from` on, a line each, in the environment of children.
static void tell_children(const char *key, int from, int to) {
    struct buf lines = {.data = NULL};
    for (int i = from; i < to; i++)
        buf_format(&lines, "%s%s", i > from ? "\n" : "", all.places[i]);
    setenv(key, lines.data ? lines.data : "", 1);
    buf_done(&lines);
}

// Whole, for children may run elsewhere; it need not be there yet. To be freed.
static char *whole_path(const char *place) {
    char whole[PATH_MAX], here[PATH_MAX], joined[2 * PATH_MAX];
    const char *path = realpath(place, whole);
    if (!path && *place != '/' && getcwd(here, sizeof here)) {
        snprintf(joined, sizeof joined, "%s/%s", here, place);
        path = joined;
    }
    return mem_text(path ? path : place);
}

// Puts a place among the others, unless it is there already.
static void add_place(const char *place, int at) {
    char *path = whole_path(place);
    for (int i = 0; i < all.place_count; i++)
        if (strcmp(all.places[i], path) == 0) {
            free(path);
            return;
        }
    all.places = mem_resize(all.places, (size_t)(all.place_count + 1) * sizeof *all.places);
    memmove(all.places + at + 1, all.places + at,
            (size_t)(all.place_count - at) * sizeof *all.places);
    all.places[at] = path;
    all.place_count++;
    all.is_listed = false;
}

static void add_before(const char *place, int at) {
    const int count = all.place_count;
    add_place(place, at);
    all.before += all.place_count - count;
}

void folder_open_before(const char *data) {
    add_before(data, 0);
    tell_children(KEPT, 0, all.before);
    folder_refresh();
}

void folder_open_after(const char *data) {
    add_place(data, all.place_count);
    tell_children(MORE, all.before + 1, all.place_count);
}

// What the parent knew.
static void open_lines(const char *key, bool before) {
    const char *lines = getenv(key);
    char *copy = lines && *lines ? mem_text(lines) : NULL, *rest = copy;
    for (const char *line; rest && (line = strsep(&rest, "\n"));)
        if (before)
            add_before(line, all.before);
        else
            add_place(line, all.place_count);
    free(copy);
}

// Whoever holds a game may go on with it.
static void forget_all(void) {
    while (all.count > 0) {
        struct folder *f = all.known[--all.count];
        f->next = all.former;
        all.former = f;
    }
    while (all.place_count > 0)
        free(all.places[--all.place_count]);
    all.before = 0;
    all.data[0] = '\0';
    game_set_source(NULL);
}

void folder_open(const char *data, bool by_proxy) {
    forget_all();
    all.by_proxy = by_proxy;
    if (!*data)
        return;
    char *path = whole_path(data);
    snprintf(all.data, sizeof all.data, "%.4000s", path);
    free(path);
    add_place(all.data, 0);
    open_lines(KEPT, true);
    open_lines(MORE, false);
    setenv("ARBITER_DATA", all.data, 1);
    game_set_source(&source);
}

const char *folder_data(void) { return all.data; }

const char *folder_trouble(const char *name) {
    struct err err = {.set = false};
    if (!facts_is_name(name))
        return NULL;
    if (known(name))
        return all.trouble;
    folder_free(read_named(name, &err));
    snprintf(all.trouble, sizeof all.trouble, "%s", err.text);
    return err.set ? all.trouble : NULL;
}

const struct folder *folder_of(const struct game *game) {
    const struct folder *f = known(game->name);
    return f && &f->game == game ? f : NULL;
}
