// SPDX-License-Identifier: MIT
// The whole command line as a table of names, kinds and fields. The second stage gets all options
// of the first again, and more that only it takes (wrap.c), so both are read here. Nothing is
// guessed: a word that is not known ends the program before the player could run with less than
// was asked for.
#include "sandbox/options.h"

#include "base/whole.h"
#include "sandbox/fail.h"

#include <stddef.h>
#include <string.h>

enum kind { FLAG, NUMBER, TEXT, SHOW };

static const struct {
    const char *name;
    enum kind kind;
    size_t offset;
} table[] = {
    {"--probe", FLAG, offsetof(struct options, probe)},
    {"--inside", FLAG, offsetof(struct options, inside)},
    {"--wine", FLAG, offsetof(struct options, wine)},
    {"--uncounted", FLAG, offsetof(struct options, uncounted)},
    {"--locks", FLAG, offsetof(struct options, locks)},
    {"--tell", FLAG, offsetof(struct options, tell)},
    {"--alone", FLAG, offsetof(struct options, alone)},
    {"--level", NUMBER, offsetof(struct options, level)},
    {"--memory", NUMBER, offsetof(struct options, memory)},
    {"--files", NUMBER, offsetof(struct options, files)},
    {"--processes", NUMBER, offsetof(struct options, processes)},
    {"--port", NUMBER, offsetof(struct options, port)},
    {"--door", NUMBER, offsetof(struct options, door)},
    {"--freezer", NUMBER, offsetof(struct options, freezer)},
    {"--input", NUMBER, offsetof(struct options, input)},
    {"--output", NUMBER, offsetof(struct options, output)},
    {"--core", NUMBER, offsetof(struct options, core)},
    {"--begun", NUMBER, offsetof(struct options, begun)},
    {"--self", NUMBER, offsetof(struct options, self)},
    {"--nice", NUMBER, offsetof(struct options, nice)},
    {"--uid", NUMBER, offsetof(struct options, uid)},
    {"--folder", TEXT, offsetof(struct options, folder)},
    {"--show", SHOW, offsetof(struct options, show)},
};

static int find(const char *name) {
    for (int i = 0; i < (int)(sizeof table / sizeof *table); i++)
        if (strcmp(table[i].name, name) == 0)
            return i;
    fail("there is no option", name);
}

static int64_t number(const char *name, const char *value) {
    int64_t n;
    if (!text_whole(value, 0, INT64_MAX, &n))
        fail("not a number behind", name);
    return n;
}

static void take(struct options *o, int which, const char *value) {
    void *field = (char *)o + table[which].offset;
    switch (table[which].kind) {
    case FLAG:
        *(bool *)field = true;
        break;
    case NUMBER:
        *(int64_t *)field = number(table[which].name, value);
        break;
    case TEXT:
        *(const char **)field = value;
        break;
    case SHOW:
        if (o->shows == SHOWS_MAX || *value != '/')
            fail("too much to show, or no whole path:", value);
        o->show[o->shows++] = value;
        break;
    }
}

void options_read(struct options *o, char **argv) {
    *o = (struct options){.level = LEVEL_LIMITS, .files = INT64_C(256) << 20, .processes = 128};
    for (argv++; *argv && strcmp(*argv, "--") != 0; argv++) {
        const int which = find(*argv);
        if (table[which].kind != FLAG && !argv[1])
            fail("nothing stands behind", *argv);
        take(o, which, table[which].kind == FLAG ? NULL : *++argv);
    }
    o->words = *argv ? argv + 1 : argv;
    if (!o->probe && !*o->words)
        fail("usage: arbiter-box [OPTIONS] -- COMMAND...", "");
}
