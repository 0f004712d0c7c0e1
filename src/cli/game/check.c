// SPDX-License-Identifier: MIT
// The rules run in a child: if they fail there, the child says so and ends, and so does the check.
#include "base/child.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/plain.h"
#include "base/rng.h"
#include "base/signals.h"
#include "cli/game/game.h"
#include "cli/perft.h"
#include "folder/board_conf.h"
#include "folder/board_fit.h"
#include "folder/contract.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    GAMES = 3000,
    GAMES_SHORT = 30,
    TEXTS = 3000,
    TEXTS_SHORT = 100,
    BUDGET_US = 6000000, // of CPU for the games of all rulesets, roughly
    PERFT_MAX = 4,
    PERFT_US = 3000000, // a depth that would take longer is left out
    SPEED_US = 500000,
    BATCH = 10,
    BOARD_PATH_MAX = 4100,
};

struct game_checking {
    const struct game *game;
    const json_t *board; // NULL: the folder describes none
    bool whole;
    struct contract_tally tally;
    struct buf fault;
    int rulesets, texts;
    int64_t budget_us; // left
};

// One ruleset: in batches, until there are enough games or the time is over.
static bool check_ruleset(struct game_checking *c, const struct ruleset *rules, int games,
                          int texts) {
    union game_state state;
    char why[WHY_TEXT_MAX];
    const int64_t begin = clock_cpu_us(), share = c->budget_us / 4;
    if (!rules->game->start(&state, rules, NULL, why))
        return true; // values that do not fit together are refused: that is right
    c->rulesets++;
    bool good = !c->board || board_fit(c->board, rules, &state, &c->fault);
    for (int i = 0; good && i < games && clock_cpu_us() - begin < share; i += BATCH) {
        const int part = texts * BATCH / games;
        good = contract_check(rules, BATCH, part, (uint64_t)i + 1, &c->tally, &c->fault);
        c->texts += part;
    }
    c->budget_us -= clock_cpu_us() - begin;
    return good;
}

// The standard values, and each switch turned to every word, or to its least and most.
static bool check_rulesets(struct game_checking *c) {
    const struct game *g = c->game;
    const int games = c->whole ? GAMES : GAMES_SHORT, texts = c->whole ? TEXTS : TEXTS_SHORT;
    struct ruleset rules;
    char why[WHY_TEXT_MAX];
    ruleset_init(&rules, g);
    union game_state state;
    if (!g->start(&state, &rules, NULL, why)) {
        buf_format(&c->fault, "start: it refuses the standard rules: %s", why);
        return false;
    }
    if (!check_ruleset(c, &rules, games, texts))
        return false;
    for (int i = 0; i < g->rule_count; i++) {
        const struct rule *rule = &g->rules[i];
        char *words = rule->words ? mem_text(rule->words) : NULL, *rest = words;
        char ends[2][16];
        snprintf(ends[0], sizeof ends[0], "%d", rule->min);
        snprintf(ends[1], sizeof ends[1], "%d", rule->max);
        bool good = true;
        for (int k = 0; good; k++) {
            const char *value = words                            ? strsep(&rest, "|")
                                : k < 2 && rule->max > rule->min ? ends[k]
                                                                 : NULL;
            if (!value)
                break;
            ruleset_init(&rules, g);
            if (ruleset_set(&rules, rule->key, value, why))
                good = check_ruleset(c, &rules, games / 10, texts / 10);
        }
        free(words);
        if (!good)
            return false;
    }
    return true;
}

static void print_perft(const struct game *game, const union game_state *start) {
    printf("perft:      ");
    int64_t last_us = 1;
    uint64_t last = 1;
    for (int depth = 1; depth <= PERFT_MAX; depth++) {
        const int64_t begin = clock_cpu_us();
        const uint64_t leaves = perft_count(game, start, depth);
        const int64_t us = clock_cpu_us() - begin + 1;
        printf(" %" PRIu64, leaves);
        if (depth < PERFT_MAX && us * (int64_t)(leaves / (last ? last : 1) + 1) > PERFT_US) {
            printf(" (depth %d would take long)", depth + 1);
            break;
        }
        last = leaves;
        last_us = us;
    }
    (void)last_us;
    printf("\n");
}

