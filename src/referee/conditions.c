// SPDX-License-Identifier: MIT
// Everything random comes from one generator for each draw, seeded by the seed of the run and the
// number of the draw, and always in the same order: time, blocked cells, opening. So an audit can
// draw again what a record says was drawn, and a game does not depend on how many were played
// before it or beside it.
//
// Blocked cells and openings are drawn by trying: a draw that ends the game, or leaves no room, is
// thrown away and the next is taken from the same generator, TRIES times at most.
#include "referee/conditions.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/whole.h"
#include "spec/spec.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 1000, SECOND_US = 1000000, FINE_US = 1000 };

void conditions_init(struct conditions *c, const struct game *game) {
    const struct spec *spec = spec_of(game);
    *c = (struct conditions){.time_low_us = spec->time_low_s * SECOND_US,
                             .time_high_us = spec->time_high_s * SECOND_US,
                             .random_blocks = spec->draws_blocks,
                             .blocks = -1};
}

bool conditions_time(struct conditions *c, const char *text, struct err *err) {
    char low_text[40], *dots;
    if (strcmp(text, "off") == 0) {
        c->time_low_us = c->time_high_us = 0;
        return true;
    }
    const bool fits = (size_t)snprintf(low_text, sizeof low_text, "%s", text) < sizeof low_text;
    if ((dots = strstr(low_text, "..")))
        *dots = '\0';
    int64_t low_us, high_us;
    if (!fits || !text_seconds(low_text, &low_us) ||
        !text_seconds(dots ? dots + 2 : low_text, &high_us) || high_us < low_us)
        return err_set(err, "a time is S seconds, A..B seconds, or off; not '%.40s'", text);
    c->time_low_us = low_us;
    c->time_high_us = high_us;
    return true;
}

bool conditions_blocks(struct conditions *c, const char *text, struct err *err) {
    if (strncmp(text, "random", 6) != 0)
        return false;
    c->random_blocks = true;
    c->blocks = -1;
    if (text[6] == '\0')
        return true;
    int64_t n = 1;
    if (text[6] != ':' || !text_whole(text + 7, 0, BLOCKS_DRAWN_MAX, &n) || n % 2)
        return err_set(err, "blocks=%.40s: accepted are random and random:N, N even, 0..%d", text,
                       BLOCKS_DRAWN_MAX);
    c->blocks = (int)n;
    return true;
}

struct rng conditions_rng(uint64_t seed, int number) {
    struct rng mix = {seed};
    return (struct rng){rng_next(&mix) + (uint64_t)number * UINT64_C(0xd1342543de82ef95)};
}

int64_t conditions_draw_time(const struct conditions *c, struct rng *rng) {
    assert(c->time_low_us <= c->time_high_us);
    if (c->time_high_us == c->time_low_us)
        return c->time_low_us;
    const bool whole = c->time_low_us % SECOND_US == 0 && c->time_high_us % SECOND_US == 0;
    const int64_t step_us = whole ? SECOND_US : FINE_US;
    const int64_t steps = (c->time_high_us - c->time_low_us) / step_us;
    return c->time_low_us + (int64_t)rng_below(rng, (uint32_t)steps + 1) * step_us;
}

// The value of a rule that is a number; 0 if the game has no such rule.
static int rule_number(const struct ruleset *rules, const char *key) {
    for (int i = 0; i < rules->game->rule_count; i++)
        if (strcmp(rules->game->rules[i].key, key) == 0)
            return rules->number[i];
    return 0;
}

// The position after an opening, NULL for none; false if there is no playing on from there.
static bool lay(const struct ruleset *rules, const char *opening, union game_state *state) {
    char why[WHY_TEXT_MAX], *copy = mem_text(opening ? opening : ""), *bad;
    int ply;
    const bool good = rules->game->start(state, rules, NULL, why) &&
                      !game_play_line(rules->game, state, copy, &ply, &bad) &&
                      !game_is_over(rules->game, state);
    free(copy);
    return good;
}

