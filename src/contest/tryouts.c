// SPDX-License-Identifier: MIT
#include "contest/tryouts.h"

#include "base/path.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 8 << 20, MESSAGES_MAX = 1 << 20 };

static void put_path(struct buf *out, const char *folder, int number, const char *end) {
    buf_clear(out);
    buf_format(out, "%s/%d%s", folder, number, end);
}

// The number that a file's name begins with, if it goes on like this; 0: it does not.
static int number_in(const char *name, const char *end) {
    char *rest;
    const long number = strtol(name, &rest, 10);
    return number > 0 && number <= INT_MAX && strcmp(rest, end) == 0 ? (int)number : 0;
}

int tryouts_last(const char *path) {
    int last = 0;
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int number = number_in(entry->d_name, ".json");
        last = number > last ? number : last;
    }
    if (folder)
        closedir(folder);
    return last;
}

void tryouts_keep(const char *folder, int number, const json_t *report,
                  const struct buf *messages) {
    struct buf path = {.data = NULL};
    char *text = json_dumps(report, JSON_LINE);
    put_path(&path, folder, number, ".messages");
    if (messages->length > 0)
        path_write(path.data, messages->data, messages->length);
    put_path(&path, folder, number, ".json");
    if (text)
        path_write(path.data, text, strlen(text));
    free(text);
    put_path(&path, folder, number - TRYOUTS_KEPT, ".messages");
    path_remove(path.data);
    put_path(&path, folder, number - TRYOUTS_KEPT, ".json");
    path_remove(path.data);
    buf_done(&path);
}

json_t *tryouts_report(const char *folder, int number) {
    struct buf path = {.data = NULL}, text = {.data = NULL};
    put_path(&path, folder, number, ".json");
    const bool there = path_read(path.data, REPORT_MAX, &text) && text.data;
    json_t *report = there ? json_loadb(text.data, text.length, 0, NULL) : NULL;
    buf_done(&path);
    buf_done(&text);
    return report;
}

bool tryouts_messages(const char *folder, int number, struct buf *out) {
    struct buf path = {.data = NULL};
    put_path(&path, folder, number, ".messages");
    const bool there = path_read(path.data, MESSAGES_MAX, out);
    buf_done(&path);
    return there;
}

void tryouts_put_work(const char *folder, int number, struct buf *out) {
    put_path(out, folder, number, ".work");
}

void tryouts_recover(const char *path) {
    struct buf work = {.data = NULL};
    DIR *folder = opendir(path);
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        const int number = number_in(entry->d_name, ".work");
        if (!number)
            continue;
        tryouts_put_work(path, number, &work);
        path_remove(work.data);
    }
    if (folder)
        closedir(folder);
    buf_done(&work);
}
