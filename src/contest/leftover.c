// SPDX-License-Identifier: MIT
#include "contest/leftover.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/path.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Calls `each` for every name in a folder that is not hidden.
static void for_names(const char *folder, void (*each)(const char *folder, const char *name)) {
    struct dirent **names = NULL;
    const int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        if (names[i]->d_name[0] != '.')
            each(folder, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

static void write_report(const char *folder, int number, const char *path) {
    const char *team = strrchr(folder, '/');
    json_t *report = json_pack("{s:o, s:i, s:s, s:i, s:n, s:n, s:b}", "team",
                               json_text(team ? team + 1 : ""), "number", number, "error",
                               "it was broken off", "seconds", 0, "box", "game", "counts", 0);
    char *text = json_dumps(report, JSON_LINE);
    if (text)
        path_write(path, text, strlen(text));
    free(text);
    json_decref(report);
}

// `3`, `3.archive` and `3.work` are there while the third is worked on, `3.json` at its end.
static void settle_file(const char *folder, const char *name) {
    static const char *const ends[] = {"", ".archive", ".work"};
    char *end;
    const long number = strtol(name, &end, 10);
    struct buf path = {.data = NULL};
    bool ours = false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        ours |= strcmp(end, ends[i]) == 0;
    if (!isdigit((unsigned char)*name) || !ours)
        return;
    buf_format(&path, "%s/%ld.json", folder, number);
    const bool told = access(path.data, F_OK) == 0;
    if (!told)
        write_report(folder, (int)number, path.data);
    for (size_t i = told ? 1 : 0; i < sizeof ends / sizeof *ends; i++) {
        buf_clear(&path);
        buf_format(&path, "%s/%ld%s", folder, number, ends[i]);
        path_remove(path.data);
    }
    buf_done(&path);
}

static void settle_team(const char *home, const char *name) {
    struct buf folder = {.data = NULL};
    buf_format(&folder, "%s/%s", home, name);
    for_names(folder.data, settle_file);
    buf_done(&folder);
}

void leftovers_settle(const char *home) { for_names(home, settle_team); }