// Writes that many different cells, none of them taken in the position, which has enough.
static void draw_cells(const struct ruleset *rules, const union game_state *bare, int count,
                       struct rng *rng, char text[static RULE_TEXT_MAX]) {
    const int size = rule_number(rules, "size");
    int cells[BLOCKS_DRAWN_MAX];
    size_t used = 0;
    snprintf(text, RULE_TEXT_MAX, "none");
    for (int n = 0; n < count;) {
        const int cell = (int)rng_below(rng, (uint32_t)(size * size));
        char name[24];
        move m;
        snprintf(name, sizeof name, "%d,%d", cell % size, cell / size);
        bool taken = rules->game->read_move(bare, name, &m) || rules->game->illegal(bare, m);
        for (int i = 0; i < n; i++)
            taken |= cells[i] == cell;
        if (taken)
            continue;
        cells[n++] = cell;
        used += (size_t)snprintf(text + used, RULE_TEXT_MAX - used, "%s%s", used ? " " : "", name);
    }
}

bool conditions_draw_blocks(const struct conditions *c, struct ruleset *rules, const char *opening,
                            struct rng *rng) {
    union game_state bare, state;
    char text[RULE_TEXT_MAX], why[WHY_TEXT_MAX];
    if (!c->random_blocks)
        return true;
    const int count =
        c->blocks >= 0 ? c->blocks : (int)rng_below(rng, BLOCKS_DRAWN_MAX / 2 + 1) * 2;
    ruleset_set(rules, "blocks", "none", why);
    if (!lay(rules, opening, &bare) || count > rules->game->count(&bare))
        return false;
    for (int i = 0; i < TRIES; i++) { // a block beside the stones of an opening may end the game
        draw_cells(rules, &bare, count, rng, text);
        ruleset_set(rules, "blocks", text, why);
        if (lay(rules, opening, &state))
            return true;
    }
    return false;
}

int conditions_opening_max(const struct ruleset *rules) {
    const struct spec *spec = spec_of(rules->game);
    if (!spec->length_key)
        return spec->length_times / 2;
    const int value = rule_number(rules, spec->length_key);
    return value * (spec->length_times ? spec->length_times : value) / 2;
}

// Plays that many random moves; false if the game is over after them.
static bool try_opening(const struct game *game, const struct ruleset *rules, int plies,
                        struct rng *rng, struct buf *out) {
    union game_state state;
    char why[WHY_TEXT_MAX], text[MOVE_TEXT_MAX];
    game->start(&state, rules, NULL, why);
    for (int i = 0; i < plies && !game_is_over(game, &state); i++) {
        const move m = game->nth(&state, (int)rng_below(rng, (uint32_t)game->count(&state)));
        game->write_move(&state, m, text);
        buf_format(out, "%s%s", i ? "; " : "", text);
        game->apply(&state, m);
    }
    return !game_is_over(game, &state);
}

char *conditions_draw_opening(const struct conditions *c, const struct ruleset *rules,
                              struct rng *rng) {
    struct buf out = {.data = NULL};
    for (int i = 0; i < TRIES; i++) {
        buf_clear(&out);
        if (try_opening(rules->game, rules, c->opening_plies, rng, &out))
            return out.data;
    }
    buf_done(&out);
    return NULL;
}

bool conditions_deal(const struct conditions *c, uint64_t seed, int number, struct deal *deal,
                     struct err *err) {
    struct rng rng = conditions_rng(seed, number);
    assert(!deal->opening || c->opening_plies == 0);
    deal->time_us = conditions_draw_time(c, &rng);
    if (!conditions_draw_blocks(c, &deal->rules, deal->opening, &rng))
        return err_set(err, "no blocked cells fit beside the opening '%.100s'",
                       deal->opening ? deal->opening : "");
    if (c->opening_plies == 0)
        return true;
    deal->opening = conditions_draw_opening(c, &deal->rules, &rng);
    return deal->opening ||
           err_set(err, "%d random moves nearly always end the game of %s: use fewer",
                   c->opening_plies, deal->rules.game->name);
}

uint32_t conditions_player_seed(uint64_t seed, int index, int player) {
    assert(player == 0 || player == 1);
    struct rng rng = conditions_rng(seed, -1 - 2 * index - player);
    return 1 + rng_below(&rng, INT32_MAX);
}
