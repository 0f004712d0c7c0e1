// SPDX-License-Identifier: MIT
#include "web/shelf.h"

#include "base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { ID_LENGTH = 10, PATH_SIZE = 4096, INDEX_MAX = 2000 };

struct shelf {
    char folder[PATH_SIZE - 64];
    json_t *index; // oldest first: what shelf_list shows of each
};

bool shelf_is_id(const char *id) {
    const size_t length = strlen(id);
    return length > 0 && length < 24 &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789") == length;
}

static void path_of(const struct shelf *shelf, const char *id, const char *tail,
                    char path[static PATH_SIZE]) {
    snprintf(path, PATH_SIZE, "%s/%.23s%s", shelf->folder, id, tail);
}

static json_t *read_file(const struct shelf *shelf, const char *id, const char *tail) {
    char path[PATH_SIZE];
    if (!shelf_is_id(id))
        return NULL;
    path_of(shelf, id, tail, path);
    return json_load_file(path, 0, NULL);
}

// Written beside and moved there, so that nobody reads half of it.
static bool write_file(const struct shelf *shelf, const char *id, const char *tail,
                       const json_t *value, struct err *err) {
    char path[PATH_SIZE], fresh[PATH_SIZE];
    path_of(shelf, id, tail, path);
    path_of(shelf, id, ".new", fresh);
    return (json_dump_file(value, fresh, JSON_LINE) == 0 && rename(fresh, path) == 0) ||
           err_set(err, "cannot write %.300s: %s", path, strerror(errno));
}

static json_t *entry_of(const char *id, const json_t *record) {
    json_t *entry = json_object();
    static const char *const fields[] = {"game",   "players", "names", "winner",
                                         "scores", "reason",  "plies", "at"};
    json_object_set_new(entry, "id", json_string(id));
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        json_object_set(entry, fields[i], json_object_get(record, fields[i]));
    return entry;
}

static int by_time(const void *a, const void *b) {
    const json_int_t x = json_integer_value(json_object_get(*(json_t *const *)a, "at"));
    const json_int_t y = json_integer_value(json_object_get(*(json_t *const *)b, "at"));
    return (x > y) - (x < y);
}

static void read_entry(struct shelf *shelf, const char *name, json_t **entries, size_t *count) {
    char id[32];
    const char *tail = strstr(name, ".json");
    if (!tail || strcmp(tail, ".json") != 0 || tail - name >= (ptrdiff_t)sizeof id)
        return;
    snprintf(id, sizeof id, "%.*s", (int)(tail - name), name);
    json_t *record = read_file(shelf, id, ".json");
    if (json_is_object(record) && *count < INDEX_MAX)
        entries[(*count)++] = entry_of(id, record);
    json_decref(record);
}

static void read_index(struct shelf *shelf) {
    json_t **entries = mem_new(INDEX_MAX, sizeof *entries);
    size_t count = 0;
    DIR *dir = opendir(shelf->folder);
    for (const struct dirent *e; dir && (e = readdir(dir));)
        read_entry(shelf, e->d_name, entries, &count);
    if (dir)
        closedir(dir);
    qsort(entries, count, sizeof *entries, by_time);
    for (size_t i = 0; i < count; i++)
        json_array_append_new(shelf->index, entries[i]);
    free(entries);
}

struct shelf *shelf_open(const char *folder, struct err *err) {
    struct shelf *shelf = mem_new(1, sizeof *shelf);
    snprintf(shelf->folder, sizeof shelf->folder, "%s", folder);
    shelf->index = json_array();
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        err_set(err, "cannot make the folder %.300s: %s", folder, strerror(errno));
        shelf_close(shelf);
        return NULL;
    }
    read_index(shelf);
    return shelf;
}

void shelf_close(struct shelf *shelf) {
    if (!shelf)
        return;
    json_decref(shelf->index);
    free(shelf);
}

void shelf_draw_id(const struct shelf *shelf, char *id, size_t size) {
    static const char letters[] = "abcdefghjkmnpqrstuvwxyz23456789"; // none that look alike
    unsigned char bytes[ID_LENGTH];
    char path[PATH_SIZE];
    do {
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
            abort();
        for (int i = 0; i < ID_LENGTH && (size_t)i + 1 < size; i++)
            id[i] = letters[bytes[i] % (sizeof letters - 1)];
        id[ID_LENGTH] = '\0';
        path_of(shelf, id, ".json", path);
    } while (access(path, F_OK) == 0);
}

bool shelf_put(struct shelf *shelf, const char *id, const json_t *record, struct err *err) {
    json_t *copy = json_copy((json_t *)record);
    json_object_set_new(copy, "at", json_integer((json_int_t)time(NULL)));
    const bool good = write_file(shelf, id, ".json", copy, err);
    if (good)
        json_array_append_new(shelf->index, entry_of(id, copy));
    if (json_array_size(shelf->index) > INDEX_MAX)
        json_array_remove(shelf->index, 0);
    json_decref(copy);
    return good;
}

json_t *shelf_get(const struct shelf *shelf, const char *id) {
    return read_file(shelf, id, ".json");
}

bool shelf_put_study(struct shelf *shelf, const char *id, const json_t *study, struct err *err) {
    return write_file(shelf, id, ".study.json", study, err);
}

json_t *shelf_get_study(const struct shelf *shelf, const char *id) {
    return read_file(shelf, id, ".study.json");
}

json_t *shelf_list(const struct shelf *shelf, size_t most) {
    json_t *list = json_array();
    const size_t count = json_array_size(shelf->index);
    for (size_t i = 0; i < count && i < most; i++)
        json_array_append(list, json_array_get(shelf->index, count - 1 - i));
    return list;
}
