// SPDX-License-Identifier: MIT
#include "base/rungs.h"

#include "base/embed.h"
#include "base/whole.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS_FEW = 2, COLUMNS = 5 };

static const struct rung_column {
    const char *what;
    int64_t least, most;
} columns[COLUMNS] = {{"NODES", 0, 1000000000},
                      {"MISSES", 0, 100},
                      {"ELO", -10000, 10000},
                      {"LOW", -10000, 10000},
                      {"HIGH", -10000, 10000}};

// The numbers of a line; 0: one is none, which is said.
static int read_numbers(char *line, int number, int64_t values[static COLUMNS], struct err *err) {
    int count = 0;
    char *rest = line;
    for (char *word; (word = strsep(&rest, " \t\r"));) {
        if (!*word)
            continue;
        if (count == COLUMNS ||
            !text_whole(word, columns[count].least, columns[count].most, &values[count])) {
            err_set(err, "line %d of the rungs: '%.40s' is no %s", number, word,
                    count == COLUMNS ? "part of a rung" : columns[count].what);
            return 0;
        }
        count++;
    }
    if (count == COLUMNS_FEW || count == COLUMNS)
        return count;
    err_set(err, "line %d of the rungs has %d numbers; accepted: %d or %d", number, count,
            COLUMNS_FEW, COLUMNS);
    return 0;
}

static bool fits(const struct rung *before, const struct rung *now, bool measured) {
    return !measured ||
           (now->low <= now->elo && now->elo <= now->high && (!before || before->elo <= now->elo));
}

static bool take_line(struct rungs *rungs, int *count, char *line, int number, struct err *err) {
    int64_t v[COLUMNS] = {0};
    const int found = read_numbers(line, number, v, err);
    if (!found)
        return false;
    if (*count == RUNG_COUNT)
        return err_set(err, "there are more than %d rungs", RUNG_COUNT);
    if (*count > 0 && rungs->measured != (found == COLUMNS))
        return err_set(err, "line %d of the rungs: either all have an Elo, or none", number);
    rungs->measured = found == COLUMNS;
    struct rung *rung = &rungs->rung[(*count)++];
    *rung = (struct rung){v[0], (int)v[1], (int)v[2], (int)v[3], (int)v[4]};
    return fits(*count > 1 ? rung - 1 : NULL, rung, rungs->measured) ||
           err_set(err,
                   "line %d of the rungs is weaker than the one before, or its ELO is not from LOW "
                   "to HIGH",
                   number);
}

bool rungs_read(struct rungs *rungs, const char *text, size_t length, struct err *err) {
    char copy[RUNGS_TEXT_MAX];
    int count = 0, number = 0;
    *rungs = (struct rungs){.measured = false};
    if (length >= sizeof copy || memchr(text, '\0', length))
        return err_set(err, "the rungs are no text of less than %d bytes", RUNGS_TEXT_MAX);
    memcpy(copy, text, length);
    copy[length] = '\0';
    char *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));) {
        number++;
        if (line[strspn(line, " \t\r")] && *line != '#' &&
            !take_line(rungs, &count, line, number, err))
            return false;
    }
    return count == RUNG_COUNT ||
           err_set(err, "there are %d rungs; accepted: %d", count, RUNG_COUNT);
}

void rungs_find(struct rungs *rungs, const char *game) {
    const struct embed *any = NULL;
    struct err err = {.set = false};
    char name[64];
    snprintf(name, sizeof name, "%.50s.txt", game);
    const struct embed *file = rung_files;
    for (; file->path && strcmp(file->path, name) != 0; file++)
        if (strcmp(file->path, "any.txt") == 0)
            any = file;
    file = file->path ? file : any;
    assert(file);
    const bool good = rungs_read(rungs, file->bytes, file->size, &err);
    assert(good);
    (void)good;
}
