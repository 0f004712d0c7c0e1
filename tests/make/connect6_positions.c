// SPDX-License-Identifier: MIT
// Writes the positions of tests/data/connect6, from games of the engine against itself, one a line:
//     connect6-positions wins N SEED [TURNS [MOST]]
//         turns, position, and tree of a win by force, separated by tabs
//     connect6-positions free N SEED [TURNS [MOST]]
//         the same, of wins that leave the defender a free stone
//     connect6-positions quiet N SEED
//         positions where the solver finds none
// A win takes from TURNS (2) to MOST (9). The checker tries a free stone on every cell, so that
// some trees take it hours: those of wins.txt take seconds.
#include "engine/engine.h"
#include "train/connect6/draw.h"
#include "write_proof6.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_NODES = 1000,
    SOLVER_BUDGET = 15000, // stones, where a win of few turns will do
    DEEP_BUDGET = 200000,
    DEEP_TURNS = 6,
    TREE_NODES = 100, // the same
    DEEP_NODES = 600,
    TURNS_MAX = 9,
};

struct source {
    struct ruleset rules;
    struct line_kinds lines;
    struct board6 board;
    struct stop stop;
    uint64_t nodes;
    struct solver *solver;
    union game_state state;
    struct rng rng;
    bool wins, free;
    int wanted, turns_min, turns_max;
};

static bool is_running(const struct source *s) { return !game_is_over(s->rules.game, &s->state); }

// A free stone may be tried on many cells.
static int nodes_max(const struct source *s) {
    return s->free || s->turns_min >= DEEP_TURNS ? DEEP_NODES : TREE_NODES;
}

static bool is_deep(const struct source *s) { return s->turns_min >= DEEP_TURNS; }

static bool find(struct source *s, bool singles, struct quest *quest, struct forced *forced) {
    *quest = (struct quest){.attacker = board_turn(&s->board),
                            .stones = board_due(&s->board),
                            .depth = singles ? 6 : TURNS_MAX,
                            .singles = singles,
                            .budget = is_deep(s) ? DEEP_BUDGET : SOLVER_BUDGET};
    return solver_win(s->solver, quest, forced);
}

// Writes the position if it is of the kind wanted.
static bool offer(struct source *s) {
    char text[STATE_TEXT_MAX];
    struct quest quest;
    struct forced forced;
    struct buf tree = {.data = NULL};
    board_read(&s->board, &s->rules, &s->state);
    solver_forget(s->solver);
    const bool doubles = find(s, false, &quest, &forced);
    const bool found = s->free ? !doubles && find(s, true, &quest, &forced)
                               : doubles || (!s->wins && find(s, true, &quest, &forced));
    s->rules.game->write_state(&s->state, text);
    bool written = !found && !s->wins;
    if (written)
        printf("%s\n", text);
    if (found && s->wins && forced.turns >= s->turns_min && forced.turns <= s->turns_max &&
        proof_write(s->solver, &s->board, &quest, nodes_max(s), &tree) &&
        (!s->free || strchr(tree.data, '*'))) {
        printf("%d\t%s\t%s\n", forced.turns, text, tree.data);
        fflush(stdout);
        written = true;
    }
    buf_done(&tree);
    return written;
}

// One position of a game: the first that has a win, or a random one that has none.
static bool play_game(struct source *s, uint64_t seed) {
    const struct limits limits = {.nodes = TURN_NODES};
    draw_blocks(&s->rules, &s->rng, &s->state);
    draw_opening(&s->rules, &s->rng, &s->state);
    struct brain *brain = brain_new(&s->rules, LEVEL_STRONG, 1, seed);
    bool written = false;
    while (is_running(s) && !written) {
        struct thought t;
        if (s->wins || rng_below(&s->rng, 6) == 0)
            written = offer(s);
        brain_think(brain, &s->state, &limits, &t);
        const int mover = s->rules.game->turn(&s->state);
        for (int i = 0; i < t.length && is_running(s); i++)
            if (s->rules.game->turn(&s->state) == mover && i < 2)
                game_play(s->rules.game, &s->state, t.pv[i]);
    }
    brain_free(brain);
    return written;
}

int main(int argc, char **argv) {
    static struct source s;
    const struct limits none = {.nodes = 0};
    if (argc < 4)
        return 2;
    s.free = strcmp(argv[1], "free") == 0;
    s.wins = s.free || strcmp(argv[1], "wins") == 0;
    s.wanted = atoi(argv[2]);
    s.turns_min = argc > 4 ? atoi(argv[4]) : 2;
    s.turns_max = argc > 5 ? atoi(argv[5]) : TURNS_MAX;
    s.rng.state = strtoull(argv[3], NULL, 10);
    ruleset_init(&s.rules, game_find("connect6"));
    lines_init(&s.lines, true);
    stop_init(&s.stop, &none);
    board_init(&s.board, &s.rules, &s.lines);
    s.solver = solver_new(&s.board, &s.stop, &s.nodes);
    for (int found = 0; found < s.wanted;)
        found += play_game(&s, rng_next(&s.rng));
    solver_free(s.solver);
    return 0;
}
