// SPDX-License-Identifier: MIT
// The box for untrusted players, as seen by who starts them: what this machine allows, and the
// words that start a player in it (src/sandbox). docs/sandbox.md has the whole of it.
#pragma once

#include "base/err.h"
#include "link/cgroup.h"
#include "link/link.h"

enum {
    BOX_OFF = -1,
    BOX_LIMITS = 0,     // limits of single processes, and as root another user
    BOX_FILTER = 1,     // and system calls filtered
    BOX_NAMESPACES = 2, // and nothing to be seen but what is shown
    BOX_GROUPS = 3,     // and memory, processes and time counted together, all frozen at once
    BOX_BEST = 4,       // the highest of these that there is
    BOX_PATH_MAX = 4096,
    BOX_PROCESSES = 128, // that a player may have at once, threads included
};

// How the player whose turn it is comes to have the core for itself while the other may think.
#define BOX_CORES(X)                                                                               \
    X(SHARED, "shared")   /* it is not held: both have it */                                       \
    X(WEIGHTS, "weights") /* their control groups have more or less of it */                       \
    X(IDLE, "idle")       /* the other's threads wait behind all others */                         \
    X(APART, "apart")     /* the other's threads are on one core, and there are more */

enum box_core {
#define BOX_CORE_CONSTANT(id, word) BOX_CORE_##id,
    BOX_CORES(BOX_CORE_CONSTANT)
#undef BOX_CORE_CONSTANT
};

// What there is. Found once for a run and borrowed by its links; plain memory, freed by box_done.
struct box {
    int level;               // in use
    int best;                // that this machine allows
    char tool[BOX_PATH_MAX]; // the program that starts players
    bool has_tool, has_bwrap, filter, namespaces, root;
    bool tells;                // players say on standard error which system calls they are refused
    char why[CGROUP_PATH_MAX]; // if there are no namespaces
    struct cgroups groups;
};

// Looks what there is.
void box_find(struct box *box);
// Chooses a level, or says why it cannot be had.
bool box_choose(struct box *box, int level, struct err *err);
// The memory of this machine, or of the control group that we are in if that has less.
int64_t box_machine_memory(void);
// Whether the machine has the memory that all players may have together; if not, says the sum.
bool box_fits(int64_t memory, int players, int games, struct err *err);
// What a level is, in words.
const char *box_level_words(int level);
// How the core is held for who has the turn, on the cores that we run on, and the word for it.
enum box_core box_core(const struct box *box);
const char *box_core_word(enum box_core core);
void box_done(struct box *box);

// Whether a program gets a control group: for all that it uses, or for the core alone, where an
// opponent wants that too.
bool box_has_group(const struct program *program);
// What is run for a program, boxed or not, and with which words, ended by NULL; `door` is the
// descriptor of that name there, -1: none. The words are freed by shell_words_free.
const char *box_path(const struct program *program);
char **box_words(const struct program *program, const char *script, int door);
