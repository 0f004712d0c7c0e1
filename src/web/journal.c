// SPDX-License-Identifier: MIT
#include "web/journal.h"

#include "base/mem.h"
#include "base/plain.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 1000, FILE_BYTES = 4 << 20, OLD_FILES = 5, PATH_BYTES = 4200 };

struct journal {
    char *folder;
    int fd;
};

// The n-th of them, 0 being the one that is written.
static void name_file(const struct journal *j, int n, char path[static PATH_BYTES]) {
    if (n == 0)
        snprintf(path, PATH_BYTES, "%s/log.txt", j->folder);
    else
        snprintf(path, PATH_BYTES, "%s/log.%d.txt", j->folder, n);
}

static bool open_file(struct journal *j) {
    char path[PATH_BYTES];
    name_file(j, 0, path);
    j->fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    return j->fd >= 0;
}

struct journal *journal_open(const char *folder) {
    struct journal *j = mem_new(1, sizeof *j);
    j->folder = mem_text(folder);
    if (open_file(j))
        return j;
    free(j->folder);
    free(j);
    return NULL;
}

// Every file gets the name of the next older one.
static void rotate(struct journal *j) {
    char from[PATH_BYTES], to[PATH_BYTES];
    for (int n = OLD_FILES; n > 0; n--) {
        name_file(j, n - 1, from);
        name_file(j, n, to);
        rename(from, to);
    }
    close(j->fd);
    open_file(j);
}

void journal_write(struct journal *j, const char *format, ...) {
    char line[LINE_BYTES], words[LINE_BYTES - 40], when[32];
    const time_t now = time(NULL);
    struct stat info;
    struct tm local;
    va_list list;
    if (!j || j->fd < 0)
        return;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    plain_clean(words);
    for (char *c = words; *c; c++)
        *c = *c == '\n' || *c == '\t' ? ' ' : *c;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &local));
    const int length = snprintf(line, sizeof line, "%s %s\n", when, words);
    if (write(j->fd, line, (size_t)length) < 0)
        return; // a full disk must not stop a contest
    if (fstat(j->fd, &info) == 0 && info.st_size > FILE_BYTES)
        rotate(j);
}

void journal_close(struct journal *j) {
    if (!j)
        return;
    if (j->fd >= 0)
        close(j->fd);
    free(j->folder);
    free(j);
}
