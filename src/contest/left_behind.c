// SPDX-License-Identifier: MIT
#include "contest/left_behind.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/path.h"
#include "contest/tryouts.h"

#include <ctype.h>
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Who looks, and at which team's folder.
struct search {
    const char *home, *team;
    void (*each)(void *owner, const char *team, int number, bool late);
    void *owner;
};

const char *left_behind_tail(bool late) { return late ? ".late" : ".archive"; }

static struct buf path_of(const struct search *search, int number, const char *end) {
    struct buf path = {.data = NULL};
    buf_format(&path, "%s/%s/%d%s", search->home, search->team, number, end);
    return path;
}

static bool is_there(const struct search *search, int number, const char *end) {
    struct buf path = path_of(search, number, end);
    const bool there = access(path.data, F_OK) == 0;
    buf_done(&path);
    return there;
}

static void remove_one(const struct search *search, int number, const char *end) {
    struct buf path = path_of(search, number, end);
    path_remove(path.data);
    buf_done(&path);
}

static void write_broken_off(const struct search *search, int number) {
    struct buf path = path_of(search, number, ".json");
    json_t *report =
        json_pack("{s:o, s:i, s:s, s:i, s:n, s:n, s:b}", "team", json_text(search->team), "number",
                  number, "error", "it was broken off", "seconds", 0, "box", "game", "counts", 0);
    char *text = json_dumps(report, JSON_LINE);
    if (text)
        path_write(path.data, text, strlen(text));
    free(text);
    json_decref(report);
    buf_done(&path);
}

// Whether an archive is worked on once more; that is counted.
static bool is_worth_it(const struct search *search, int number) {
    struct buf path = path_of(search, number, LEFT_BEHIND_COUNT), text = {.data = NULL};
    char count[16];
    const int before = path_read(path.data, 20, &text) && text.data ? atoi(text.data) : 0;
    snprintf(count, sizeof count, "%d\n", before + 1);
    const bool good = before < LEFT_BEHIND_MOST && path_write(path.data, count, strlen(count));
    buf_done(&path);
    buf_done(&text);
    return good;
}

static void look_at(const struct search *search, int number) {
    static const char *const ends[] = {"", ".work", ".archive", ".late", LEFT_BEHIND_COUNT};
    const bool told = is_there(search, number, ".json"), late = is_there(search, number, ".late"),
               whole = !told && (late || is_there(search, number, ".archive")),
               again = whole && is_worth_it(search, number);
    if (!told && !again)
        write_broken_off(search, number);
    for (size_t i = told ? 1 : 0; i < (again ? 2 : sizeof ends / sizeof *ends); i++)
        remove_one(search, number, ends[i]);
    if (again)
        search->each(search->owner, search->team, number, late);
}

// The number of a submission that may be left behind, by a file of its; 0: it is no such file.
static int number_of(const char *name) {
    static const char *const ends[] = {"", ".archive", ".late", ".work"};
    char *end;
    const long number = strtol(name, &end, 10);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (isdigit((unsigned char)*name) && number > 0 && number <= INT_MAX &&
            strcmp(end, ends[i]) == 0)
            return (int)number;
    return 0;
}

static int is_shown(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void look_at_team(struct search *search, const char *team) {
    struct buf folder = {.data = NULL};
    struct dirent **files = NULL;
    search->team = team;
    buf_format(&folder, "%s/%s", search->home, team);
    const int count = scandir(folder.data, &files, is_shown, alphasort);
    for (int i = 0, last = 0; i < count; i++) { // the files of one stand together
        const int number = number_of(files[i]->d_name);
        if (number > 0 && number != last)
            look_at(search, last = number);
        free(files[i]);
    }
    free(files);
    buf_text(&folder, "/tries");
    tryouts_recover(folder.data);
    buf_done(&folder);
}

void left_behind_find(const char *home,
                      void (*each)(void *owner, const char *team, int number, bool late),
                      void *owner) {
    struct search search = {.home = home, .each = each, .owner = owner};
    struct dirent **teams = NULL;
    const int count = scandir(home, &teams, is_shown, alphasort);
    for (int i = 0; i < count; i++) {
        look_at_team(&search, teams[i]->d_name);
        free(teams[i]);
    }
    free(teams);
}
