// SPDX-License-Identifier: MIT
// Three bounds of games: how many engines play against visitors on the whole machine, which the
// organiser sets; how many against those of one address; and how many games an address has open. An
// engine of a visitor thinks for a bounded time and only on what is idle (game_request.c). Where
// games that count take all cores nothing is idle, and visitors are told to wait; two people can
// still play.
#include "web/visitors.h"

#include "base/clock.h"
#include "link/core.h"
#include "web/guard.h"

#include <string.h>

enum {
    ENGINES_OF_ADDRESS = 4,
    GAMES_OF_ADDRESS = 16,
    CORES_OF_GAME = 2, // that counts: both may think
};

static bool wants_engine(const json_t *plan) {
    const json_t *seats = json_object_get(plan, "seats");
    for (size_t i = 0; i < json_array_size(seats); i++) {
        const char *text = json_string_value(json_array_get(seats, i));
        if (text && strcmp(text, "human") != 0)
            return true;
    }
    return false;
}

static bool may_have_engine(const struct platform *p, int engines, int of_address,
                            struct err *err) {
    if (engines >= p->switches.visitors)
        return err_set(err,
                       "%d games against engines are being played, which is all there is room "
                       "for; try again later",
                       engines);
    if (of_address >= ENGINES_OF_ADDRESS)
        return err_set(err,
                       "%d games against engines are being played from your address; finish "
                       "one first",
                       of_address);
    return CORES_OF_GAME * hosted_contests_count_games(p->contests) < core_count() ||
           err_set(err, "games of a contest are being played on this machine: engines wait until "
                        "they are over; two people can play");
}

bool visitors_may_begin(const struct platform *p, const json_t *plan,
                        const struct practice_asker *asker, struct err *err) {
    const uint32_t address = address_number(asker->address);
    int engines = 0, engines_here = 0, games_here = 0;
    if (p->switches.visitors == 0)
        return err_set(err, "the organiser has switched off games of visitors");
    for (const struct practice *g = p->practices; g; g = g->next) {
        const bool counts = g->of_visitor && g->shown.state != SHOWN_OVER;
        const bool engine = counts && practice_has_engine(g), here = g->address == address;
        engines += engine;
        engines_here += engine && here;
        games_here += counts && here;
    }
    if (games_here >= GAMES_OF_ADDRESS)
        return err_set(err, "%d games from your address are open; finish one first", games_here);
    return !wants_engine(plan) || may_have_engine(p, engines, engines_here, err);
}

bool visitors_may_keep(struct platform *p, const char *address, struct err *err) {
    if (p->switches.visitors == 0)
        return err_set(err, "the organiser has switched off games of visitors");
    return rate_take(&p->keeping, address, clock_now_us()) ||
           err_set(err, "%d games an hour of one address are kept; try again later",
                   VISITORS_KEPT_AN_HOUR);
}
