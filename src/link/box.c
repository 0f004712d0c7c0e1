// SPDX-License-Identifier: MIT
// What this machine allows is asked of arbiter-box itself (--probe), which tries it; what control
// groups allow is found out here, because they are made by whoever starts a player and not inside.
// Both together give the best level. A player is then started by a list of words: arbiter-box with
// its options, "--", and the shell with the player's command. Without a box the list is the
// shell's alone, so that whoever starts players need not know the difference.
#include "link/box.h"

#include "base/json.h"
#include "base/mem.h"
#include "base/path.h"
#include "link/core.h"
#include "link/keeper.h"
#include "link/shell.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Beside this program.
static bool find_tool(char path[static BOX_PATH_MAX]) {
    char program[PATH_PROGRAM_MAX];
    char *name = strrchr(path_of_program(program), '/');
    if (name)
        snprintf(path, BOX_PATH_MAX, "%.*s/arbiter-box", (int)(name - program), program);
    return name && access(path, X_OK) == 0;
}

static json_t *ask_tool(const char *tool) {
    struct buf command = {.data = NULL};
    shell_put_quoted(&command, tool);
    buf_text(&command, " --probe 2>/dev/null");
    FILE *out = popen(command.data, "re");
    json_t *answer = out ? json_loadf(out, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
    if (out)
        pclose(out);
    buf_done(&command);
    return answer;
}

void box_find(struct box *box) {
    *box = (struct box){.level = BOX_OFF, .best = BOX_OFF};
    box->has_tool = find_tool(box->tool);
    json_t *answer = box->has_tool ? ask_tool(box->tool) : NULL;
    const char *why = json_string_value(json_object_get(answer, "why"));
    box->has_tool = answer != NULL;
    box->filter = json_is_true(json_object_get(answer, "filter"));
    box->has_bwrap = json_is_true(json_object_get(answer, "bwrap"));
    box->namespaces = json_is_true(json_object_get(answer, "namespaces"));
    box->root = json_is_true(json_object_get(answer, "root"));
    snprintf(box->why, sizeof box->why, "%.390s", why ? why : "");
    json_decref(answer);
    cgroups_find(&box->groups);
    if (!box->has_tool)
        return;
    box->best = !box->filter         ? BOX_LIMITS
                : !box->namespaces   ? BOX_FILTER
                : box->groups.usable ? BOX_GROUPS
                                     : BOX_NAMESPACES;
}

bool box_choose(struct box *box, int level, struct err *err) {
    assert(level >= BOX_LIMITS && level <= BOX_BEST);
    if (!box->has_tool)
        return err_set(err, "players cannot be boxed: there is no working %.200s", box->tool);
    box->level = level == BOX_BEST ? box->best : level;
    return box->level <= box->best ||
           err_set(err,
                   "players cannot be boxed at level %d: this machine allows %d; arbiter "
                   "doctor tells why",
                   level, box->best);
}

int64_t box_machine_memory(void) {
    const int64_t machine = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
                  bound = cgroups_memory_bound();
    return bound >= 0 && bound < machine ? bound : machine;
}

bool box_fits(int64_t memory, int players, int games, struct err *err) {
    assert(memory >= 0 && players >= 0 && games >= 1);
    const double gb = 1 << 30, machine = (double)box_machine_memory(),
                 sum = (double)memory * players * games;
    return sum <= machine ||
           err_set(err,
                   "%d boxed player%s in %d game%s at once may have %.1f GB of memory together, "
                   "and this machine has %.1f GB: use fewer --jobs or less memory",
                   players, players == 1 ? "" : "s", games, games == 1 ? "" : "s", sum / gb,
                   machine / gb);
}

const char *box_level_words(int level) {
    assert(level <= BOX_GROUPS);
    static const char *const words[] = {"limits of single processes", "limits and a filter",
                                        "limits, a filter and walls",
                                        "limits, a filter, walls and control groups"};
    return level < 0 ? "none: arbiter-box is missing or does not work" : words[level];
}

enum box_core box_core(const struct box *box) {
    return box->groups.cores   ? BOX_CORE_WEIGHTS
           : box->root         ? BOX_CORE_IDLE
           : core_count() >= 2 ? BOX_CORE_APART
                               : BOX_CORE_SHARED;
}

const char *box_core_word(enum box_core core) {
    static const char *const words[] = {
#define BOX_CORE_WORD(id, word) word,
        BOX_CORES(BOX_CORE_WORD)
#undef BOX_CORE_WORD
    };
    return words[core];
}

void box_done(struct box *box) { cgroups_done(&box->groups); }

struct box_words {
    char **word;
    size_t count;
};

static void put(struct box_words *w, const char *word) {
    w->word = mem_resize(w->word, (w->count + 2) * sizeof *w->word);
    w->word[w->count++] = mem_text(word);
    w->word[w->count] = NULL;
}

static void put_number(struct box_words *w, const char *option, int64_t number) {
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, number);
    put(w, option);
    put(w, text);
}

static void put_text(struct box_words *w, const char *option, const char *text) {
    put(w, option);
    put(w, text);
}

bool box_has_group(const struct program *p) {
    return p->box &&
           (p->box->level >= BOX_GROUPS || (p->box->groups.cores && !p->frozen && !p->solo));
}

// Address space is limited where memory itself cannot be counted.
static void put_options(struct box_words *w, const struct program *p, int door) {
    const int level = p->box->level;
    put_number(w, "--level", level);
    put_number(w, "--processes", BOX_PROCESSES);
    if (p->memory > 0 && level < BOX_GROUPS && !p->by_use)
        put_number(w, "--memory", p->memory);
    if (p->memory > 0 && level < BOX_GROUPS)
        put(w, "--uncounted");
    if (p->wine)
        put(w, "--wine");
    if (p->solo)
        put(w, "--locks");
    if (p->box->tells)
        put(w, "--tell");
    if (p->frozen && level < BOX_GROUPS)
        put(w, "--alone");
    if (p->port > 0)
        put_number(w, "--port", p->port);
    if (door >= 0)
        put_number(w, "--door", door);
    if (level >= BOX_GROUPS && !p->box->groups.unified)
        put_number(w, "--freezer", KEEPER_FREEZER);
    if (box_has_group(p) && cgroups_enter_core(&p->box->groups, level < BOX_GROUPS))
        put_number(w, "--core", KEEPER_CORE);
    put_number(w, "--begun", KEEPER_BEGUN);
    if (level < BOX_NAMESPACES && p->folder)
        put_text(w, "--folder", p->folder);
    for (int i = 0; level >= BOX_NAMESPACES && i < p->shows; i++)
        put_text(w, "--show", p->show[i]);
}

const char *box_path(const struct program *p) { return p->box ? p->box->tool : "/bin/sh"; }

char **box_words(const struct program *p, const char *script, int door) {
    struct box_words w = {.word = NULL};
    put(&w, p->box ? p->box->tool : "sh");
    if (p->box) {
        put_options(&w, p, door);
        put_text(&w, "--", "/bin/sh");
    }
    put_text(&w, "-c", script);
    return w.word;
}
