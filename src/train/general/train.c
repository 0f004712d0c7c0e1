// SPDX-License-Identifier: MIT
// The lore of any game, by temporal differences. The player looks one move ahead with the weights
// it has, now and then plays any move, and when a game is over every position is moved towards what
// came of it: its target is the result, mixed with what the positions after it are worth by now
// (TD(lambda)); behind a move that was drawn only the latter counts. A step takes a fixed share of
// the error off; of it a weight that was seldom seen gets more, so that rare patterns learn as fast
// as common ones.
//
// A game depends on its number, the seed and the weights before it, so a training that was stopped
// goes on as if it had not been. Whenever the games have doubled, the weights meet those of half as
// many games, and the points are a line of the curve.
#include "base/clock.h"
#include "base/mem.h"
#include "engine/engine.h"
#include "engine/general/lore.h"
#include "train/trainers.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAMES = 20000, // if nothing is said
    FIRST = 100,   // games after which the curve begins
    DRAWN_MAX = 6, // moves of an opening that are drawn
    LONGER = 4,    // times as many of every other one
    ANY = 5,       // percent of moves that are drawn
    TRIALS = 40,   // games of a line of the curve
    TRIAL_ANY = 3, // percent of moves that are drawn there
    SAVE_EVERY_US = 20000000,
    TRIAL_US = 15000, // a move, when it is tried how to mix
    ROUNDS = 8,       // pairs of games with each mix, if no time is given
    ROUNDS_MAX = 30,
    LEARN_SHARE = 60, // percent of the time; the rest is for these games
};

static const float lambda = 0.95F;
static const float play_heat = 0.2F, trial_heat = 0.02F;
static const float by_lead = 0.2F; // of a result; the rest is won or lost
static const float sure = 0.9F;    // what a result is learned as, so that no weight runs away
static const float mixes[] = {0, 0.5F, 1}, unused = 2;
static const double first_step = 0.15; // of an error
static const double half_after = 2000; // games

enum { MIXES = sizeof mixes / sizeof *mixes };

struct learner {
    const struct training *training;
    const struct game *game;
    struct lore *lore;
    struct lore_view view;
    struct rng rng;
    unsigned char *states; // of the game that is played
    bool *drawn;           // the move that led on from each
    uint16_t *count;       // by weight: patterns that have it
    float (*seen)[2];      // by weight: steps it took part in
    move *list;
    int64_t games;
    double error; // mean square, of late
    float lead;   // of scores at the end of random games, on average
};

// What is kept of a training that goes on.
struct learner_head {
    int64_t games;
    uint64_t places;
    double error;
};

static bool learner_init(struct learner *l, const struct training *t, struct err *err) {
    const struct game *game = t->rules.game;
    *l = (struct learner){.training = t, .game = game, .lore = lore_new(&t->rules, err)};
    if (!l->lore)
        return false;
    lore_view_init(&l->view, l->lore);
    l->states = mem_new((size_t)game->plies_max + 1, game->state_size);
    l->drawn = mem_new((size_t)game->plies_max + 1, sizeof *l->drawn);
    l->count = mem_new(l->lore->places, sizeof *l->count);
    l->seen = mem_new(l->lore->places, sizeof *l->seen);
    l->list = mem_new((size_t)game->moves_max, sizeof *l->list);
    return true;
}

static void learner_done(struct learner *l) {
    if (!l->lore)
        return;
    lore_view_done(&l->view);
    lore_free(l->lore);
    free(l->states);
    free(l->drawn);
    free(l->count);
    free(l->seen);
    free(l->list);
}

static float result_of(const struct game *game, const void *state) {
    const int winner = game->outcome(state).winner;
    return winner == 0 ? 0 : winner == BLACK ? 1 : -1;
}

static float lead_of(const struct game *game, const void *state) {
    int scores[2];
    game->scores(state, scores);
    return (float)(scores[0] - scores[1]);
}

// What a result is learned as: of a game with scores a part of it is the lead, as in playouts.
static float lesson_of(const struct learner *l, const void *state) {
    const float result = result_of(l->game, state);
    if (!l->game->has_scores)
        return sure * result;
    const float share = lead_of(l->game, state) / (2 * l->lead + 1);
    return sure * ((1 - by_lead) * result + by_lead * fmaxf(-1, fminf(1, share)));
}

