// SPDX-License-Identifier: MIT
// Everything struct game answers along one fixed random game per game, against a golden file in
// tests/data/playthroughs. PLAYTHROUGHS=write writes the files anew; say why in the commit.
#include "base/rng.h"
#include "check.h"
#include "games/game.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_EVERY = 30 };

static void dump_facts(FILE *out, const struct game *game) {
    fprintf(out,
            "%s: %s, %dx%d, %" PRIu32 " moves, %d legal at most, %d plies at most, %zu bytes%s%s\n",
            game->name, game->title, game->width, game->height, game->distinct_moves,
            game->moves_max, game->plies_max, game->state_size, game->has_scores ? ", scores" : "",
            game->may_pass ? ", passes" : "");
}

static void dump_state(FILE *out, const struct game *game, const void *state, int ply) {
    char text[DRAW_TEXT_MAX];
    int scores[2];
    const struct outcome end = game->outcome(state);
    game->scores(state, scores);
    game->write_state(state, text);
    fprintf(out,
            "ply %d turn %d count %d scores %d %d ending '%s' winner %d hash %016" PRIx64 "\n%s\n",
            ply, game->turn(state), game->count(state), scores[0], scores[1],
            game_ending_word(game, end.ending), end.winner, game_hash(game, state), text);
    if (ply % SHOWN_EVERY && end.ending == ENDING_RUNNING)
        return;
    game->draw(state, ply % (2 * SHOWN_EVERY) == 0, text);
    fprintf(out, "%s", text);
    for (int i = 0; i < game->count(state); i++) {
        game->write_move(state, game->nth(state, i), text);
        fprintf(out, "%s%s", i ? "; " : "", text);
    }
    fprintf(out, "\n");
}

static void dump_game(FILE *out, const struct game *game) {
    struct ruleset rules;
    union game_state state;
    char text[MOVE_TEXT_MAX], why[WHY_TEXT_MAX];
    struct rng rng = {2021};
    ruleset_init(&rules, game);
    assert_true(game->start(&state, &rules, NULL, why));
    dump_facts(out, game);
    int ply = 0;
    for (int count; dump_state(out, game, &state, ply), (count = game->count(&state)) > 0; ply++) {
        move m = game->nth(&state, (int)rng_below(&rng, (uint32_t)count));
        if (game->may_pass && ply % 25 == 24)
            m = MOVE_PASS;
        game->write_move(&state, m, text);
        fprintf(out, "> %s\n", text);
        assert_null(game_play(game, &state, m));
    }
}

static void test_playthrough(void **state) {
    const struct game *game = *state;
    char path[4096], *dump = NULL, *golden = NULL;
    size_t dumped = 0, room = 0;
    FILE *out = open_memstream(&dump, &dumped);
    assert_non_null(out);
    dump_game(out, game);
    fclose(out);
    snprintf(path, sizeof path, "%s/playthroughs/%s.txt", getenv("TEST_DATA"), game->name);
    const char *mode = getenv("PLAYTHROUGHS");
    if (mode && strcmp(mode, "write") == 0) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fwrite(dump, 1, dumped, file), dumped);
        assert_int_equal(fclose(file), 0);
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(getdelim(&golden, &room, '\0', file) > 0);
    fclose(file);
    assert_string_equal(dump, golden);
    free(dump);
    free(golden);
}

int main(void) {
    struct CMUnitTest tests[16];
    for (int i = 0; i < game_count(); i++)
        tests[i] = (struct CMUnitTest){.name = game_nth(i)->name,
                                       .test_func = test_playthrough,
                                       .initial_state = (void *)game_nth(i)};
    return _cmocka_run_group_tests("playthroughs", tests, (size_t)game_count(), NULL, NULL);
}