static void print_speed(const struct game *game, const union game_state *start) {
    struct rng rng = {1};
    int64_t games = 0, us;
    const int64_t begin = clock_cpu_us();
    do {
        union game_state state;
        memcpy(&state, start, game->state_size);
        for (int count; (count = game->count(&state)) > 0;)
            game->apply(&state, game->nth(&state, (int)rng_below(&rng, (uint32_t)count)));
        games++;
    } while ((us = clock_cpu_us() - begin) < SPEED_US);
    printf("speed:       %.0f random games a second on one core\n",
           (double)games * 1e6 / (double)us);
}

static void print_tally(const struct game_checking *c) {
    const struct contract_tally *t = &c->tally;
    struct ruleset rules;
    union game_state start;
    char why[WHY_TEXT_MAX];
    printf("contract:    kept in %" PRId64
           " random games under %d rulesets, and with %d texts that "
           "are none\n"
           "length:      %.1f moves a game, at most %d (plies_max %d)\n"
           "branching:   %.1f legal moves, at most %d (moves_max %d)\n"
           "results:     black %d, white %d, drawn %d\n",
           t->games, c->rulesets, c->texts, (double)t->plies / (double)t->games, t->longest,
           c->game->plies_max, (double)t->moves / (double)(t->plies ? t->plies : 1), t->most,
           c->game->moves_max, t->won[1], t->won[2], t->won[0]);
    ruleset_init(&rules, c->game);
    if (c->game->start(&start, &rules, NULL, why)) {
        print_perft(c->game, &start);
        print_speed(c->game, &start);
    }
}

// What board.conf says; NULL: there is none. add_make has read it before.
static json_t *read_board(const struct add *add, const struct game *game) {
    struct err unused = {.set = false};
    char path[BOARD_PATH_MAX];
    snprintf(path, sizeof path, "%.4000s/board.conf", add->scratch.path);
    return access(path, F_OK) == 0 ? board_conf_read(path, game, &unused) : NULL;
}

// The life of the child: what it prints goes where the parent's output goes, what is broken to it.
static int live(const struct add *add, bool whole, int out) {
    struct err err = {.set = false};
    struct folder *folder = folder_read(add->scratch.path, true, &err);
    if (!folder) {
        dprintf(out, "%s", err.text);
        return 1;
    }
    struct game_checking c = {.game = &folder->game, .whole = whole, .budget_us = BUDGET_US};
    json_t *board = read_board(add, c.game);
    c.board = board;
    const bool good = check_rulesets(&c);
    json_decref(board);
    if (!good) {
        dprintf(out, "%s", c.fault.data);
        return 1;
    }
    if (whole)
        print_tally(&c);
    fflush(stdout);
    return 0;
}

bool game_check(const struct add *add, bool whole, struct err *err) {
    int ends[2];
    struct buf said = {.data = NULL};
    char bytes[1024];
    if (pipe(ends) != 0)
        return err_set(err, "cannot start a child");
    fflush(stdout);
    const pid_t pid = child_fork(SIGKILL);
    if (pid == 0) {
        signals_hold(false);
        dup2(ends[1], STDERR_FILENO); // what fails is said there
        _exit(live(add, whole, ends[1]));
    }
    close(ends[1]);
    for (ssize_t got; pid > 0 && (got = read(ends[0], bytes, sizeof bytes)) > 0;)
        buf_put(&said, bytes, (size_t)got);
    close(ends[0]);
    const int status = pid > 0 ? child_wait(pid) : -1;
    const bool good = pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    const char *words = said.data ? said.data : "it was ended from outside";
    if (!good)
        plain_print(stderr, "%s\n", strncmp(words, "arbiter: ", 9) == 0 ? words + 9 : words);
    const bool is_board = strncmp(words, "board.conf: ", 12) == 0;
    buf_done(&said);
    return good ||
           err_set(err, "%s does not %s", add->name,
                   is_board ? "fit on its board" : "keep the contract of docs/adding-a-game.md");
}