// The move whose position is worth most to the player.
// What is drawn blurs the choice: the move is one of softmax, at that temperature.
static move best_move(struct learner *l, struct lore_view *view, const void *state, float heat) {
    enum { OVER = 100 };
    const struct game *game = l->game;
    const int count = game->moves(state, l->list), sign = game->turn(state) == BLACK ? 1 : -1;
    move best = l->list[0];
    float most = 0;
    lore_look(view, state);
    for (int i = 0; i < count; i++) {
        union game_state next;
        memcpy(&next, state, game->state_size);
        game->apply(&next, l->list[i]);
        const float share = ((float)rng_below(&l->rng, 1 << 20) + 0.5F) / (1 << 20);
        const float chance = -heat * logf(-logf(share));
        const float worth = chance + (float)sign * (game->turn(&next) == 0
                                                        ? OVER * result_of(game, &next)
                                                        : lore_sum_after(view, l->list[i],
                                                                         game->turn(state), &next));
        if (i == 0 || worth > most) {
            best = l->list[i];
            most = worth;
        }
    }
    return best;
}

static move any_move(struct learner *l, const void *state) {
    return l->game->nth(state, (int)rng_below(&l->rng, (uint32_t)l->game->count(state)));
}

static void *state_at(struct learner *l, int ply) {
    return l->states + (size_t)ply * l->game->state_size;
}

static void begin(struct learner *l, void *state, uint64_t number) {
    char why[WHY_TEXT_MAX];
    l->rng.state = l->training->seed * UINT64_C(0x9e3779b97f4a7c15) + number;
    rng_next(&l->rng);
    const bool good = l->game->start(state, &l->training->rules, NULL, why);
    assert(good);
    (void)good;
}

// How far apart scores are when random games end.
static void find_lead(struct learner *l) {
    enum { SCOUTS = 50 };
    for (int i = 0; i < SCOUTS && l->game->has_scores; i++) {
        union game_state state;
        begin(l, &state, (uint64_t)i);
        while (l->game->turn(&state) != 0)
            l->game->apply(&state, any_move(l, &state));
        l->lead += fabsf(lead_of(l->game, &state)) / SCOUTS;
    }
}

// Returns its length; the states are those before each move, and the last one.
static int play_game(struct learner *l) {
    const struct game *game = l->game;
    int ply = 0;
    begin(l, state_at(l, 0), (uint64_t)l->games);
    const int opening =
        (int)rng_below(&l->rng, DRAWN_MAX + 1) * (rng_below(&l->rng, 2) ? 1 : LONGER);
    for (; ply < game->plies_max && game->turn(state_at(l, ply)) != 0; ply++) {
        void *now = state_at(l, ply), *next = state_at(l, ply + 1);
        l->drawn[ply] = ply < opening || rng_below(&l->rng, 100) < ANY;
        const move m = l->drawn[ply] ? any_move(l, now) : best_move(l, &l->view, now, play_heat);
        memcpy(next, now, game->state_size);
        game->apply(next, m);
    }
    return ply;
}

static float rate(const struct learner *l, uint32_t place, int side) {
    return 1 / sqrtf(1 + l->seen[place][side]);
}

// Moves the value of the position in view by so much.
static void move_weights(struct learner *l, int side, float by) {
    const struct lore *lore = l->lore;
    float whole = 0;
    for (int p = 0; p < lore->patterns; p++)
        l->count[l->view.place[p]]++;
    for (int p = 0; p < lore->patterns; p++) {
        const uint32_t place = l->view.place[p];
        whole += rate(l, place, side) * l->count[place];
    }
    for (int p = 0; p < lore->patterns; p++) {
        const uint32_t place = l->view.place[p];
        if (l->count[place] == 0)
            continue;
        lore->weight[place][side] += by / whole * rate(l, place, side) * l->count[place];
        l->seen[place][side]++;
        l->count[place] = 0;
    }
}

static void learn_game(struct learner *l, int length) {
    const float step = (float)(first_step / sqrt(1 + (double)l->games / half_after));
    float target = lesson_of(l, state_at(l, length)), after = target;
    for (int ply = length - 1; ply >= 0; ply--) {
        const int side = l->game->turn(state_at(l, ply)) - 1;
        if (l->drawn[ply])
            target = after;
        lore_look(&l->view, state_at(l, ply));
        const float value = tanhf(l->view.sum[side]), error = target - value;
        l->error += (error * error - l->error) * 0.001;
        move_weights(l, side, step * error);
        target = lambda * target + (1 - lambda) * value;
        after = value;
    }
    l->games++;
}

