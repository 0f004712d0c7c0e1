// SPDX-License-Identifier: MIT
// What is there of a generation is not made again: its weights, then its games, file by file. So a
// training that was stopped anywhere goes on, and adding generations to one that is done does too.
#include "train/generations.h"

#include "base/mem.h"
#include "base/path.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

enum { NAME_BYTES = 32, WEIGHTS_MOST = 4 << 20 };

static void weights_name(int number, char name[static NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "weights-%d.bin", number);
}

bool generations_has(const struct training *t, int number) {
    char name[NAME_BYTES];
    weights_name(number, name);
    return train_has(t, name);
}

void *generations_load(const struct generations *plan, const struct training *t, int number,
                       struct err *err) {
    struct buf packed = {.data = NULL};
    char name[NAME_BYTES];
    weights_name(number, name);
    void *player = train_load(t, name, &packed, err) ? plan->load(t, &packed, err) : NULL;
    buf_done(&packed);
    return player;
}

// What the first generation begins with.
static bool read_from(const struct training *t, struct buf *packed, struct err *err) {
    return path_read_whole(t->from, WEIGHTS_MOST, packed, err);
}

static void *player_from(const struct generations *plan, const struct training *t,
                         struct err *err) {
    struct buf packed = {.data = NULL};
    void *player = read_from(t, &packed, err) ? plan->load(t, &packed, err) : NULL;
    buf_done(&packed);
    return player;
}

static void *player_before(const struct generations *plan, const struct training *t, int number,
                           struct err *err) {
    return number    ? generations_load(plan, t, number - 1, err)
           : t->from ? player_from(plan, t, err)
                     : plan->load(t, NULL, err);
}

static int64_t games_of(const struct generations *plan, const struct training *t) {
    return t->games ? t->games : plan->games;
}

static int count_of(const struct generations *plan, const struct training *t) {
    return t->generations ? t->generations : plan->recipe_count;
}

static struct generation generation_of(const struct generations *plan, const struct training *t,
                                       int number) {
    const int last = plan->recipe_count - 1;
    struct generation_recipe recipe = plan->recipes[number < last && !t->from ? number : last];
    recipe.nodes = recipe.nodes ? train_nodes(t, recipe.nodes) : 0;
    const bool whole = plan->last_is_whole && number == count_of(plan, t) - 1;
    return (struct generation){.plan = plan,
                               .training = t,
                               .recipe = recipe,
                               .number = number,
                               .games = games_of(plan, t) / (whole ? 1 : recipe.share)};
}

static void generation_chunk(const void *maker, int number, struct buf *out) {
    const struct generation *g = maker;
    const int64_t first = (int64_t)number * g->plan->chunk_games,
                  end = first + g->plan->chunk_games;
    g->plan->play(g, first, end < g->games ? end : g->games, out);
}

static struct chunks chunks_of(const struct generation *g, char name[static NAME_BYTES]) {
    snprintf(name, NAME_BYTES, "games-%d", g->number);
    return (struct chunks){.name = name,
                           .count = chunks_for(g->games, g->plan->chunk_games),
                           .make = generation_chunk,
                           .maker = g};
}

// The games of this generation, after those before it that are learned from too.
static bool gather(const struct generation *g, struct buf *samples, struct err *err) {
    const struct generations *plan = g->plan;
    const int unfit = g->training->from ? 0 : plan->unfit; // the first ones play with weights then
    int first = g->number - plan->memory;
    first = first > unfit ? first : unfit;
    first = first < g->number ? first : g->number;
    for (int i = first; i <= g->number; i++) {
        char name[NAME_BYTES];
        const struct generation then = generation_of(plan, g->training, i);
        const struct chunks chunks = chunks_of(&then, name);
        if (!train_gather(g->training, &chunks, samples, err))
            return false;
    }
    return true;
}

static bool learn(const struct generation *g, struct err *err) {
    struct buf samples = {.data = NULL}, packed = {.data = NULL};
    char name[NAME_BYTES];
    weights_name(g->number, name);
    const bool saved = gather(g, &samples, err) && g->plan->learn(g, &samples, &packed, err) &&
                       train_save(g->training, name, packed.data, packed.length, err);
    if (saved)
        train_say(g->training, "%s/%s: %zu bytes from %zu positions", g->training->folder, name,
                  packed.length, samples.length / g->plan->sample_bytes);
    buf_done(&packed);
    buf_done(&samples);
    return saved;
}

static bool run_generation(struct generation *g, struct err *err) {
    char name[NAME_BYTES];
    if (generations_has(g->training, g->number)) {
        weights_name(g->number, name);
        train_say(g->training, "%s/%s is there", g->training->folder, name);
        return true;
    }
    g->player = player_before(g->plan, g->training, g->number, err);
    if (!g->player)
        return false;
    const struct chunks chunks = chunks_of(g, name);
    const bool done = train_make(g->training, &chunks, err) && learn(g, err);
    g->plan->unload(g->player);
    return done;
}

// All that the files depend on, besides the rules and the seed.
static bool write_plan(const struct generations *plan, const struct training *t, struct buf *text,
                       struct err *err) {
    struct buf packed = {.data = NULL};
    buf_format(text, "weights, %" PRId64 " games", games_of(plan, t));
    if (plan->last_is_whole) // how many games the others have depends on which is the last
        buf_format(text, ", %d generations", count_of(plan, t));
    if (t->nodes)
        buf_format(text, ", %" PRId64 " nodes a move", t->nodes);
    const bool good = !t->from || read_from(t, &packed, err);
    if (t->from && good)
        buf_format(text, ", from weights %016" PRIx64, mem_sum(packed.data, packed.length));
    buf_done(&packed);
    return good;
}

bool generations_run(const struct generations *plan, const struct training *t, struct err *err) {
    const int count = count_of(plan, t);
    struct buf text = {.data = NULL};
    assert(plan->recipe_count > 0 && plan->memory >= 0 && plan->unfit >= 0);
    bool done = write_plan(plan, t, &text, err) && train_begin(t, text.data, err);
    buf_done(&text);
    for (int i = 0; done && i < count; i++) {
        struct generation g = generation_of(plan, t, i);
        done = run_generation(&g, err);
    }
    return done;
}

bool generations_compare(const struct generations *plan, const struct training *t, int first,
                         bool (*meet)(const struct training *training, int number, const void *next,
                                      const void *before, struct err *err),
                         struct err *err) {
    void *before = player_before(plan, t, first, err);
    bool good = before != NULL;
    for (int i = first; good && generations_has(t, i); i++) {
        void *next = generations_load(plan, t, i, err);
        good = next && meet(t, i, next, before, err);
        plan->unload(before);
        before = next;
    }
    if (before)
        plan->unload(before);
    return good;
}
