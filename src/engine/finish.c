// SPDX-License-Identifier: MIT
// The line is played out on the rules, position by position. A thought of where it has come to must
// have the same value, as the player sees it who was thought of first; else the line ends there.
#include "engine/finish.h"

#include "base/clock.h"

#include <string.h>

// Where the line has come to.
struct course {
    const struct engine *engine;
    const struct game *game;
    union game_state state;
    int player; // whose value it is
};

static void course_go(struct course *c, const struct thought *t) {
    for (int i = 0; i < t->length; i++)
        c->game->apply(&c->state, t->pv[i]);
}

// What is thought of the end of the line, as the first player sees it.
static double course_value(const struct course *c, const struct thought *t) {
    const double value = engine_tell(c->engine, &c->state, t->value);
    return c->game->turn(&c->state) == c->player ? value : -value;
}

static void append(struct thought *t, const struct thought *rest) {
    const int room = PV_MAX - t->length, more = rest->length < room ? rest->length : room;
    memcpy(&t->pv[t->length], rest->pv, (size_t)more * sizeof *rest->pv);
    t->length += more;
}

void thought_finish(struct brain *brain, const struct game *game, const void *state,
                    const struct limits *limits, struct thought *thought) {
    const int64_t until_us = clock_now_us() + limits->time_us;
    struct course c = {.engine = brain_engine(brain), .game = game, .player = game->turn(state)};
    struct limits left = *limits;
    struct thought t;
    memcpy(&c.state, state, game->state_size);
    if (!thought->exact || !game->has_scores)
        return;
    const double value = course_value(&c, thought);
    course_go(&c, thought);
    while (!game_is_over(game, &c.state) && thought->length < PV_MAX) {
        left.time_us = limits->time_us ? until_us - clock_now_us() : 0;
        if (limits->time_us && left.time_us <= 0)
            return;
        brain_think(brain, &c.state, &left, &t);
        if (!t.exact || course_value(&c, &t) != value)
            return;
        append(thought, &t);
        course_go(&c, &t);
    }
}