static bool load_state(struct learner *l, struct err *err) {
    struct buf bytes = {.data = NULL};
    struct learner_head head;
    const size_t size = l->lore->places * sizeof *l->seen;
    struct err why = {.set = false};
    if (!train_has(l->training, "state.bin"))
        return true;
    bool good = train_load_sealed(l->training, "state.bin", &bytes, &why) &&
                bytes.length == sizeof head + 2 * size;
    if (good) {
        memcpy(&head, bytes.data, sizeof head);
        good = head.places == l->lore->places;
        l->games = head.games;
        l->error = head.error;
        memcpy(l->lore->weight, bytes.data + sizeof head, size);
        memcpy(l->seen, bytes.data + sizeof head + size, size);
    }
    buf_done(&bytes);
    return good || err_set(err,
                           "%s/state.bin is damaged, or of an earlier version of arbiter: remove "
                           "it to begin anew",
                           l->training->folder);
}

static bool save_weights(const struct learner *l, const char *name, struct err *err) {
    struct buf out = {.data = NULL};
    lore_write(l->lore, l->training->sum, &out);
    const bool good = train_save(l->training, name, out.data, out.length, err);
    buf_done(&out);
    return good;
}

static bool save_state(const struct learner *l, struct err *err) {
    struct buf out = {.data = NULL};
    const struct learner_head head = {l->games, l->lore->places, l->error};
    buf_put(&out, &head, sizeof head);
    buf_put(&out, l->lore->weight, l->lore->places * sizeof *l->lore->weight);
    buf_put(&out, l->seen, l->lore->places * sizeof *l->seen);
    const bool good = train_save_sealed(l->training, "state.bin", &out, err);
    buf_done(&out);
    return good && save_weights(l, "weights.bin", err);
}

// Points of the present weights against others, of one; both look one move ahead.
static double meet(struct learner *l, const struct lore *other) {
    const struct game *game = l->game;
    struct lore_view views[2];
    double points = 0;
    lore_view_init(&views[0], l->lore);
    lore_view_init(&views[1], other);
    for (int i = 0; i < TRIALS; i++) {
        union game_state state;
        begin(l, &state, (uint64_t)(i / 2) ^ UINT64_C(0x7269616c));
        for (int ply = 0; game->turn(&state) != 0; ply++) {
            const bool drawn = ply < 4 || rng_below(&l->rng, 100) < TRIAL_ANY;
            struct lore_view *view = &views[(game->turn(&state) == BLACK) == (i % 2 == 0) ? 0 : 1];
            game->apply(&state,
                        drawn ? any_move(l, &state) : best_move(l, view, &state, trial_heat));
        }
        points += (1 + (i % 2 == 0 ? 1 : -1) * (double)result_of(game, &state)) / 2;
    }
    lore_view_done(&views[0]);
    lore_view_done(&views[1]);
    return points / TRIALS;
}

// Leaves of the curve what the games so far have come to. It has more when a training was killed
// before it saved its state, or the state was removed to begin anew.
static bool trim_curve(const struct learner *l, struct err *err) {
    const struct training *t = l->training;
    struct buf curve = {.data = NULL};
    if (!train_has(t, "curve.txt"))
        return true;
    bool good = train_load(t, "curve.txt", &curve, err);
    const size_t whole = curve.length;
    size_t length = 0;
    while (length < whole && strtoll(curve.data + length, NULL, 10) <= l->games) {
        const char *end = memchr(curve.data + length, '\n', whole - length);
        length = end ? (size_t)(end + 1 - curve.data) : whole;
    }
    good = good && (length == whole || train_save(t, "curve.txt", curve.data, length, err));
    buf_done(&curve);
    return good;
}

// A line of the curve, when the games have doubled.
static bool note_curve(struct learner *l, struct err *err) {
    const struct training *t = l->training;
    struct buf bytes = {.data = NULL}, curve = {.data = NULL};
    char name[64], line[160];
    snprintf(name, sizeof name, "weights-%" PRId64 ".bin", l->games / 2);
    struct lore *before = NULL;
    bool good = true;
    if (train_has(t, name)) {
        good = train_load(t, name, &bytes, err);
        before = good ? lore_read(&t->rules, t->sum, bytes.data, bytes.length, err) : NULL;
        good = before;
    }
    if (good) {
        int length = snprintf(line, sizeof line, "%" PRId64 " games, mean square of the error %.3f",
                              l->games, l->error);
        if (before)
            snprintf(line + length, sizeof line - (size_t)length,
                     ", %.0f %% of %d against half as many", 100 * meet(l, before), TRIALS);
        train_say(t, "%s", line);
        good = !train_has(t, "curve.txt") || train_load(t, "curve.txt", &curve, err);
        buf_format(&curve, "%s\n", line);
        snprintf(name, sizeof name, "weights-%" PRId64 ".bin", l->games);
        good = good && save_weights(l, name, err) &&
               train_save(t, "curve.txt", curve.data, curve.length, err);
    }
    lore_free(before);
    buf_done(&bytes);
    buf_done(&curve);
    return good;
}

