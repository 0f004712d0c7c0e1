// SPDX-License-Identifier: MIT
// Stories as text, a line a step, for the tests that tell them: "== title" begins one, and what is
// behind a "#" at the beginning of a line says something to people.
#pragma once

#include <assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STORY_LINE_SIZE = 4096, STORY_LINES_MAX = 400 };

struct story {
    char title[256];
    char *file;
    char **line; // comments and empty lines are "", so that the numbers of lines are right
    int lines, first_number;
};

static inline int stories_read_file(const char *folder, const char *name, struct story *stories,
                                    int count, int most) {
    char path[2 * STORY_LINE_SIZE], line[STORY_LINE_SIZE];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    assert(file);
    struct story *s = NULL;
    for (int number = 1; fgets(line, sizeof line, file); number++) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "== ", 3) == 0) {
            assert(count < most);
            s = &stories[count++];
            snprintf(s->title, sizeof s->title, "%.40s: %.200s", name, line + 3);
            s->file = strdup(name);
            s->first_number = number;
            s->line = calloc(STORY_LINES_MAX, sizeof *s->line);
        } else if (s) {
            assert(s->lines < STORY_LINES_MAX);
            s->line[s->lines++] = strdup(line[0] == '#' ? "" : line);
        }
    }
    fclose(file);
    return count;
}

// Reads all stories of a folder of $TEST_DATA, whose files end in .txt; returns how many there are.
static inline int stories_read(const char *name, struct story *stories, int most) {
    char folder[STORY_LINE_SIZE];
    struct dirent **names;
    int count = 0;
    snprintf(folder, sizeof folder, "%s/%s", getenv("TEST_DATA"), name);
    const int files = scandir(folder, &names, NULL, alphasort);
    assert(files > 0);
    for (int i = 0; i < files; i++) {
        if (strstr(names[i]->d_name, ".txt"))
            count = stories_read_file(folder, names[i]->d_name, stories, count, most);
        free(names[i]);
    }
    free(names);
    return count;
}

static inline void stories_free(struct story *stories, int count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < stories[i].lines; k++)
            free(stories[i].line[k]);
        free(stories[i].line);
        free(stories[i].file);
    }
}
