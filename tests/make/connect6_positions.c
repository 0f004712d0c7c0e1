// SPDX-License-Identifier: MIT
// Writes the positions of tests/data/connect6, from games of the engine against itself:
//     connect6-positions wins N SEED      turns, position, tree of a win by force, parted by tabs
//     connect6-positions free N SEED      the same, of wins that leave the defender a free stone
//     connect6-positions quiet N SEED     positions where the solver finds none
#include "base/rng.h"
#include "engine/connect6/proof.h"
#include "engine/engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TURN_NODES = 1000,
    SOLVER_BUDGET = 15000,
    TREE_NODES = 100,
    TURNS_MIN = 2,
    TURNS_MAX = 9,
    OPENING_MAX = 5,
    BLOCKS_MAX = 10,
};

struct source {
    struct ruleset rules;
    struct lines lines;
    struct board board;
    struct stop stop;
    uint64_t nodes;
    struct solver *solver;
    union game_state state;
    struct rng rng;
    bool wins, free;
    int wanted;
};

static void draw_rules(struct source *s) {
    char text[RULE_TEXT_MAX] = "none", why[WHY_TEXT_MAX];
    size_t used = 0;
    const int count = 2 * (int)rng_below(&s->rng, BLOCKS_MAX / 2 + 1);
    for (int i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%d,%d", used ? " " : "",
                                 (int)rng_below(&s->rng, GRID_SIDE_MAX),
                                 (int)rng_below(&s->rng, GRID_SIDE_MAX));
    if (!ruleset_set(&s->rules, "blocks", text, why) ||
        !s->rules.game->start(&s->state, &s->rules, NULL, why)) {
        ruleset_set(&s->rules, "blocks", "none", why); // the same cell twice
        s->rules.game->start(&s->state, &s->rules, NULL, why);
    }
}

static bool is_running(const struct source *s) { return !game_is_over(s->rules.game, &s->state); }

static void play_opening(struct source *s) {
    const int stones = 1 + 2 * (int)rng_below(&s->rng, (OPENING_MAX + 1) / 2);
    for (int i = 0; i < stones && is_running(s);) {
        const int x = 5 + (int)rng_below(&s->rng, 9), y = 5 + (int)rng_below(&s->rng, 9);
        i += game_play(s->rules.game, &s->state, (move)(y * BOARD_STRIDE + x)) == NULL;
    }
}

static bool find(struct source *s, bool singles, struct quest *quest, struct forced *forced) {
    *quest = (struct quest){.attacker = board_turn(&s->board),
                            .stones = board_due(&s->board),
                            .depth = singles ? 6 : TURNS_MAX,
                            .singles = singles,
                            .budget = SOLVER_BUDGET};
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
    if (found && s->wins && forced.turns >= TURNS_MIN && forced.turns <= TURNS_MAX &&
        proof_write(s->solver, &s->board, &quest, TREE_NODES, &tree)) {
        printf("%d\t%s\t%s\n", forced.turns, text, tree.data);
        written = true;
    }
    buf_done(&tree);
    return written;
}

// One position of a game: the first that has a win, or a random one that has none.
static bool play_game(struct source *s, uint64_t seed) {
    const struct limits limits = {.nodes = TURN_NODES};
    struct err err = {.set = false};
    draw_rules(s);
    play_opening(s);
    struct brain *brain = brain_new(&s->rules, LEVEL_STRONG, 1, seed, &err);
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
    if (argc != 4)
        return 2;
    s.free = strcmp(argv[1], "free") == 0;
    s.wins = s.free || strcmp(argv[1], "wins") == 0;
    s.wanted = atoi(argv[2]);
    s.rng.state = strtoull(argv[3], NULL, 10);
    ruleset_init(&s.rules, game_find("connect6"));
    lines_init(&s.lines, true);
    stop_init(&s.stop, &none);
    board_init(&s.board, &s.rules, &s.lines, &connect6_weights);
    s.solver = solver_new(&s.board, &s.stop, &s.nodes);
    for (int found = 0; found < s.wanted;)
        found += play_game(&s, rng_next(&s.rng));
    solver_free(s.solver);
    return 0;
}