// Points of a brain with the weights in a game against one without, at equal time.
static double play_trial(struct learner *l, struct brain *const brains[2], int number) {
    const struct game *game = l->game;
    const struct limits limits = {.time_us = TRIAL_US};
    union game_state state;
    struct thought thought;
    const int taught = number % 2 ? WHITE : BLACK;
    begin(l, &state, (uint64_t)(number / 2) ^ UINT64_C(0x6d6978));
    for (int ply = 0; game->turn(&state) != 0; ply++) {
        if (ply < 2) {
            game->apply(&state, any_move(l, &state));
            continue;
        }
        brain_think(brains[game->turn(&state) != taught], &state, &limits, &thought);
        game->apply(&state, thought.pv[0]);
    }
    return (1 + (taught == BLACK ? 1 : -1) * (double)result_of(game, &state)) / 2;
}

// A pair of games with each way to mix; adds to their points.
static bool try_pairs(struct learner *l, int round, double points[static MIXES], struct err *err) {
    const struct ruleset *rules = &l->training->rules;
    bool good = true;
    for (int i = 0; i < MIXES && good; i++) {
        struct buf packed = {.data = NULL};
        struct brain *brains[2] = {brain_new_general(rules, LEVEL_STRONG, 1, 1),
                                   brain_new_general(rules, LEVEL_STRONG, 1, 1)};
        l->lore->mixed = mixes[i];
        lore_write(l->lore, l->training->sum, &packed);
        good = brain_teach(brains[0], NULL, packed.data, packed.length, err);
        for (int k = 0; k < 2 && good; k++)
            points[i] += play_trial(l, brains, 2 * round + k);
        brain_free(brains[0]);
        brain_free(brains[1]);
        buf_done(&packed);
    }
    return good;
}

// How much games by chance are still to count beside the weights: what does best against the player
// without them. If nothing does better, the weights are not to be used.
static bool choose_mix(struct learner *l, struct err *err) {
    const int64_t until = l->training->until_us;
    double points[MIXES] = {0};
    int rounds = 0, best = 0;
    for (; rounds < (until ? ROUNDS_MAX : ROUNDS) && (!rounds || !until || clock_now_us() < until);
         rounds++)
        if (!try_pairs(l, rounds, points, err))
            return false;
    for (int i = 0; i < MIXES; i++) {
        train_say(l->training, "with %.0f %% by chance: %.1f of %d points against without weights",
                  (double)mixes[i] * 100, points[i], 2 * rounds);
        best = points[i] > points[best] ? i : best;
    }
    l->lore->mixed = points[best] >= rounds ? mixes[best] : unused;
    if (l->lore->mixed > 1)
        train_say(l->training, "so far it plays better without the weights: they are kept, and not "
                               "used until more games make them better");
    return save_state(l, err);
}

// Is a number of games one at which the curve has a line?
static bool is_noted(int64_t games) {
    int64_t noted = FIRST;
    while (noted < games)
        noted *= 2;
    return noted == games;
}

static bool run(struct learner *l, int64_t games, bool *done, struct err *err) {
    const int64_t now = clock_now_us(), end = l->training->until_us;
    const int64_t until = end ? now + (end - now) / 100 * LEARN_SHARE : 0;
    int64_t saved_us = now;
    bool good = true;
    while (good && l->games < games && (!until || clock_now_us() < until)) {
        learn_game(l, play_game(l));
        if (is_noted(l->games))
            good = note_curve(l, err) && save_state(l, err);
        if (good && clock_now_us() - saved_us >= SAVE_EVERY_US) {
            good = save_state(l, err);
            saved_us = clock_now_us();
        }
    }
    *done = l->games >= games;
    return good && save_state(l, err) && choose_mix(l, err);
}

bool general_train(const struct training *t, struct err *err) {
    struct learner l;
    const int64_t games = t->games ? t->games : t->until_us ? INT64_MAX : GAMES;
    char plan[96];
    bool done = false;
    snprintf(plan, sizeof plan, "lore by temporal differences, rules %.16s", t->sum);
    if (!train_begin(t, plan, err))
        return false;
    if (learner_init(&l, t, err) && load_state(&l, err) && trim_curve(&l, err)) {
        train_say(t, "%d cells, %d patterns, %u weights; %" PRId64 " games so far", l.lore->cells,
                  l.lore->patterns, 2 * l.lore->places, l.games);
        find_lead(&l);
        if (run(&l, games, &done, err))
            train_say(t, "%" PRId64 " games, mean square of the error %.3f", l.games, l.error);
    }
    learner_done(&l);
    return done && !err->set;
}
