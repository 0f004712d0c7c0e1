// SPDX-License-Identifier: MIT
// Random games by the native rules, a line a game, for tests/wasm/compare.mjs, which plays the same
// games with the WebAssembly rules: native SEED GAMES.
#include "base/rng.h"
#include "rulesets.h"

#include <inttypes.h>
#include <stdlib.h>

static void play_game(const struct ruleset *rules, uint64_t seed) {
    const struct game *game = rules->game;
    union game_state state;
    char text[MOVE_TEXT_MAX], position[STATE_TEXT_MAX], why[WHY_TEXT_MAX];
    struct rng rng = {seed};
    int scores[2];
    game->start(&state, rules, NULL, why);
    for (int count; (count = game->count(&state)) > 0;) {
        const move m = game->nth(&state, (int)rng_below(&rng, (uint32_t)count));
        game->write_move(&state, m, text);
        game->apply(&state, m);
        printf("%d:%s;", count, text);
    }
    const struct outcome end = game->outcome(&state);
    game->scores(&state, scores);
    game->write_state(&state, position);
    printf(" %s %d %d %d %016" PRIx64 " %s\n", game_ending_word(game, end.ending), end.winner,
           scores[0], scores[1], game_hash(game, &state), position);
}

int main(int argc, char **argv) {
    const uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const int count = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = 0; i < TEST_RULESETS; i++) {
        char name[TEST_NAME_MAX];
        struct ruleset rules;
        test_ruleset_name(&test_rulesets[i], name);
        test_ruleset_make(&test_rulesets[i], &rules);
        printf("= %s", test_rulesets[i].game);
        for (int k = 0; test_rulesets[i].settings[k]; k++)
            printf("|%s", test_rulesets[i].settings[k]);
        printf("\n");
        for (int k = 0; k < count; k++)
            play_game(&rules, seed + (uint64_t)k);
    }
    return 0;
}
