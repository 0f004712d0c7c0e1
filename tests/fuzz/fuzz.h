// SPDX-License-Identifier: MIT
// What the fuzz targets share: taking an input apart, and what holds in any state.
// States and lists are allocated in just their size, so that a byte too far is noticed.
#pragma once

#undef NDEBUG // the assertions are the test

#include "base/mem.h"
#include "base/rng.h"
#include "cli/setup.h"
#include "rulesets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at;
    size_t left;
};

static inline unsigned input_byte(struct input *in) {
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->at++;
}

// What comes before the next newline, or all the rest; freed by the caller. May hold NUL bytes.
static inline char *input_line(struct input *in) {
    const uint8_t *end = in->left ? memchr(in->at, '\n', in->left) : NULL;
    const size_t length = end ? (size_t)(end - in->at) : in->left;
    char *text = mem_new(length + 1, 1);
    if (length)
        memcpy(text, in->at, length);
    in->at += length + (end != NULL);
    in->left -= length + (end != NULL);
    return text;
}

// Game number `game` and its ruleset number `set` in rulesets.h, both wrapped around.
static inline void fuzz_setup(struct setup *setup, unsigned game, unsigned set) {
    const struct test_ruleset *fit[TEST_RULESETS];
    unsigned fits = 0;
    setup->game = game_nth((int)(game % (unsigned)game_count()));
    for (int i = 0; i < TEST_RULESETS; i++)
        if (strcmp(test_rulesets[i].game, setup->game->name) == 0)
            fit[fits++] = &test_rulesets[i];
    assert(fits > 0);
    test_ruleset_make(fit[set % fits], &setup->rules);
    char why[WHY_TEXT_MAX];
    assert(setup->game->start(&setup->start, &setup->rules, NULL, why));
}

static inline void *state_copy(const struct game *game, const void *state) {
    return memcpy(mem_new(1, game->state_size), state, game->state_size);
}

// A refusal is a text that ends, and says something.
static inline void check_why(const char *why, size_t size) {
    assert(strnlen(why, size) < size && why[0] != '\0');
}

// Starts at a position, or the first one; NULL if it is refused. Freed by the caller.
static inline void *state_start(const struct setup *setup, const char *position) {
    void *state = mem_new(1, setup->game->state_size);
    char why[WHY_TEXT_MAX];
    memset(why, 'Z', sizeof why);
    if (setup->game->start(state, &setup->rules, position, why))
        return state;
    check_why(why, sizeof why);
    free(state);
    return NULL;
}

static inline bool moves_has(const move *list, int count, move m) {
    while (count > 0) {
        const int half = count / 2;
        if (list[half] == m)
            return true;
        if (list[half] < m) {
            list += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return false;
}

// A legal move survives being written and read.
static inline void check_move_text(const struct game *game, const void *state, move m) {
    char text[MOVE_TEXT_MAX];
    move again = m + 1;
    memset(text, 'Z', sizeof text);
    game->write_move(state, m, text);
    check_why(text, sizeof text);
    assert(!game->read_move(state, text, &again) && again == m);
}

// The list of legal moves keeps its promises; some of them are tried one by one.
static inline int check_moves(const struct game *game, const void *state, move *list,
                              struct rng *rng) {
    const int count = game->count(state);
    assert(count >= 0 && count <= game->moves_max && game->moves(state, list) == count);
    for (int i = 0; i < count; i++)
        assert(list[i] < game->distinct_moves && (i == 0 || list[i - 1] < list[i]));
    for (int i = 0; i < 8 && count > 0; i++) {
        const int n = i == 0 ? 0 : i == 1 ? count - 1 : (int)rng_below(rng, (uint32_t)count);
        assert(game->nth(state, n) == list[n] && !game->illegal(state, list[n]));
        check_move_text(game, state, list[n]);
        const move any = i % 2 ? (move)rng_next(rng) : rng_below(rng, game->distinct_moves);
        assert(!game->illegal(state, any) == moves_has(list, count, any));
    }
    return count;
}

// All that struct game promises of a state. `list` has room for moves_max; returns the count.
static inline int check_state(const struct setup *setup, const void *state, move *list,
                              struct rng *rng) {
    const struct game *game = setup->game;
    const int count = check_moves(game, state, list, rng), turn = game->turn(state);
    assert(turn >= 0 && turn <= 2 && (turn == 0) == (count == 0));
    assert(game_is_over(game, state) == (turn == 0));
    const struct outcome end = game->outcome(state);
    assert((end.ending == ENDING_RUNNING) == (turn != 0));
    assert(end.winner >= 0 && end.winner <= (turn == 0 ? 2 : 0));
    check_why(game_ending_sentence(game, end.ending), 100);
    int scores[2];
    game->scores(state, scores);
    assert(game->has_scores || (scores[0] == 0 && scores[1] == 0));

    static char picture[DRAW_TEXT_MAX];
    for (int colour = 0; colour <= 1; colour++) {
        memset(picture, 'Z', sizeof picture);
        game->draw(state, colour, picture);
        assert(strnlen(picture, sizeof picture) < sizeof picture - 1); // filled up means cut off
    }
    char text[STATE_TEXT_MAX];
    memset(text, 'Z', sizeof text);
    game->write_state(state, text);
    assert(strnlen(text, sizeof text) < sizeof text - 1);
    void *again = state_start(setup, text);
    assert(again && memcmp(again, state, game->state_size) == 0);
    assert(game_hash(game, again) == game_hash(game, state));
    free(again);
    return count;
}
